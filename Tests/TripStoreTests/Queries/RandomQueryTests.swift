import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

@Suite("Queries, held against a plain filter")
struct RandomQueryTests {
    /// A condition, and what it means.
    private struct Case {
        let condition: Condition<Activity>
        let holds: (Activity) -> Bool
    }

    /// Two of them are longer than what an index keeps of a text, and have only their ends different.
    private static let names = [
        "Tram", "tram 2", "Évora", "Museum", "São Jorge", "Tram 10", "Ferry", "tram\u{0}", "tram 02",
        String(repeating: "Long way ", count: 10) + "there", String(repeating: "Long way ", count: 10) + "back",
    ]

    /// Indexes that serve some of the questions, in part or whole, and one that serves none.
    private static let indexes = [
        Index(on: \Activity.name), Index(on: \Activity.name, asPeopleDo: true), Index(on: \Activity.cost),
        Index(on: \Activity.paid).then(\Activity.start),
        Index(on: \Activity.paid).then(\Activity.cost).then(\Activity.name),
        Index(on: \Activity.start).then(\Activity.name, asPeopleDo: true), Index(on: \Activity.notes),
        Index(on: \Activity.name).then(\Activity.start),
    ]

    /// An order, and how it compares.
    private struct Order: Sendable {
        let sorted: @Sendable (Query<Activity>) -> Query<Activity>
        let compare: @Sendable (Activity, Activity) -> Int
        /// Whether the greatest id comes first among equal ones.
        var byLastID = false
    }

    private static let orders: [Order] = [
        Order(sorted: { $0.sorted(by: \.name, .descending) }, compare: { byName($1, $0) }),
        Order(sorted: { $0.sorted(by: \.name) }, compare: { byName($0, $1) }),
        Order(sorted: { $0.sorted(by: \.name, .asPeopleDo) }, compare: { asPeopleDo($0, $1) }),
        Order(sorted: { $0.sorted(by: \.name, .asPeopleDo.reversed) }, compare: { asPeopleDo($1, $0) }),
        Order(sorted: { $0.sorted(by: \.cost) }, compare: { byCost($0, $1) }),
        Order(
            sorted: { $0.sorted(by: \.cost, .descending) },
            compare: { a, b in
                a.cost == nil || b.cost == nil ? byCost(a, b) : byCost(b, a)
            }),
        Order(
            sorted: { $0.sorted(by: \.start).sorted(by: \.name, .asPeopleDo) },
            compare: { a, b in
                let order = byStart(a, b)
                return order != 0 ? order : asPeopleDo(a, b)
            }),
        Order(
            sorted: { $0.sorted(by: \.name).sorted(by: \.start) },
            compare: { a, b in
                let order = byName(a, b)
                return order != 0 ? order : byStart(a, b)
            }),
        Order(
            sorted: { $0.sorted(by: \.start, .descending) },
            compare: { a, b in
                a.start == nil || b.start == nil ? byStart(a, b) : byStart(b, a)
            }),
        Order(sorted: { $0 }, compare: { _, _ in 0 }),
        Order(sorted: { $0.sorted(by: \.name).reversed }, compare: { byName($1, $0) }, byLastID: true),
        Order(
            sorted: { $0.sorted(by: \.name, .asPeopleDo).reversed }, compare: { asPeopleDo($1, $0) }, byLastID: true),
        Order(
            sorted: { $0.sorted(by: \.cost).reversed },
            compare: { a, b in
                a.cost == nil || b.cost == nil ? byCost(a, b) : byCost(b, a)
            }, byLastID: true),
        Order(
            sorted: { $0.sorted(by: \.start, .descending).reversed }, compare: { byStart($0, $1) }, byLastID: true),
    ]

    private static func byName(_ a: Activity, _ b: Activity) -> Int {
        precedes(a.name, b.name) ? -1 : a.name == b.name ? 0 : 1
    }

    private static func asPeopleDo(_ a: Activity, _ b: Activity) -> Int {
        let order = TextFolding.compareNaturally(TextFolding.folded(a.name), TextFolding.folded(b.name))
        return order != 0 ? order : byName(a, b)
    }

    /// The currencies are apart; cleared costs come last.
    private static func byCost(_ a: Activity, _ b: Activity) -> Int {
        guard let first = a.cost, let second = b.cost else { return (a.cost == nil ? 1 : 0) - (b.cost == nil ? 1 : 0) }
        if first.currency != second.currency { return first.currency.code < second.currency.code ? -1 : 1 }
        return (first.minorUnits - second.minorUnits).signum().asInt
    }

    private static func byStart(_ a: Activity, _ b: Activity) -> Int {
        guard let first = a.start, let second = b.start else {
            return (a.start == nil ? 1 : 0) - (b.start == nil ? 1 : 0)
        }
        return (first.milliseconds - second.milliseconds).signum().asInt
    }

    private static func atom(_ fields: QueryFields<Activity>, _ random: inout SeededGenerator) -> Case {
        let name = names.randomElement(using: &random) ?? ""
        let part = String(name.prefix(Int.random(in: 0...3, using: &random)))
        let money = money(&random)
        let paid = PaidStatus.known.randomElement(using: &random)?.value ?? .none
        let moment = moment(&random)
        return switch Int.random(in: 0..<12, using: &random) {
        case 0: Case(condition: fields.name == name) { $0.name == name }
        case 1: Case(condition: fields.name.contains(part)) { part.isEmpty || plain($0.name).contains(plain(part)) }
        case 2: Case(condition: fields.cost == nil) { $0.cost == nil }
        case 3:
            Case(condition: fields.cost < money) { activity in
                activity.cost.map { $0.currency == money.currency && $0.minorUnits < money.minorUnits } ?? false
            }
        case 4: Case(condition: fields.paid == paid) { $0.paid == paid }
        case 5:
            Case(condition: fields.start >= moment) { $0.start.map { $0.milliseconds >= moment.milliseconds } ?? false }
        case 6: Case(condition: fields.start != nil) { $0.start != nil }
        case 7:
            Case(condition: fields.name.begins(with: part)) { plain($0.name).hasPrefix(plain(part)) || part.isEmpty }
        case 8: Case(condition: fields.name.isLike(name)) { plain($0.name) == plain(name) }
        case 9:
            Case(condition: fields.cost > money) { activity in
                activity.cost.map { $0.currency == money.currency && $0.minorUnits > money.minorUnits } ?? false
            }
        case 10:
            Case(condition: fields.start <= moment) { $0.start.map { $0.milliseconds <= moment.milliseconds } ?? false }
        case 11: Case(condition: fields.name.isOne(of: [name, "Tram", "none"])) { [name, "Tram"].contains($0.name) }
        default: Case(condition: fields.name < name) { precedes($0.name, name) }
        }
    }

    private static func precedes(_ a: String, _ b: String) -> Bool {
        a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
    }

    private static func money(_ random: inout SeededGenerator) -> Money {
        Money(minorUnits: Int64.random(in: 0...5, using: &random), Bool.random(using: &random) ? "EUR" : "USD")
    }

    private static func moment(_ random: inout SeededGenerator) -> Moment {
        Moment(milliseconds: Int64.random(in: 0...5, using: &random), zone: "UTC")
    }

    private static func plain(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    private static func condition(_ depth: Int, _ random: inout SeededGenerator) -> Case {
        guard depth > 0 else { return atom(QueryFields(), &random) }
        let (a, b) = (condition(depth - 1, &random), condition(depth - 1, &random))
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: Case(condition: a.condition && b.condition) { a.holds($0) && b.holds($0) }
        case 1: Case(condition: a.condition || b.condition) { a.holds($0) || b.holds($0) }
        case 2: Case(condition: !a.condition) { !a.holds($0) }
        default: a
        }
    }

    private static func activities(_ trips: [Trip.ID], _ random: inout SeededGenerator) -> [Activity] {
        (0..<300).map { _ in
            var activity = Activity(
                name: names.randomElement(using: &random) ?? "", in: trips.randomElement(using: &random))
            if Bool.random(using: &random) { activity.cost = money(&random) }
            activity.paid = PaidStatus.known.randomElement(using: &random)?.value ?? .none
            if Bool.random(using: &random) { activity.start = moment(&random) }
            return activity
        }
    }

    /// Some of them change, go, or come back.
    private static func change(_ activities: inout [Activity], _ store: TripStore, _ random: inout SeededGenerator)
        async throws
    {
        for index in activities.indices.shuffled(using: &random).prefix(20) {
            let (name, money, moment) = (names.randomElement(using: &random) ?? "", money(&random), moment(&random))
            try await store.edit(activities[index].id) { activity in
                activity.name = name
                activity.cost = Bool.random(using: &random) ? money : nil
                activity.start = Bool.random(using: &random) ? moment : nil
            }
            activities[index] = try #require(try store.entity(activities[index].id))
        }
        let gone = activities.removeLast()
        try await store.delete(gone.id)
    }

    @Test("Whatever is asked, the rows are those that the filter leaves, page by page", arguments: Seeds.some(3))
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        options.indexes = Self.indexes.filter { _ in Bool.random(using: &random) }
        let store = try await TripStore.temporary(options: options)
        var trips: [Trip.ID] = []
        for number in 0..<20 { trips.append(try await store.create(Trip(name: "Trip \(number)"))) }
        var activities = Self.activities(trips, &random)
        try await store.create(activities)
        // One in twenty trips is deleted, and another one restored.
        try await store.delete([trips[0], trips[1]])
        try await store.restore(trips[1])
        activities.removeAll { $0.trip == trips[0] }
        for number in 0..<60 {
            if number.isMultiple(of: 15) { try await Self.change(&activities, store, &random) }
            let asked = Self.condition(Int.random(in: 0...3, using: &random), &random)
            let order = try #require(Self.orders.randomElement(using: &random))
            let query = order.sorted(Query<Activity>().where { _ in asked.condition })
            let expected = activities.filter(asked.holds).sorted { a, b in
                let compared = order.compare(a, b)
                return compared != 0 ? compared < 0 : order.byLastID ? b.id < a.id : a.id < b.id
            }
            var (found, cursor): ([Activity.ID], PageCursor?) = ([], nil)
            repeat {
                let page = try store.fetch(query.limit(1 + number % 50), after: cursor)
                found += page.map(\.id)
                cursor = page.next
            } while cursor != nil
            let path = try store.explain(query)
            #expect(found == expected.map(\.id), "seed \(seed), \(path)")
            #expect(try store.count(query) == expected.count, "seed \(seed), \(path)")
        }
        try await store.expectInvariants()
    }
}

extension Int64 {
    fileprivate var asInt: Int { Int(self) }
}
