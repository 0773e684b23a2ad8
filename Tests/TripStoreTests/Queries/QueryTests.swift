import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

extension Activity {
    fileprivate static let stars = OwnField<Activity, Int>("org.example.asking", 1, "stars")
    fileprivate static let tags = OwnSet<Activity, String>("org.example.asking", 2, "tags")
    fileprivate static let grade = OwnField<Activity, String>("org.example.asking", 3, "grade")
    fileprivate static let mood = OwnField<Activity, Mood>("org.example.asking", 5, "mood")
    fileprivate static let points = OwnField<Activity, Int>(
        "org.example.asking", 4, "points", replacing: Upcaster(grade, upgrade: { $0.utf8.count }))

    fileprivate static let asked: [any SchemaPart] = [stars, tags, grade, mood, points]
}

private enum Mood: String, OwnFieldValue { case good, bad }

@Suite("Queries")
struct QueryTests {
    /// A store with some activities of two trips, one of which is deleted.
    private static func store() async throws -> (TripStore, Trip.ID) {
        let store = try await TripStore.test(schema: Activity.asked)
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let gone = try await store.create(Trip(name: "Gone"))
        func add(_ name: String, _ cost: String?, _ currency: Currency = "EUR", paid: PaidStatus = .none) async throws {
            var activity = Activity(name: name, in: lisbon, cost: cost.flatMap { Money($0, currency) }, paid: paid)
            if name.contains("Tram") { activity.notes = "Linha 28, Graça" }
            activity[Activity.stars] = name.unicodeScalars.count % 5
            if name.hasPrefix("T") { activity[Activity.tags] = ["transport"] }
            if cost == nil { activity[Activity.grade] = "***" }
            if paid == .inFull { activity[Activity.mood] = .good }
            try await store.create(activity)
            guard paid == .deposit, let number = Activity.mood.fieldDescriptions.first?.number else { return }
            // As a newer version writes it.
            let newer = FieldChange<Activity>(field: number, value: Array("awful".utf8))
            try await store.append([TripEvent(.edited, activity.id, [newer])])
        }
        try await add("Tram 28", "3.20")
        try await add("Tram 4", "3.00", paid: .inFull)
        try await add("Évora", "120.00")
        try await add("evora again", nil)
        try await add("Museum", "15.00", "USD", paid: .deposit)
        try await store.create(Activity(name: "Tram of what is gone", in: gone))
        try await store.delete(gone)
        return (store, lisbon)
    }

    private static let all = Query<Activity>()

    @Test(
        "Conditions",
        arguments: [
            (all.where { $0.name.contains("TRAM") }, ["Tram 28", "Tram 4"]),
            (all.where { $0.name.begins(with: "evora") }, ["Évora", "evora again"]),
            (all.where { $0.name.isLike("EVORA") }, ["Évora"]), (all.where { $0.name == "evora" }, []),
            (all.where { $0.notes.contains("graca") }, ["Tram 28", "Tram 4"]),
            (all.where { $0.notes == "" }, ["Évora", "evora again", "Museum"]),
            (all.where { $0.cost == nil }, ["evora again"]),
            (all.where { $0.cost != nil && $0.paid == .none }, ["Tram 28", "Évora"]),
            (all.where { $0.cost > Money(minorUnits: 310, "EUR") }, ["Tram 28", "Évora"]),
            (all.where { $0.cost >= Money(minorUnits: 1500, "USD") }, ["Museum"]),
            (all.where { !($0.cost > Money(minorUnits: 310, "EUR")) }, ["Tram 4", "evora again", "Museum"]),
            (all.where { $0.paid.isOne(of: [.inFull, .deposit]) }, ["Tram 4", "Museum"]),
            (all.where { $0.paid != .none || $0.name.contains("again") }, ["Tram 4", "evora again", "Museum"]),
            (all.where { $0[Activity.stars] >= 2 && $0[Activity.stars] < 4 }, ["Tram 28"]),
            (all.where { $0[Activity.tags].contains("transport") }, ["Tram 28", "Tram 4"]),
            (all.where { $0[Activity.points] == 3 }, ["evora again"]),
            (all.where { $0.hidesLocation == false }.where { $0.name.contains("u") }, ["Museum"]),
            (
                all.where { $0.cost.isBetween(Money(minorUnits: 300, "EUR"), and: Money(minorUnits: 320, "EUR")) },
                ["Tram 28", "Tram 4"]
            ),
            (all.where { $0.name.isIn("M"..."N") }, ["Museum"]), (all.where { $0.trip == Trip.ID.new() }, []),
            (all.where { $0.name.contains("ΜΟΥΣΕΊΟΣ") || $0.name.isOne(of: ["Museum", "Tram"]) }, ["Museum"]),
            (all.where { !(!($0.name == "Museum")) }, ["Museum"]), (all.where { $0.id == Activity.ID.new() }, []),
            (all.where { $0.createdAt < Date(timeIntervalSince1970: 1e300) && $0.name == "Museum" }, ["Museum"]),
            (
                all.where { fields in
                    (0..<3_000).map { fields.name == "\($0)" }.reduce(fields.name == "Museum", ||)
                }, ["Museum"]
            ), (all.where { $0[Activity.mood] == .good }, ["Tram 4"]),
            // Another value than this version knows reads as nil.
            (all.where { $0[Activity.mood] == nil && $0.paid != .none }, ["Museum"]),
        ] as [(Query<Activity>, [String])])
    func conditions(query: Query<Activity>, names: [String]) async throws {
        let (store, _) = try await Self.store()
        #expect(try store.fetch(query).map(\.name) == names, "\(query.words)")
        #expect(try store.count(query) == names.count && store.exists(query) == !names.isEmpty)
        #expect(try store.ids(query).count == names.count)
        try await store.expectInvariants()
    }

    @Test("Several orders, the natural one of names among them, with cleared values last")
    func orders() async throws {
        let (store, lisbon) = try await Self.store()
        try await store.create(Activity(name: "tram 10", in: lisbon))
        let natural = try store.fetch(Self.all.sorted(by: \.name, .asPeopleDo)).map(\.name)
        #expect(natural == ["Évora", "evora again", "Museum", "Tram 4", "tram 10", "Tram 28"])
        #expect(try store.fetch(Self.all.sorted(by: \.name, .asPeopleDo.reversed)).map(\.name) == natural.reversed())
        let plain = try store.fetch(Self.all.sorted(by: \.name)).map(\.name)
        #expect(plain == ["Museum", "Tram 28", "Tram 4", "evora again", "tram 10", "Évora"])
        let costs = try store.fetch(Self.all.sorted(by: \.cost, .descending).sorted(by: \.name)).map(\.name)
        #expect(costs == ["Museum", "Évora", "Tram 28", "Tram 4", "evora again", "tram 10"])
        let stars = try store.fetch(Self.all.sorted(by: Activity.stars).sorted(by: \.createdAt, .descending))
        #expect(stars.map { $0[Activity.stars] } == [0, 1, 1, 1, 2, nil])
        #expect(try store.first(Self.all.sorted(by: \.name))?.name == "Museum")
        try await store.expectInvariants()
    }

    @Test("Pages have each row whose order did not change exactly once, while others are added", arguments: [1, 2, 3])
    func pages(limit: Int) async throws {
        let (store, lisbon) = try await Self.store()
        let whole = Self.all.sorted(by: \.paid).sorted(by: \.name, .asPeopleDo)
        let before = try store.fetch(whole).map(\.name)
        var (names, cursor): ([String], PageCursor?) = ([], nil)
        repeat {
            let page = try store.fetch(whole.limit(limit), after: cursor)
            #expect(page.count <= limit)
            names += page.map(\.name)
            // A cursor can be kept as text.
            cursor = try page.next.map { try #require(PageCursor($0.description)) }
            if let shown = page.first { try await store.edit(shown.id) { $0.notes = "seen" } }
            if names.count < 5 { try await store.create(Activity(name: "A \(names.count)", in: lisbon)) }
        } while cursor != nil
        #expect(names.filter { !$0.hasPrefix("A ") } == before)
        let other = try #require(try store.fetch(whole.limit(1)).next)
        #expect(throws: TripStoreError.self) { try store.fetch(Self.all.limit(1), after: other) }
        #expect(throws: TripStoreError.self) { try store.trips(.dated, after: other) }
        try await store.expectInvariants()
    }

    @Test("The time of an item overlaps another if they have a moment in common; a single moment stands for both ends")
    func times() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        func moment(_ hour: Int) -> Moment { Moment(milliseconds: Int64(hour) * 3_600_000, zone: "UTC") }
        for (name, start, end) in [("a", 1, 3), ("b", 3, 5), ("c", 4, nil), ("d", nil, 7), ("e", nil, nil)]
            as [(String, Int?, Int?)]
        {
            var activity = Activity(name: name, in: trip)
            (activity.start, activity.end) = (start.map(moment), end.map(moment))
            try await store.create(activity)
        }
        func found(_ first: Int, _ last: Int) throws -> [String] {
            let inTime = Self.all.where { $0.time.overlap(moment(first), moment(last)) }.sorted(by: \.name)
            let typed = try Self.all.where(
                parsing: "time overlaps \(moment(first).localISO8601) to \(moment(last).localISO8601)"
            ).sorted(by: \.name)
            #expect(try store.fetch(typed).map(\.name) == store.fetch(inTime).map(\.name))
            return try store.fetch(inTime).map(\.name)
        }
        #expect(try found(0, 1) == ["a"] && found(3, 3) == ["a", "b"] && found(4, 6) == ["b", "c"])
        #expect(try found(6, 9) == ["d"] && found(8, 9).isEmpty && found(0, 9) == ["a", "b", "c", "d"])
        try await store.expectInvariants()
    }

    @Test("Items of a deleted trip are not found until it is restored; the past has what was there")
    func deletedRoots() async throws {
        let (store, lisbon) = try await Self.store()
        let query = Self.all.where { $0.name.begins(with: "tram") }
        let receipt = try await store.delete(lisbon)
        #expect(try store.count(query) == 0 && store.fetch(query).isEmpty)
        let past = try await store.asOf(.position(Position(receipt.position.rawValue - 1)))
        #expect(try past.fetch(query).count == 2)
        try await store.restore(lisbon)
        #expect(try store.count(query) == 2)
        #expect(try store.read { try $0.count(query) } == 2)
        try await store.expectInvariants()
    }

    @Test("Trips by the days that they overlap, and organizations and apps' kinds by their fields")
    func otherKinds() async throws {
        let store = try await TripStore.test(schema: RelatedKinds.all)
        try await store.create(Trip(name: "May", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        try await store.create(Trip(name: "June", days: Day(2027, 6, 1)...Day(2027, 6, 8)))
        try await store.create(Trip(name: "Someday"))
        let query = Query<Trip>().where { $0.days.overlap(Day(2027, 5, 8)...Day(2027, 5, 31)) }
        #expect(try store.fetch(query).map(\.name) == ["May"])
        try await store.create(Organization(name: "TAP"))
        #expect(try store.count(Query<Organization>().where { $0.name.isLike("tap") }) == 1)
        let folder = try await store.create(Folder("Papers", in: nil))
        try await store.create(Folder("Tickets", in: folder))
        #expect(try store.fetch(Query<Folder>().where { $0.parent == folder }).map(\.name) == ["Tickets"])
        try await store.delete(folder)
        #expect(try store.count(Query<Folder>()) == 0)
        try await store.expectInvariants()
    }

    @Test("All that meet a condition are edited and deleted in one commit")
    func batches() async throws {
        let (store, _) = try await Self.store()
        let query = Self.all.where { $0.paid != .inFull && $0.cost != nil }
        let receipt = try await store.editAll(query, by: "ana") { $0.paid = .inFull }
        #expect(receipt.entities.count == 3)
        #expect(try store.count(query) == 0)
        try await store.deleteAll(Self.all.where { $0.cost == nil })
        #expect(try store.count(Self.all) == 4)
        await #expect(throws: TripStoreError.self) { try await store.deleteAll(Self.all.where { $0.name == "x" }) }
        let named = Authorship(appendID: AppendID())
        await #expect(throws: TripStoreError.self) { try await store.deleteAll(query, by: named) }
        try await store.undo(receipt)
        #expect(try store.count(query) == 3)
        try await store.expectInvariants()
    }

    @Test("A live query has another result when what it asks for changes")
    func live() async throws {
        let (store, _) = try await Self.store()
        let query = Self.all.where { $0.paid == .inFull }
        var updates = store.live(query).makeAsyncIterator()
        #expect(try await updates.next()?.rows.map(\.name) == ["Tram 4"])
        let museum = try #require(try store.first(Self.all.where { $0.name == "Museum" }))
        try await store.edit(museum.id) { $0.paid = .inFull }
        #expect(try await updates.next()?.rows.map(\.name) == ["Tram 4", "Museum"])
        try await store.expectInvariants()
    }

    @Test("Values at the ends of their range, as others may write them, are asked for like others")
    func extremes() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let number = try #require(Trip.schema.number(of: \.archivedAt))
        for value in [
            [UInt8](repeating: 0xFF, count: 9) + [1],
            [UInt8](repeating: 0xFE, count: 1) + [UInt8](repeating: 0xFF, count: 8) + [1],
        ] {
            let change = Change(path: FieldPath(field: number), value: value)
            try await store.appendUnchecked([Event(verb: .edited, entity: lisbon.reference, changes: [change])])
            #expect(try store.count(Query<Trip>().where { $0.archivedAt != nil }) == 1)
            #expect(try store.fetch(Query<Trip>().sorted(by: \.archivedAt)).count == 1)
        }
        #expect(try store.fetch(Query<Trip>().limit(.max)).map(\.id) == [lisbon])
        #expect(throws: TripStoreError.self) { try store.fetch(Self.all.sorted(by: \.cost!.minorUnits)) }
        try await store.expectInvariants()
    }

    @Test("A property that holds no field is refused, with those that there are")
    func unknown() async throws {
        let store = try await TripStore.test()
        let error = #expect(throws: TripStoreError.self) {
            try store.fetch(Self.all.where { $0.effectiveEnd == nil })
        }
        #expect(error?.code == .unusableOption && error?.message.contains("name, trip, start") == true)
        #expect(throws: TripStoreError.self) { try store.fetch(Self.all.sorted(by: \.effectiveEnd)) }
        try await store.expectInvariants()
    }
}
