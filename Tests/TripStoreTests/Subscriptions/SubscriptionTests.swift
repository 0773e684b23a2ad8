import Foundation
import Logging
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Subscriptions")
struct SubscriptionTests {
    @Test("Commits come in order, with old and new values, and then as they are made")
    func commits() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        var commits = store.commits().makeAsyncIterator()
        #expect(try await commits.next()?.introducedDevice == "test")
        #expect(try await commits.next()?.events.map(\.verb) == [.created])
        try await store.edit(lisbon) { $0.name = "Porto" }
        let edited = try #require(try await commits.next())
        #expect(edited.events.first?.changes.map(\.old?.text) == ["Lisbon"])
        #expect(edited.events.first?.changes.map(\.new.text) == ["Porto"])
        #expect(edited.position == Position(3))
        try await store.expectInvariants()
    }

    @Test("A subscription continues after what was acknowledged, over several runs, and delivers the rest again")
    func resumes() async throws {
        let folder = TemporaryFolder()
        var told: [Position] = []
        for run in 0..<4 {
            let store = try await TripStore.test(at: folder.url)
            for _ in 0..<3 { try await store.create(Trip(name: "Lisbon")) }
            let subscription =
                try await run == 0 ? store.createSubscription("index", from: .beginning) : store.subscription("index")
            let last = try store.status().position
            for try await commit in subscription {
                told.append(commit.position)
                // The last of each run is not acknowledged: it comes again.
                if commit.position == last { break }
                try await subscription.acknowledge(commit.position)
            }
            #expect(try subscription.acknowledged == last - 1)
            #expect(try store.subscriptions().rows == [SubscriptionStatus(name: "index", position: last - 1)])
            if run == 3 { try await store.expectInvariants() }
            await store.close()
        }
        let expected = [1...4, 4...7, 7...10, 10...13].flatMap { $0.map { Position(UInt64($0)) } }
        #expect(told == expected)
    }

    @Test("A new subscription begins at the start, at the end, or after a position")
    func start() async throws {
        let store = try await TripStore.test()
        for _ in 0..<5 { try await store.create(Trip(name: "Lisbon")) }
        func first(_ name: String, _ start: CommitSubscription.Start) async throws -> Position? {
            var commits = try await store.createSubscription(name, from: start).makeAsyncIterator()
            return try await commits.next()?.position
        }
        #expect(try await first("a", .beginning) == Position(1))
        #expect(try await first("b", .after(Position(4))) == Position(5))
        let subscription = try await store.createSubscription("c", from: .end)
        var commits = subscription.makeAsyncIterator()
        try await store.create(Trip(name: "Porto"))
        #expect(try await commits.next()?.position == Position(7))
        await #expect { _ = try await store.createSubscription("d", from: .after(Position(99))) } throws: {
            ($0 as? TripStoreError)?.code == .unknownPosition
        }
        try await store.expectInvariants()
    }

    @Test("Commits after a position in the future are refused")
    func future() async throws {
        let store = try await TripStore.test()
        var commits = store.commits(after: Position(9)).makeAsyncIterator()
        await #expect { _ = try await commits.next() } throws: { ($0 as? TripStoreError)?.code == .unknownPosition }
        try await store.expectInvariants()
    }

    @Test("An iteration keeps its subscription locked, also when the subscription itself is released")
    func iterationHolds() async throws {
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        var commits: CommitSubscription.AsyncIterator? =
            try await store.createSubscription("index", from: .beginning).makeAsyncIterator()
        #expect(try await commits?.next()?.position == Position(1))
        await #expect(throws: TripStoreError.self) { _ = try await store.subscription("index") }
        commits = nil
        _ = try await store.subscription("index")
        try await store.expectInvariants()
    }

    @Test("A filter that few commits pass finds them behind thousands that do not")
    func rare() async throws {
        let store = try await TripStore.test()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask { for _ in 0..<20 { try await store.create(Trip(name: "Lisbon")) } }
            }
            try await group.waitForAll()
        }
        let porto = try await store.create(Trip(name: "Porto"))
        var commits = store.commits(AuditFilter(under: porto.reference)).makeAsyncIterator()
        #expect(try await commits.next()?.position == store.status().position)
        try await store.expectInvariants()
    }

    @Test("A rebuild of the views delivers nothing again")
    func rebuild() async throws {
        let store = try await TripStore.test()
        let subscription = try await store.createSubscription("index", from: .beginning)
        var commits = subscription.makeAsyncIterator()
        try await store.create(Trip(name: "Lisbon"))
        for expected in 1...2 { #expect(try await commits.next()?.position == Position(UInt64(expected))) }
        try await store.rebuildViews()
        try await store.create(Trip(name: "Porto"))
        #expect(try await commits.next()?.position == Position(3))
        try await store.expectInvariants()
    }

    @Test("Running one handles each commit and acknowledges it; what fails is delivered again")
    func running() async throws {
        struct Failure: Error {}
        let store = try await TripStore.test()
        for _ in 0..<4 { try await store.create(Trip(name: "Lisbon")) }
        var told: [Position] = []
        let subscription = try await store.createSubscription("mail", from: .beginning)
        for _ in 0..<2 {
            await #expect(throws: Failure.self) {
                try await subscription.run { commit in
                    told.append(commit.position)
                    if commit.position == Position(3) { throw Failure() }
                }
            }
        }
        #expect(told == [1, 2, 3, 3].map { Position($0) })
        #expect(try subscription.acknowledged == Position(2))
        try await store.expectInvariants()
    }

    @Test("A filter leaves out commits, which are not delivered later either")
    func filter() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let subscription = try await store.createSubscription(
            "porto", from: .beginning, AuditFilter(under: porto.reference))
        var commits = subscription.makeAsyncIterator()
        #expect(try await commits.next()?.position == Position(3))
        try await store.edit(lisbon) { $0.notes = "no" }
        try await store.edit(porto) { $0.notes = "yes" }
        #expect(try await commits.next()?.position == Position(5))
        try await store.expectInvariants()
    }

    @Test("What counts no longer, or again, is not delivered again: the commit that says so is")
    func countingLater() async throws {
        let store = try await TripStore.founded()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let edited = try await store.edit(trip) { $0.name = "Porto" }
        let subscription = try await store.createSubscription("index", from: .after(edited.position - 1))
        var commits = subscription.makeAsyncIterator()
        let first = try #require(try await commits.next())
        #expect(first.position == edited.position && first.counts && first.statements.isEmpty)
        for (number, isVoid) in [(1, true), (2, false)] {
            try await store.void(edited.position, isVoid: isVoid)
            let told = try #require(try await commits.next())
            #expect(told.position == edited.position + number && told.events.isEmpty)
            #expect(told.statements.count == 1)
            #expect(try store.commit(at: edited.position)?.counts == !isVoid)
        }
        // A subscriber sees that the commit does not count.
        try await store.void(edited.position)
        var late = store.commits(after: edited.position - 1).makeAsyncIterator()
        let uncounted = try #require(try await late.next())
        #expect(uncounted.position == edited.position && !uncounted.counts && !uncounted.events.isEmpty)
        try await store.expectInvariants()
    }

    @Test("One name runs once at a time")
    func exclusive() async throws {
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        var first: CommitSubscription? = try await store.createSubscription("index", from: .beginning)
        await #expect { _ = try await store.subscription("index") } throws: {
            ($0 as? TripStoreError)?.code == .subscriptionUnusable && "\($0)".contains("running")
        }
        await #expect(throws: TripStoreError.self) { try await store.removeSubscription("index") }
        _ = try await store.createSubscription("other", from: .end)
        #expect(try first?.acknowledged == .start)
        first = nil
        try await store.moveSubscription("index", to: .after(Position(1)))
        #expect(try await store.subscription("index").acknowledged == Position(1))
        try await store.removeSubscription("index")
        #expect(try store.subscriptions().map(\.name) == ["other"])
        try await store.expectInvariants()
    }

    @Test("A cursor of another log, as after a restored copy, is refused until the app decides")
    func otherLog() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        try await store.create(Trip(name: "Lisbon"))
        _ = try await store.createSubscription("index", from: .end)
        try store.log.setNote("subscription/lost", UInt64(2).bigEndianBytes + [UInt8](repeating: 7, count: 32))
        await #expect { _ = try await store.subscription("lost") } throws: {
            ($0 as? TripStoreError)?.code == .subscriptionOfOtherLog && "\($0)".contains("another log")
                && "\($0)".contains("ends at position 2, and has 'index' at position 2")
                && "\($0)".contains("createSubscription")
        }
        #expect(try await store.createSubscription("lost", from: .end).acknowledged == Position(2))
        try store.log.setNote("subscription/lost", UInt64(9).bigEndianBytes + [UInt8](repeating: 7, count: 32))
        try await store.moveSubscription("lost", to: .beginning)
        #expect(try await store.subscription("lost").acknowledged == .start)
        try await store.expectInvariants()
    }

    @Test("An unknown subscription is refused and nothing of it is kept, and creating one does not replace another")
    func unknown() async throws {
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        for known in ["there is no other subscription", "has 'mail' at position 2"] {
            await #expect { _ = try await store.subscription("index") } throws: {
                ($0 as? TripStoreError)?.code == .unknownSubscription && "\($0)".contains("'index'")
                    && "\($0)".contains("ends at position 2, and \(known)") && "\($0)".contains("createSubscription")
            }
            if try store.subscriptions().isEmpty { _ = try await store.createSubscription("mail", from: .end) }
        }
        try await store.create(Trip(name: "Porto"))
        await #expect { _ = try await store.createSubscription("mail", from: .beginning) } throws: {
            ($0 as? TripStoreError)?.code == .alreadyExists && "\($0)".contains("position 2")
        }
        #expect(try store.subscriptions().map(\.position) == [Position(2)])
        try await store.expectInvariants()
    }

    @Test("Names are short and not empty, and a store that is read keeps no subscription")
    func refusals() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        try await store.create(Trip(name: "Lisbon"))
        for name in ["", String(repeating: "x", count: 101)] {
            await #expect(throws: TripStoreError.self) { _ = try await store.subscription(name) }
        }
        _ = try await store.createSubscription("any/thing ✈︎ goes", from: .end)
        let reader = try await TripStore.open(at: folder.url, options: .readOnly)
        await #expect { _ = try await reader.subscription("index") } throws: {
            ($0 as? TripStoreError)?.code == .readOnly
        }
        try await store.expectInvariants()
    }

    @Test("Acknowledging goes forwards alone, and not beyond the log")
    func acknowledging() async throws {
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        let subscription = try await store.createSubscription("index", from: .beginning)
        try await subscription.acknowledge(Position(2))
        try await subscription.acknowledge(Position(1))
        #expect(try subscription.acknowledged == Position(2))
        await #expect(throws: TripStoreError.self) { try await subscription.acknowledge(Position(3)) }
        try await store.expectInvariants()
    }
}
