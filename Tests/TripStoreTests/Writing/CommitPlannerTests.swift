import EventLog
import Events
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport
import Trips

@testable import TripStore

/// Every proposal goes through one planner; a plain planner is its oracle.
@Suite("Planning commits")
struct CommitPlannerTests {
    private func events(_ store: TripStore, at position: Position) throws -> [Event] {
        try store.log.read { try $0.commit(at: position).map { RecordedCommit($0) }?.payload?.events } ?? []
    }

    private func write(
        _ events: [TripEvent], to store: TripStore, _ leavesOutUnchanged: Bool
    ) async throws -> Receipt {
        leavesOutUnchanged
            ? try await store.write(events, by: Authorship()) : try await store.append(events)
    }

    @Test(
        "What is written, left out and refused is what merged records say, whichever way it comes",
        arguments: Seeds.some(12), [true, false])
    func plain(seed: UInt64, leavesOutUnchanged: Bool) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var history = OddHistory(seed: seed)
        var plain = PlainPlanner()
        var refusals: Set<PlainPlanner.Refusal> = []
        for number in 0..<60 {
            let proposed = history.commit("Trip \(number)")
            let expected: [Event]
            do { expected = try plain.plan(proposed, leavingOutUnchanged: leavesOutUnchanged) } catch {
                let refusal = try #require(error as? PlainPlanner.Refusal)
                refusals.insert(refusal)
                await #expect {
                    try await write(proposed, to: store, leavesOutUnchanged)
                } throws: {
                    PlainPlanner.Refusal($0) == refusal
                }
                continue
            }
            let receipt = try await write(proposed, to: store, leavesOutUnchanged)
            #expect(receipt.isUnchanged == expected.isEmpty)
            if receipt.isUnchanged { continue }
            try #require(try events(store, at: receipt.position) == expected)
            plain.add(expected, at: try receipt.stamp)
            for (entity, version) in receipt.versions { #expect(version == plain.version(of: entity)) }
            #expect(Set(receipt.entities) == Set(expected.map(\.entity)))
        }
        #expect(refusals.count > 3)
        try await store.expectInvariants()
    }

    @Test("What a load writes is what merged records say", arguments: Seeds.some(4))
    func loaded(seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var history = LoadHistory(seed: seed)
        let commits = (0..<40).map { history.commit("Trip \($0)") }
        try await store.load { load in for events in commits { try await load.append(events) } }
        var plain = PlainPlanner()
        var rest = commits[...]
        try store.log.read { log in
            try log.forEachCommit(after: .start) { commit in
                let events = RecordedCommit(commit).payload?.events ?? []
                guard !events.isEmpty, let proposed = rest.popFirst() else { return true }
                try #require(try plain.plan(proposed, leavingOutUnchanged: false) == events)
                plain.add(events, at: commit.stamp)
                return true
            }
        }
        #expect(rest.isEmpty)
        try await store.expectInvariants()
    }

    @Test("A commit of very many edits of something large is planned in memory for little more than that")
    func manyEditsOfOne() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", notes: String(repeating: "n", count: 1 << 19)))
        let receipt = try await store.append(
            (0..<3_000).map { TripEvent(.edited, trip, [.set(\.name, "Lisbon \($0)")]) })
        #expect(try store.trip(trip)?.name == "Lisbon 2999")
        #expect(receipt.version(of: trip)?.events == 3_001)
        try await store.expectInvariants()
    }
}
