import EventLog
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Views of several replicas")
struct ConvergenceTests {
    /// Replicas that write concurrently, each seeing some of what others wrote, and the resulting segments.
    private func replicas(_ count: Int, seed: UInt64, commits: Int) async throws -> [TripStore] {
        var generator = SeededGenerator(seed: seed)
        var writer = RandomWriter(seed: seed)
        let journal = JournalID(UUID())
        var stores: [TripStore] = []
        for number in 0..<count {
            // Clocks up to an hour apart.
            let clock = ManualClock(
                milliseconds: 1_798_761_600_000 + Int64.random(in: 0...3_600_000, using: &generator),
                seed: seed &* 100 &+ UInt64(number))
            stores.append(try await .test(journal: journal, clock: clock))
        }
        for _ in 0..<commits {
            try await writer.write(to: stores[Int.random(in: 0..<count, using: &generator)])
            if Int.random(in: 0..<4, using: &generator) == 0 {
                let (from, to) = (
                    Int.random(in: 0..<count, using: &generator), Int.random(in: 0..<count, using: &generator)
                )
                if from != to { try await stores[from].pass(to: stores[to]) }
            }
        }
        return stores
    }

    @Test(
        "Replicas that hold the same commits have equal views, whatever the order of arrival (V1, V3)",
        arguments: Seeds.some(6))
    func orderDoesNotMatter(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let stores = try await replicas(3, seed: seed, commits: 60)
        var all: Set<LineSegment> = []
        for store in stores { all.formUnion(try await store.segments()) }
        var digests: Set<[String: Digest]> = []
        for _ in 0..<3 {
            // Segments of different lines arrive in any order, those of one line in its order.
            var queues = Dictionary(grouping: all, by: \.replica).mapValues { $0.sorted { $0.first < $1.first } }
            let target = try await TripStore.test(journal: stores[0].journal, clock: ManualClock(seed: seed))
            while let line = queues.keys.sorted().randomElement(using: &generator) {
                if let segment = queues[line]?.removeFirst() { try await target.log.store(segment) }
                if queues[line]?.isEmpty == true { queues[line] = nil }
            }
            try await target.expectInvariants()
            digests.insert(try target.digests())
        }
        for store in stores {
            for segment in all.sorted(by: { $0.first < $1.first }) { try await store.log.store(segment) }
            try await store.expectInvariants()
            digests.insert(try store.digests())
        }
        #expect(digests.count == 1)
    }

    @Test("Edits of different fields by two who do not know of each other both survive; of one field the later wins")
    func fieldsMerge() async throws {
        let clock = ManualClock()
        let ana = try await TripStore.test(clock: clock)
        let ben = try await TripStore.test(journal: ana.journal, clock: ManualClock(seed: 2))
        let trip = try await ana.create(Trip(name: "Lisbon", destination: "Lisboa"))
        try await ana.pass(to: ben)
        clock.advance(by: 5000)
        try await ana.edit(trip, by: "ana") { $0.name = "Lisbon by ana" }
        try await ben.edit(trip, by: "ben") {
            $0.name = "Lisbon by ben"
            $0.notes = "from ben"
        }
        try await ana.pass(to: ben)
        try await ben.pass(to: ana)
        for store in [ana, ben] {
            #expect(try store.trip(trip)?.name == "Lisbon by ana")
            #expect(try store.trip(trip)?.notes == "from ben")
            let lost = try store.history(of: trip).flatMap(\.event.changes).filter { $0.beatenBy != nil }
            #expect(lost.map(\.new.text) == ["Lisbon by ben"])
            #expect(lost.first?.beatenBy?.author == "ana")
            #expect(lost.first?.beatenBy?.value.text == "Lisbon by ana")
            try await store.expectInvariants()
        }
        #expect(try ana.digests() == ben.digests())
    }

    @Test("What was edited before it was created here is invisible until the creation comes, and items wait unfiled")
    func editsBeforeCreation() async throws {
        let ana = try await TripStore.test()
        let ben = try await TripStore.test(journal: ana.journal, clock: ManualClock(seed: 2))
        let carl = try await TripStore.test(journal: ana.journal, clock: ManualClock(seed: 3))
        let trip = try await ana.create(Trip(name: "Lisbon"))
        try await ana.pass(to: ben)
        try await ben.edit(trip) { $0.notes = "from ben" }
        let tram = try await ben.create(Activity(name: "Tram", in: trip))
        for segment in try await ben.log.allSegments(of: ben.replica) {
            try await carl.log.store(segment)
        }
        #expect(try carl.trip(trip) == nil)
        #expect(try carl.unfiledItems().map(\.id) == [.activity(tram)])
        #expect(try carl.status().trips == 0)
        try await carl.expectInvariants()
        try await ana.pass(to: carl)
        #expect(try carl.trip(trip)?.notes == "from ben")
        #expect(try carl.unfiledItems().isEmpty)
        #expect(try carl.items(of: trip).map(\.id) == [.activity(tram)])
        try await carl.expectInvariants()
    }
}
