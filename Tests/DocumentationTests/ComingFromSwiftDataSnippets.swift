import Foundation
import Synchronization
import Testing
import TripStore
import TripStoreProjections

@Suite("The page for those who come from SwiftData")
struct ComingFromSwiftDataSnippets {
    @Test("A load")
    func load() async throws {
        let store = try await TripStore.temporary()
        let years = [[Trip(name: "Lisbon")], [Trip(name: "Porto"), Trip(name: "Berlin")]]
        // begin From-load
        try await store.load { load in
            for trips in years { try await load.append(trips.map { .created($0) }) }
        }
        // end
        #expect(try store.trips(.undated).rows.count == 3)
    }

    @Test("Containers, contexts and verbs")
    func basics() async throws {
        let place = Folder()
        let folder = place.url
        // begin From-container
        let store = try await TripStore.open(at: folder)
        // end

        let start = noon
        let end = Moment(milliseconds: start.milliseconds + 3_600_000, zone: start.zone)
        // begin From-model
        let trip = Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8))
        var tram = Activity(name: "Tram 28", in: trip.id, from: start, until: end, cost: Money("3.10", "EUR"))
        tram.notes = "Bring coins"  // a value: nothing is stored by this
        // end

        // begin From-insert
        let lisbon = try await store.create(trip)
        try await store.create(tram)
        try await store.edit(lisbon) { $0.name = "Lisbon and Porto" }
        try await store.delete(tram.id)
        try await store.restore(tram.id)
        // end
        #expect(try store.trip(lisbon)?.name == "Lisbon and Porto")

        // begin From-batch
        try await store.commit(by: "ana") { commit in
            for city in ["Porto", "Faro", "Évora"] { commit.create(Trip(name: city)) }
            commit.edit(lisbon, [.set(\.destination, "Portugal"), .set(\.notes, "")])
            commit.delete(tram.id)
        }
        // end
        #expect(try store.status().trips == 4)
        #expect(try store.items(of: lisbon).isEmpty)
        try await store.restore(tram.id)

        // begin From-batch-delete
        let undated = try store.trips(.undated, limit: 1000).rows
        try await store.commit { commit in
            for row in undated { commit.delete(row.id) }
        }
        // end
        #expect(try store.status().trips == 1)

        // begin From-cascade
        try await store.delete(lisbon)
        let hidden = try store.entity(tram.id)  // nil: its trip is not there
        try await store.restore(lisbon)
        let back = try store.entity(tram.id)  // and here it is again
        // end
        #expect(hidden == nil && back?.name == "Tram 28")

        // begin From-relationship
        let items = try store.items(of: lisbon)  // trip.items
        if let item = items.first, let parent = item.trip {
            print(try store.trip(parent)?.name ?? "unfiled")  // item.trip
        }
        try await store.move(tram.id, to: try await store.create(Trip(name: "Sintra")))
        // end
        #expect(items.count == 1)
        #expect(try store.items(of: lisbon).isEmpty)
    }

    @Test("Forms, rollback and undo")
    func forms() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        // begin From-form
        guard let original = try store.trip(lisbon) else { return }
        var draft = original
        draft.name = "Porto"  // the form works on a value
        // Cancel: forget the draft. There is nothing to roll back.
        let receipt = try await store.save(draft, from: original)  // Done: only the fields that were changed
        // end
        // begin From-undo
        try await store.undo(receipt)  // by a new commit, on every replica
        try await store.redo()
        // end
        #expect(try store.trip(lisbon)?.name == "Porto")
    }

    @Test("Queries")
    func queries() async throws {
        let store = try await TripStore.temporary(options: TripStore.Options(schema: [Bag.schema]))
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        // begin From-fetch
        let may = Day(2027, 5, 1)..<Day(2027, 6, 1)
        let starting = try store.trips(.starting(in: may), limit: 50)  // by first day
        let touching = try store.trips(.overlapping(may).reversed)  // the last first
        let next = try starting.next.map { try store.trips(.starting(in: may), limit: 50, after: $0) }
        let named = try store.organizations(named: "air")
        let count = try store.read { try $0.tripCount() }
        // end
        #expect(starting.rows.map(\.id) == [lisbon] && touching.rows.count == 1 && next == nil)
        #expect(named.isEmpty && count == 1)

        try await ask(store, lisbon)

        // begin From-predicate
        let byName = AppView<String, NoValue>("by-name", version: 1) { (trip: Trip, rows) in rows.put(trip.name) }
        let options = TripStore.Options(projections: [byName])
        // end
        let own = try await TripStore.temporary(options: options)
        try await own.create(Trip(name: "Lisbon"))
        try await own.appViews.catchUp()
        #expect(try own.appViews.rows(of: byName, .key("Lisbon")).count == 1)
    }

    private struct Bag: OwnEntity {
        let id: Identifier<Bag>
        var trip: Activity.ID?
        var packed = false
        var stored = StoredState()

        init(id: ID) { self.id = id }

        static let schema = Schema<Bag>(
            "org.example.from", 1, "bag", [.parent("activity", \.trip), Field(3, "packed", \.packed)])
    }

    private func ask(_ store: TripStore, _ trip: Trip.ID) async throws {
        let today = Day(2027, 5, 1)
        try await store.create(Lodging(name: "Inn", in: trip))
        try await store.create(
            Activity(
                name: "Tram", in: trip, cost: Money(minorUnits: 3_20, "EUR"),
                address: Address(coordinates: Coordinates(latitude: 38.71, longitude: -9.14))))
        // begin From-asking
        let unpaid = Query<Trip>()
            .where { $0.endDay >= today && $0.lodgings.contains { $0.paid != .inFull } }
            .sorted(by: \.startDay).sorted(by: \.name, .asPeopleDo)
            .limit(20)
        let page = try store.fetch(unpaid)
        let next = try store.fetch(unpaid, after: page.next)
        let count = try store.count(unpaid)
        let isAny = try store.exists(unpaid)
        let first = try store.first(unpaid)
        let ids = try store.ids(unpaid)
        // end
        #expect(
            page.map(\.id) == [trip] && next.count == 1 && count == 1 && isAny && first?.id == trip && ids == [trip])
        // begin From-values
        let fare = Money(minorUnits: 3_20, "EUR")
        let trams = Query<Activity>().where(#Predicate { $0.cost == fare && $0.organization == nil })
        let sums = try store.groups(of: trams, by: [.value(\.paid)], measuring: \.cost)
        let names = try store.distinct(\.name, of: Query<Activity>())
        let lisbon = Coordinates(latitude: 38.7, longitude: -9.1)
        let nearby = Query<Activity>().where { $0.address.isWithin(meters: 5_000, of: lisbon) }
        let typed = try Query<Activity>(in: store).where(parsing: "cost = 3.20 EUR and no bag (packed = no)")
        // end
        #expect(sums.first?.costs.first?.minorUnits == 3_20 && names.map(\.description) == ["Tram"])
        #expect(try store.count(nearby) == 1 && store.count(typed) == 1)
        try await follow(store, unpaid)
    }

    private func follow(_ store: TripStore, _ unpaid: Query<Trip>) async throws {
        let lastWeek = Date.now.addingTimeInterval(-7 * 86_400)
        let shown = AsyncStream.makeStream(of: Int.self)
        @Sendable func show(_ rows: [Trip]) { shown.continuation.yield(rows.count) }
        let task = Task {
            // begin From-following
            let then = try await store.asOf(lastWeek)
            let before = try then.fetch(unpaid)  // with the same indexes
            for try await update in store.live(unpaid) { show(update.rows) }
            // end
            #expect(before.isEmpty)
        }
        for await count in shown.stream {
            #expect(count == 1)
            break
        }
        task.cancel()
        _ = try? await task.value
    }

    @Test("Uniqueness and expectations", .timeLimit(.minutes(1)))
    func uniqueness() async throws {
        let store = try await TripStore.temporary()
        let booking = "QK7TXP"
        // begin From-unique
        let id = Trip.ID.derived(from: "agency.example", booking)  // the same id on every replica
        try await store.upsert(id) { $0.name = "Lisbon" }
        // end
        #expect(try store.trip(id)?.name == "Lisbon")

        // begin From-expecting
        let version = try store.version(of: id)
        try await store.append([TripEvent(.edited, id, [.set(\.name, "Porto")])], expecting: [id: version])
        // end
        await #expect { try await store.append([.deleted(id)], expecting: [id: version]) } throws: {
            ($0 as? TripStoreError)?.code == .versionConflict
        }
    }

    // begin From-actor
    actor Importer {
        let store: TripStore

        init(store: TripStore) { self.store = store }

        func run(_ names: [String]) async throws {
            for name in names { try await store.create(Trip(name: name)) }
        }
    }
    // end

    @Test("Actors")
    func actors() async throws {
        let store = try await TripStore.temporary()
        // begin From-background
        let importer = Importer(store: store)
        try await importer.run(["Porto", "Faro"])
        let count = try store.trips(.undated).rows.count  // on whatever actor this is
        // end
        #expect(count == 2)
    }

    @Test("History and devices")
    func history() async throws {
        let place = Folder()
        let folder = place.url
        let account = UUID()
        let first = try await TripStore.open(at: folder, options: TripStore.Options(journal: JournalID(account)))
        await first.close()
        let token = Position.start
        // begin From-options
        let options = TripStore.Options(
            journal: JournalID(account),  // what the devices of one account share
            deviceName: "Ana's phone")
        let store = try await TripStore.open(at: folder, options: options)
        // end
        try await store.create(Trip(name: "Lisbon"))
        let second = Folder()
        let other = second.url
        await (try await TripStore.open(at: other, options: options)).close()
        // begin From-exchange
        try await store.exchange(with: .folder(other))  // both hold the same afterwards
        for peer in try store.peers() { print(peer.name, peer.commitsToSend, peer.lastError ?? "up to date") }
        // end
        #expect(try store.peers().map(\.commitsToSend) == [0])
        // begin From-history
        let news = try store.audit(AuditFilter(), limit: 100, beyond: token)
        for commit in news {
            for event in commit.events { print(event.verb.name, event.name, event.changes.map(\.field)) }
        }
        let newToken = news.last?.position ?? token
        // end
        #expect(newToken == Position(2))

        // begin From-processes
        let reader = try await TripStore.open(at: folder, options: .readOnly)  // a widget, an extension, a tool
        let trips = try reader.trips()
        // end
        #expect(trips.rows.isEmpty && reader.isReadOnly)
    }

    @Test("Previews")
    func previews() async throws {
        // begin From-preview
        let store = try await TripStore.temporary()  // a folder for temporary files, removed with the store
        // end
        #expect(try store.trips().rows.isEmpty)
    }
}
