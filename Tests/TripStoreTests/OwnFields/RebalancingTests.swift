import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

@Suite("Rebalancing a list")
struct RebalancingTests {
    /// Two stores that share a list of which each element was inserted between the last two, so that their ranks are long.
    private static func crowded(_ clock: ManualClock) async throws -> (TripStore, TripStore, Trip.ID) {
        let (ana, ben, lisbon) = try await SharedCollections.pair(clock) { $0[Trip.plan] = [1, 2] }
        for number in 3..<160 {
            try await ana.edit(lisbon) { trip in
                let last = trip[Trip.plan].firstIndex(of: number - 1) ?? 1
                trip[Trip.plan].insert(number, at: number % 2 == 0 ? last : last + 1)
            }
        }
        try await ana.exchange(with: .store(ben))
        clock.advance(by: 1_000)
        return (ana, ben, lisbon)
    }

    private static func longest(_ store: TripStore, _ trip: Trip.ID) throws -> Int {
        let own = try store.trip(trip)?.own ?? OwnValues()
        return own.slots(of: Trip.plan.number).map(\.rank.bytes.count).max() ?? 0
    }

    @Test("The order stays, the ranks get short, and what is short already is left alone")
    func order() async throws {
        let clock = ManualClock()
        let (ana, ben, lisbon) = try await Self.crowded(clock)
        let plan = try ana.trip(lisbon)?[Trip.plan]
        #expect(try Self.longest(ana, lisbon) > ListRank.short)
        let receipt = try await ana.rebalance(Trip.plan, of: lisbon)
        #expect(!receipt.isUnchanged)
        #expect(try ana.trip(lisbon)?[Trip.plan] == plan)
        #expect(try Self.longest(ana, lisbon) <= ListRank.short)
        #expect(try await ana.rebalance(Trip.plan, of: lisbon).isUnchanged)
        try await SharedCollections.expectEqual([ana, ben], lisbon)
        #expect(try ben.trip(lisbon)?[Trip.plan] == plan)
        #expect(try ana.conflicts().rows.isEmpty)
    }

    @Test(
        "A concurrent move counts, whether it was written before the rebalancing or after it", arguments: [true, false])
    func moves(isBefore: Bool) async throws {
        let clock = ManualClock()
        let (ana, ben, lisbon) = try await Self.crowded(clock)
        func move() async throws {
            try await ben.edit(lisbon) { trip in
                let index = try #require(trip[Trip.plan].firstIndex(of: 158))
                trip[Trip.plan].insert(trip[Trip.plan].remove(at: index), at: 0)
            }
        }
        if isBefore { try await move() }
        clock.advance(by: 1_000)
        try await ana.rebalance(Trip.plan, of: lisbon)
        clock.advance(by: 1_000)
        if !isBefore { try await move() }
        let moved = try ben.trip(lisbon)?[Trip.plan]
        try await SharedCollections.expectEqual([ana, ben], lisbon)
        #expect(try ana.trip(lisbon)?[Trip.plan] == moved && moved?.first == 158)
        #expect(try ana.conflicts().rows.isEmpty)
    }

    @Test("A move of the next tick wins, whichever of the ids is greater")
    func nextTick() async throws {
        let clock = ManualClock()
        let (ana, ben, lisbon) = try await Self.crowded(clock)
        // Both clocks stand still: the logical ticks alone order the writes.
        try await ana.edit(lisbon) { $0[Trip.plan].insert(500, at: 80) }
        try await ana.exchange(with: .store(ben))
        for (mover, other) in [(ana, ben), (ben, ana)] {
            try await mover.edit(lisbon) { trip in
                let index = try #require(trip[Trip.plan].firstIndex(of: 158))
                trip[Trip.plan].insert(trip[Trip.plan].remove(at: index), at: 0)
            }
            try await other.rebalance(Trip.plan, of: lisbon)
            let moved = try mover.trip(lisbon)?[Trip.plan]
            try await SharedCollections.expectEqual([ana, ben], lisbon)
            #expect(try ana.trip(lisbon)?[Trip.plan] == moved)
        }
    }

    @Test("Two replicas that rebalance equal lists concurrently keep the order, and are in no conflict")
    func both() async throws {
        let clock = ManualClock()
        let (ana, ben, lisbon) = try await Self.crowded(clock)
        let plan = try ana.trip(lisbon)?[Trip.plan]
        for store in [ana, ben] { #expect(try await !store.rebalance(Trip.plan, of: lisbon).isUnchanged) }
        try await SharedCollections.expectEqual([ana, ben], lisbon)
        #expect(try ana.trip(lisbon)?[Trip.plan] == plan)
        #expect(try ana.conflicts().rows.isEmpty)
    }

    @Test("What was inserted before it can be undone after it")
    func undo() async throws {
        let clock = ManualClock()
        let (ana, ben, lisbon) = try await Self.crowded(clock)
        let receipt = try await ana.edit(lisbon) { trip in
            let last = try #require(trip[Trip.plan].firstIndex(of: 159))
            trip[Trip.plan].insert(777, at: last)
        }
        let plan = try ana.trip(lisbon)?[Trip.plan].filter { $0 != 777 }
        try await ana.rebalance(Trip.plan, of: lisbon)
        let report = try await ana.undo(receipt)
        #expect(report.kept.isEmpty)
        #expect(try ana.trip(lisbon)?[Trip.plan] == plan)
        try await SharedCollections.expectEqual([ana, ben], lisbon)
    }

    @Test("Of what is not there nothing is rebalanced")
    func refused() async throws {
        let store = try await TripStore.test(schema: SharedCollections.all)
        await #expect(throws: TripStoreError.self) { try await store.rebalance(Trip.plan, of: .new()) }
        let named = Authorship(appendID: AppendID())
        await #expect(throws: TripStoreError.self) { try await store.rebalance(Trip.plan, of: .new(), by: named) }
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        #expect(try await store.rebalance(Trip.plan, of: lisbon).isUnchanged)
        try await store.delete(lisbon)
        await #expect(throws: TripStoreError.self) { try await store.rebalance(Trip.plan, of: lisbon) }
        try await store.expectInvariants()
    }
}
