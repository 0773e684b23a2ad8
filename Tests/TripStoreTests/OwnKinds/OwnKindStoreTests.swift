import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripProjections
import TripStoreProjections

@testable import TripStore

/// A list of things to pack, of a trip.
struct PackingList: OwnEntity {
    let id: Identifier<PackingList>
    var name = ""
    var trip: Trip.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ name: String, of trip: Trip.ID) { (id, self.name, self.trip) = (.new(), name, trip) }

    static let schema = Schema<PackingList>(
        "org.example.packing", 1, "packing list",
        [Field(1, "name", \.name, isRequired: true), .parent("trip", \.trip)])
}

/// A thing on such a list.
struct Packing: OwnEntity {
    let id: Identifier<Packing>
    var what = ""
    var list: PackingList.ID?
    var count = 1
    var isPacked = false
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ what: String, on list: PackingList.ID) { (id, self.what, self.list) = (.new(), what, list) }

    static let schema = Schema<Packing>(
        "org.example.packing", 2, "packing",
        [
            Field(1, "what", \.what, isRequired: true), .parent("list", \.list), Field(3, "count", \.count) { $0 > 0 },
            Field(4, "isPacked", \.isPacked),
        ])

    static let labels = OwnSet<Packing, String>("org.example.packing", 1, "labels")
}

/// The app's kinds and fields.
private let packing: [any SchemaPart] = [PackingList.schema, Packing.schema, Packing.labels]

@Suite("Apps' own kinds in a store")
struct OwnKindStoreTests {
    private static func store(_ clock: ManualClock = ManualClock()) async throws -> (
        TripStore, Trip.ID, PackingList.ID, Packing.ID
    ) {
        let store = try await TripStore.test(clock: clock, schema: packing)
        let lisbon = try await store.create(Trip(name: "Lisbon"), by: "ana")
        let list = try await store.create(PackingList("Hand luggage", of: lisbon), by: "ana")
        let socks = try await store.create(Packing("socks", on: list), by: "ana")
        return (store, lisbon, list, socks)
    }

    @Test("They have the verbs, history, undo and past states of the store's own kinds")
    func verbs() async throws {
        let (store, lisbon, list, socks) = try await Self.store()
        let receipt = try await store.edit(socks, by: "ana") {
            $0.count += 2
            $0.isPacked = true
            $0[Packing.labels].insert("warm")
        }
        let read = try #require(try store.entity(socks))
        #expect(read.count == 3 && read.isPacked && read.what == "socks" && read[Packing.labels] == ["warm"])
        #expect(read.createdAt != nil && read.list == list)
        #expect(try await store.edit(socks) { $0.isPacked = true }.isUnchanged)
        #expect(try store.entities(PackingList.self, in: lisbon).map(\.name) == ["Hand luggage"])
        #expect(try store.entities(Packing.self, in: list).rows == [read])
        let history = try store.history(of: socks)
        #expect(history.count == 2 && history[1].event.name == "socks")
        #expect(
            history[1].event.changes.map { "\($0.field) \($0.old?.text ?? "–") \($0.new.text)" }
                == ["count – 3", "isPacked – yes", "labels – warm"])
        let past = try await store.asOf(receipt.position - 1)
        #expect(try past.entity(socks)?.count == 1 && past.entities(Packing.self).rows.count == 1)
        #expect(try store.entity(socks, asOf: .position(receipt.position - 1))?.count == 1)
        try await store.undo(receipt)
        let undone = try #require(try store.entity(socks))
        #expect(undone.count == 1 && !undone.isPacked && undone[Packing.labels].isEmpty)
        try await store.delete(socks)
        #expect(try store.entity(socks) == nil && store.entities(Packing.self).rows.isEmpty)
        try await store.restore(socks)
        try await store.upsert(Packing.ID.derived(from: "shop.example", "1")) {
            $0.what = "tent"
            $0.list = list
        }
        #expect(try Set(store.entities(Packing.self, in: list).map(\.what)) == ["socks", "tent"])
        #expect(try store.read { try $0.entities(named: "Tent") }.count == 1)
        try await store.expectInvariants()
    }

    @Test("They are hidden with what they belong to, at any depth, and come back with it")
    func cascade() async throws {
        let (store, lisbon, list, socks) = try await Self.store()
        let position = try await store.delete(lisbon).position
        #expect(try store.entity(list) == nil && store.entity(socks) == nil)
        #expect(try store.entities(Packing.self).rows.isEmpty && store.entities(Packing.self, in: list).rows.isEmpty)
        #expect(try store.entity(socks, asOf: .position(position)) == nil)
        #expect(try store.entity(socks, asOf: .position(position - 1)) != nil)
        #expect(try store.read { try $0.entities(named: "socks") }.isEmpty)
        await #expect(throws: TripStoreError.self) { try await store.edit(socks) { $0.count = 2 } }
        try await store.restore(lisbon)
        try await store.delete(list)
        #expect(try store.entity(socks) == nil)
        let refused = await #expect(throws: TripStoreError.self) { try await store.create(Packing("hat", on: list)) }
        #expect(refused?.code == .unknownParent && refused?.entity == list.reference)
        try await store.restore(list)
        #expect(try store.entity(socks)?.what == "socks")
        try await store.expectInvariants()
    }

    @Test("A replica without the app merges them field by field, cascades them, and passes them on")
    func strangers() async throws {
        let clock = ManualClock()
        let (ana, lisbon, list, socks) = try await Self.store(clock)
        #expect(try await ana.describe([PackingList.schema, Packing.schema, Packing.labels]).isUnchanged)
        let ben = try await TripStore.test(journal: ana.journal, clock: clock)
        try await ana.exchange(with: .store(ben))
        try await ana.edit(socks) { $0.count = 5 }
        try await ben.edit(socks) { $0.isPacked = true }
        try await ana.exchange(with: .store(ben))
        for store in [ana, ben] {
            let read = try #require(try store.entity(socks))
            #expect(read.count == 5 && read.isPacked)
            #expect(try store.conflicts().rows.isEmpty)
            #expect(
                try store.fieldDescriptions().filter(\.isOfKind).map(\.name).sorted() == ["packing", "packing list"])
        }
        // By raw events, as a program without the app would.
        try await ben.append([TripEvent(.deleted, lisbon.reference)])
        #expect(try ben.entity(socks) == nil && ben.entity(list) == nil)
        try await ana.expectInvariants()
        try await ben.expectInvariants()
    }

    @Test("Concurrent edits of one field are a conflict, and an edit of what was deleted is one")
    func conflicts() async throws {
        let clock = ManualClock()
        let (ana, lisbon, _, socks) = try await Self.store(clock)
        let ben = try await TripStore.test(journal: ana.journal, clock: clock, schema: packing)
        try await ana.exchange(with: .store(ben))
        try await ana.edit(socks, by: "ana") { $0.count = 2 }
        clock.advance(by: 60_000)
        try await ben.edit(socks, by: "ben") { $0.count = 3 }
        try await ana.exchange(with: .store(ben))
        let conflict = try #require(try ana.conflicts().rows.first)
        #expect(conflict.entity == socks.reference)
        try await ana.resolve(conflict, taking: .superseded)
        #expect(try ana.entity(socks)?.count == 2)
        try await ana.exchange(with: .store(ben))
        clock.advance(by: 60_000)
        try await ana.delete(lisbon)
        clock.advance(by: 60_000)
        let charger = try await ben.create(PackingList("Chargers", of: lisbon))
        try await ana.exchange(with: .store(ben))
        let filed = try ana.conflicts(of: lisbon).rows
        #expect(filed.contains { $0.entity == charger.reference })
        try await ana.expectInvariants()
    }

    @Test("Undoing a creation deletes it, unless others have put something into it")
    func undoCreation() async throws {
        let store = try await TripStore.test(schema: packing)
        let receipt = try await store.commit(by: "ana") { commit in
            let trip = commit.create(Trip(name: "Lisbon"))
            let list = commit.create(PackingList("Bag", of: trip))
            commit.create(Packing("socks", on: list))
        }
        let list = try #require(try store.entities(PackingList.self).rows.first)
        let lisbon = try #require(list.trip)
        let hat = try await store.create(Packing("hat", on: list.id), by: "ben")
        let first = try await store.undo(receipt, by: "ana")
        #expect(first.changes.map(\.name) == ["socks"] && first.kept.count == 2)
        #expect(try store.entity(lisbon) != nil && store.entity(list.id) != nil)
        try await store.delete(hat)
        let second = try await store.undo(receipt, by: "ana")
        #expect(second.changes.map(\.name) == ["Bag", "Lisbon"])
        #expect(try store.entity(lisbon) == nil)
        // Put back, what contains comes first.
        let redone = try await store.redo(by: "ana")
        #expect(redone.changes.map(\.name) == ["Lisbon", "Bag"])
        #expect(try store.entity(list.id) != nil)
        try await store.expectInvariants()
    }

    @Test("What cannot be restored because a parent above is gone is kept and named")
    func undoUnderDeleted() async throws {
        let (store, _, list, socks) = try await Self.store()
        let deletion = try await store.delete(socks)
        try await store.delete(list)
        let report = try await store.undo(deletion)
        #expect(report.kept.map(\.reason) == [.parentMissing(list.reference)])
        try await store.expectInvariants()
    }

    @Test("Live queries follow them, with the presence of all that is above")
    func live() async throws {
        let (store, lisbon, list, _) = try await Self.store()
        var rows = store.live(.entities(Packing.self, in: list)).makeAsyncIterator()
        #expect(try await rows.next()?.rows.map(\.what) == ["socks"])
        try await store.create(Packing("hat", on: list))
        #expect(try await rows.next()?.rows.map(\.what) == ["socks", "hat"])
        try await store.delete(lisbon)
        #expect(try await rows.next()?.rows.isEmpty == true)
        try await store.restore(lisbon)
        #expect(try await rows.next()?.rows.count == 2)
        #expect(try store.entities(Packing.self, in: list).rows.count == 2)
        try await store.expectInvariants()
    }

    @Test("Views of an app's own file them, and are built again when the schema changes, as another kind's are not")
    func views() async throws {
        let byCount = AppView<Int, NoValue>("by-count", version: 1) { (packing: Packing, rows) in
            rows.put(packing.count)
        }
        let store = try await TripStore.temporary(options: TripStore.Options(projections: [byCount], schema: packing))
        let list = try await store.create(PackingList("Bag", of: try await store.create(Trip(name: "Lisbon"))))
        let socks = try await store.create(Packing("socks", on: list))
        try await store.edit(socks) { $0.count = 3 }
        try await store.appViews.catchUp()
        #expect(try store.appViews.rows(of: byCount).map(\.key) == [3])
        let lists = EntityProjection<PackingList>("lists", version: 1) { _, _ in }
        #expect(byCount.schema.contains("3 count Int") && byCount.schema != lists.schema)
        let trips = EntityProjection<Trip>("trips", version: 1) { _, _ in }
        #expect(trips.schema.isEmpty)
        try await store.expectInvariants()
    }
}
