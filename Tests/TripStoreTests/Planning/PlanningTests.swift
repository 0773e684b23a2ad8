import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Travellers, budgets and checklists in a store")
struct PlanningTests {
    private struct Sample {
        let store: TripStore
        let lisbon: Trip.ID
        let ana: Traveller.ID
        let ben: Traveller.ID
        let dinner: Activity.ID
    }

    private static func sample(_ clock: ManualClock = ManualClock()) async throws -> Sample {
        let store = try await TripStore.test(clock: clock)
        let ana = try await store.create(Traveller(name: "Ana", email: "ana@example.org"))
        let ben = try await store.create(Traveller(name: "Ben"))
        var trip = Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 3))
        trip.travellers = [ana, ben]
        let lisbon = try await store.create(trip)
        var activity = Activity(name: "Dinner", in: lisbon, cost: Money("61", "EUR"), paid: .inFull)
        (activity.payer, activity.participants) = (ana, [ana, ben])
        activity.split = .byParts([ana: 2])
        return Sample(store: store, lisbon: lisbon, ana: ana, ben: ben, dinner: try await store.create(activity))
    }

    @Test("Trips and items name travellers, and what each owes follows")
    func travellers() async throws {
        let sample = try await Self.sample()
        let store = sample.store
        #expect(try store.travellers(of: sample.lisbon).map(\.name) == ["Ana", "Ben"])
        let balances = try store.balances(of: sample.lisbon).map { "\($0.traveller == sample.ana) \($0.balance)" }
        #expect(Set(balances) == ["true 2033", "false -2033"])
        #expect(try store.trips().rows.map(\.trip.travellers) == [[sample.ana, sample.ben]])
        let receipt = try await store.edit(sample.dinner) { $0.participants.remove(sample.ben) }
        #expect(try store.entity(sample.dinner)?.participants == [sample.ana])
        try await store.undo(receipt)
        #expect(try store.entity(sample.dinner)?.participants == [sample.ana, sample.ben])
        let fields = try store.history(of: sample.dinner).flatMap { $0.event.changes.map(\.field) }
        #expect(fields.contains("participants"))
        try await store.expectInvariants()
    }

    @Test("While a traveller is deleted nothing names it, now and in the past, and restoring brings all back")
    func deletion() async throws {
        let sample = try await Self.sample()
        let store = sample.store
        let list = try await store.create(Checklist(name: "To do", in: sample.lisbon, for: "to do"))
        let entry = try await store.create(ChecklistEntry("visa", in: list, by: sample.ana))
        let deletion = try await store.delete(sample.ana)
        for source in [store, try await store.asOf(deletion.position)] as [any TripQuerying] {
            let item = try #require(try source.items(of: sample.lisbon).rows.first)
            #expect(item.payer == nil && item.participants == [sample.ben] && item.split == .byParts([:]))
            #expect(try source.entity(sample.dinner)?.payer == nil)
            #expect(try source.trip(sample.lisbon)?.travellers == [sample.ben])
            #expect(try source.trips().rows.map(\.trip.travellers) == [[sample.ben]])
            #expect(try source.fetch(Query<Activity>()).rows.map(\.participants) == [[sample.ben]])
            #expect(try source.entity(entry)?.assignee == nil)
            #expect(try source.balances(of: sample.lisbon).isEmpty)
        }
        #expect(try store.entity(sample.dinner, asOf: .position(deletion.position))?.payer == nil)
        let before = try store.items(of: sample.lisbon, asOf: .position(deletion.position - 1))
        #expect(before.rows.first?.payer == sample.ana)
        // An edit of something else writes nothing of it.
        let edit = try await store.edit(sample.dinner) { $0.name = "Supper" }
        let written = try #require(try store.history(of: sample.dinner).first { $0.commit.position == edit.position })
        #expect(written.event.changes.map(\.field) == ["name"])
        try await store.restore(sample.ana)
        #expect(try store.entity(sample.dinner)?.payer == sample.ana)
        #expect(try store.entity(sample.dinner)?.split == .byParts([sample.ana: 2]))
        #expect(try store.trip(sample.lisbon)?.travellers == [sample.ana, sample.ben])
        #expect(try store.entity(entry)?.assignee == sample.ana)
        try await store.expectInvariants()
    }

    @Test("While the only participant is deleted nobody owes anything, now and in the past")
    func deletedParticipant() async throws {
        let sample = try await Self.sample()
        let store = sample.store
        try await store.edit(sample.dinner) { $0.participants = [sample.ben] }
        let deletion = try await store.delete(sample.ben)
        for source in [store, try await store.asOf(deletion.position)] as [any TripQuerying] {
            #expect(try source.entity(sample.dinner)?.participants.isEmpty == true)
            #expect(try source.balances(of: sample.lisbon).isEmpty)
        }
        try await store.restore(sample.ben)
        #expect(try store.balances(of: sample.lisbon).count == 2)
        try await store.expectInvariants()
    }

    @Test("Conditions ask who takes part and who paid")
    func queries() async throws {
        let sample = try await Self.sample()
        let store = sample.store
        try await store.create(Activity(name: "Tram", in: sample.lisbon))
        #expect(
            try store.fetch(Query<Activity>().where { $0.participants.contains(sample.ben) }).map(\.name) == ["Dinner"])
        #expect(try store.count(Query<Activity>().where { $0.payer == sample.ana }) == 1)
        #expect(try store.count(Query<Activity>().where { $0.payer == nil }) == 1)
        #expect(try store.count(Query<Trip>().where { $0.travellers.contains(sample.ana) }) == 1)
        let parsed = try Query<Activity>().where(parsing: "participants contains \(sample.ben) and cost > 60 EUR")
        #expect(try store.count(parsed) == 1)
        #expect(try store.count(Query<Traveller>().where { $0.name == "Ana" }) == 1)
        try await store.expectInvariants()
    }

    @Test("Concurrent additions of travellers, and parts of different ones, all count")
    func concurrent() async throws {
        let sample = try await Self.sample()
        let store = sample.store
        let other = try await TripStore.test(clock: ManualClock())
        try await other.exchange(with: .store(store))
        let carla = try await store.create(Traveller(name: "Carla"))
        try await store.edit(sample.lisbon) { $0.travellers.insert(carla) }
        try await store.edit(sample.dinner) { $0.split = .byParts([sample.ana: 2, carla: 5]) }
        let dora = try await other.create(Traveller(name: "Dora"))
        try await other.edit(sample.lisbon) { $0.travellers.insert(dora) }
        try await other.edit(sample.dinner) { $0.split = .byParts([sample.ana: 2, sample.ben: 3]) }
        try await other.exchange(with: .store(store))
        for replica in [store, other] {
            #expect(try replica.trip(sample.lisbon)?.travellers == [sample.ana, sample.ben, carla, dora])
            #expect(
                try replica.entity(sample.dinner)?.split == .byParts([sample.ana: 2, sample.ben: 3, carla: 5]))
            try await replica.expectInvariants()
        }
    }

    @Test("The log has the names of kinds and fields before the first of them is written, once, and never otherwise")
    func described() async throws {
        let store = try await TripStore.test(clock: ManualClock())
        let plain = try await store.create(Trip(name: "Lisbon"))
        let before = try store.status().position
        #expect(try store.fieldDescriptions().isEmpty)
        let receipt = try await store.edit(plain) { $0.isTemplate = true }
        #expect(receipt.position == before + 2)
        #expect(Set(try store.fieldDescriptions()) == Set(StoreKinds.descriptions))
        #expect(try await store.create(Traveller(name: "Ana")).reference.kindName == "traveller")
        #expect(try store.status().position == before + 3)
        try await store.expectInvariants()
    }

    @Test("After a load the log has the names as well")
    func loaded() async throws {
        let store = try await TripStore.test(clock: ManualClock())
        try await store.load { load in try await load.append([.created(Traveller(name: "Ana"))]) }
        #expect(try store.entities(Traveller.self).map(\.name) == ["Ana"])
        #expect(Set(try store.fieldDescriptions()) == Set(StoreKinds.descriptions))
        try await store.expectInvariants()
    }

    @Test("Budgets tell what is planned; deleting a trip hides its budgets and lists, and restoring brings them back")
    func budgets() async throws {
        let sample = try await Self.sample()
        let store = sample.store
        let budget = try #require(Money("100", "EUR"))
        try await store.create(Budget(budget, in: sample.lisbon))
        try await store.create(Budget(budget, for: "lodging", in: sample.lisbon))
        let list = try await store.create(Checklist(name: "Packing", in: sample.lisbon))
        try await store.create(ChecklistEntry("socks", in: list))
        #expect(try store.budgets(of: sample.lisbon).map(\.planned) == [6100, 0])
        try await store.delete(sample.lisbon)
        #expect(try store.budgets(of: sample.lisbon).isEmpty && store.checklists(of: sample.lisbon).isEmpty)
        #expect(try store.entities(ChecklistEntry.self).isEmpty && store.entities(Traveller.self).count == 2)
        try await store.restore(sample.lisbon)
        #expect(try store.entries(of: list).map(\.name) == ["socks"])
        #expect(try store.budgets(of: sample.lisbon).count == 2)
        try await store.expectInvariants()
    }

    @Test("Entries are moved by hand, also concurrently, and an undo puts them back")
    func moved() async throws {
        let clock = ManualClock()
        let sample = try await Self.sample(clock)
        let store = sample.store
        let list = try await store.create(Checklist(name: "Packing", in: sample.lisbon))
        var ids: [ChecklistEntry.ID] = []
        for name in ["a", "b", "c", "d"] {
            clock.advance(by: 10)
            ids.append(try await store.create(ChecklistEntry(name, in: list)))
        }
        let names = { try store.entries(of: list).map(\.name).joined() }
        #expect(try names() == "abcd")
        let receipt = try await store.move(ids[3], to: 1)
        #expect(try names() == "adbc")
        #expect(try await store.move(ids[3], to: 1).isUnchanged)
        try await store.undo(receipt)
        #expect(try names() == "abcd")
        let other = try await TripStore.test(clock: clock)
        try await other.exchange(with: .store(store))
        try await store.move(ids[0], to: 3)
        try await other.create(ChecklistEntry("e", in: list))
        try await other.exchange(with: .store(store))
        #expect(try names() == "bcdae")
        #expect(try store.entries(of: list) == other.entries(of: list))
        let second = try await store.create(Checklist(name: "To do", in: sample.lisbon))
        try await store.move(second, to: 0)
        #expect(try store.checklists(of: sample.lisbon).map(\.name) == ["To do", "Packing"])
        try await store.expectInvariants()
        try await other.expectInvariants()
    }
}
