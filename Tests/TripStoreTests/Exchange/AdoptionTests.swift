import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Adopting another journal's entities")
struct AdoptionTests {
    @Test("Two journals do not mix by themselves: the error names both")
    func twoJournals() async throws {
        let stores = [
            try await TripStore.test(journal: JournalID(UUID()), clock: ManualClock(seed: 1)),
            try await TripStore.test(journal: JournalID(UUID()), clock: ManualClock(seed: 2)),
        ]
        for store in stores { try await store.create(Trip(name: "Lisbon")) }
        await #expect {
            try await stores[0].exchange(with: .store(stores[1]))
        } throws: { error in
            guard let error = error as? TripStoreError, error.code == .otherJournal else { return false }
            return stores.allSatisfy { error.message.contains("\($0.journal)") }
        }
        #expect(try stores[0].peers().first?.lastError?.contains("\(stores[1].journal)") == true)
        for store in stores {
            #expect(try store.status().trips == 1)
            try await store.expectInvariants()
        }
    }

    @Test(
        "What the other has comes with its ids; of what both have the later field counts; again there is nothing to do")
    func adopting() async throws {
        let clocks = [ManualClock(seed: 1), ManualClock(seed: 2)]
        let own = try await TripStore.test(journal: JournalID(UUID()), clock: clocks[0])
        let other = try await TripStore.test(journal: JournalID(UUID()), clock: clocks[1])
        let lisbon = try await other.create(Trip(name: "Lisbon", destination: "Lisboa", notes: "theirs"))
        let tram = try await other.create(Activity(name: "Tram 28", in: lisbon))
        let gone = try await other.create(Trip(name: "Gone"))
        try await other.delete(gone)
        // Both hold it, as after importing one file twice.
        try await own.append([.created(Trip(id: lisbon, name: "Lissabon", destination: "", notes: "ours"))])
        clocks[0].advance(by: 60_000)
        clocks[1].advance(by: 30_000)
        try await own.edit(lisbon) { $0.notes = "ours, later" }
        try await other.edit(lisbon) { $0.name = "Lisbon, later" }
        let report = try await own.adopt(other, by: "ana")
        #expect(report.created == 2 && report.edited == 1 && report.receipts.count == 1)
        let trip = try #require(try own.trip(lisbon))
        #expect(trip.name == "Lisbon, later" && trip.notes == "ours, later" && trip.destination == "Lisboa")
        #expect(try own.activities(of: lisbon).map(\.id) == [tram])
        #expect(try own.trip(gone) == nil)
        try await own.restore(gone)
        #expect(try own.trip(gone)?.name == "Gone")
        clocks[0].advance(by: 60_000)
        let again = try await own.adopt(other)
        #expect(again.receipts.isEmpty && again.unchanged == 3)
        // Undoing the correlation reverts all of it.
        let correlation = try #require(try own.commit(at: report.receipts[0].position)?.correlation)
        try await own.undo(.correlation(correlation))
        #expect(try own.trip(lisbon)?.name == "Lissabon")
        for store in [own, other] { try await store.expectInvariants() }
    }

    @Test("What is taken over keeps its time: what another replica of the journal wrote since goes on counting")
    func originalTimes() async throws {
        let clocks = (1...3).map { ManualClock(seed: $0) }
        let own = try await TripStore.test(journal: JournalID(UUID()), clock: clocks[0])
        let ben = try await TripStore.test(journal: own.journal, clock: clocks[1])
        let other = try await TripStore.test(journal: JournalID(UUID()), clock: clocks[2])
        let lisbon = try await other.create(Trip(name: "Lisbon", notes: "theirs"))
        let created = try #require(try other.trip(lisbon)?.createdAt)
        for clock in clocks { clock.advance(by: 60_000) }
        try await other.edit(lisbon) { $0.destination = "Lisboa" }
        let edited = try #require(try other.trip(lisbon)?.updatedAt)
        for clock in clocks { clock.advance(by: 60_000) }
        // Both have the other's trip; Ben, who is offline, edited it before it is adopted here.
        try await ben.append([.created(Trip(id: lisbon, name: "Lissabon", notes: "ben's"))])
        for clock in clocks { clock.advance(by: 60_000) }
        try await own.adopt(other)
        let adopted = try #require(try own.trip(lisbon))
        #expect(adopted.createdAt == created && adopted.updatedAt == edited)
        #expect(try own.history(of: lisbon).map(\.event.written.date) == [created, edited])
        // It appears here from its adoption on, and not before.
        let before = try await own.asOf(edited.addingTimeInterval(30))
        #expect(try before.trip(lisbon) == nil)
        for (from, to) in [(own, ben), (ben, own)] { try await from.pass(to: to) }
        for store in [own, ben] {
            try await store.catchUp()
            let trip = try #require(try store.trip(lisbon))
            #expect(trip.name == "Lissabon" && trip.notes == "ben's" && trip.destination == "Lisboa")
            #expect(trip.createdAt == created)
            try await store.expectInvariants()
        }
        try await other.expectInvariants()
    }

    @Test("A store of the same journal is exchanged with, and not adopted")
    func sameJournal() async throws {
        let own = try await TripStore.test(clock: ManualClock(seed: 1))
        let other = try await TripStore.test(journal: own.journal, clock: ManualClock(seed: 2))
        await #expect {
            try await own.adopt(other)
        } throws: {
            ($0 as? TripStoreError)?.code == .nothingToAdopt
        }
        for store in [own, other] { try await store.expectInvariants() }
    }
}
