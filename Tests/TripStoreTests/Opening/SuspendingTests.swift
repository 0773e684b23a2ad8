import Foundation
import LogExchange
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Suspended stores", .timeLimit(.minutes(10)))
struct SuspendingTests {
    /// No test waits so long.
    private static var later: ContinuousClock.Instant { .now + .seconds(3600) }

    /// The code of the error with which a task that goes on until then ends.
    private func code(of task: Task<Void, any Error>) async -> TripStoreError.Code? {
        if case .failure(let error) = await task.result { (error as? TripStoreError)?.code } else { nil }
    }

    @Test(
        "With live queries, a subscription, writes, a rebuild, exchanges and a session under way, a store that is suspended holds nothing",
        .enabled(if: HeldByProcess.isShown))
    func holdsNothing() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let tablet = try await SyncFixture.device(of: phone, .write, seed: 3)
        let syncs = [hub.sync(phone), hub.sync(laptop)]
        for sync in syncs { await sync.connected() }
        var live = phone.live { try $0.tripCount() }.makeAsyncIterator()
        #expect(try await live.next() == 1)
        let subscription = try await phone.createSubscription("mail", from: .beginning)
        var commits = subscription.makeAsyncIterator()
        #expect(try await commits.next()?.position == Position(1))
        let (written, rebuilt, exchanged) = (Tally(), Tally(), Tally())
        let tasks: [Task<Void, any Error>] = [
            Task {
                while true {
                    try await phone.create(Trip(name: "Porto"))
                    written.increase()
                }
            },
            Task {
                while true {
                    try await phone.rebuildViews()
                    rebuilt.increase()
                }
            },
            Task {
                while true {
                    try await phone.exchange(with: .store(tablet))
                    exchanged.increase()
                }
            },
        ]
        try await eventually { written.value > 2 && rebuilt.value > 0 && exchanged.value > 0 }
        let folder = phone.folder.path
        let before = try HeldByProcess(in: folder)
        let isRunning = before.locked.contains { $0.hasPrefix("subscriptions/") }
        #expect(isRunning && before.readers > 0 && before.presences > 1, "\(before)")

        try await phone.suspend(by: Self.later)
        #expect(try HeldByProcess(in: folder) == .nothing)
        for task in tasks { #expect(await code(of: task) == .suspended) }
        try await phone.suspend(by: Self.later)
        let uses: [() async throws -> Void] = [
            { _ = try phone.trips(.undated) }, { try await phone.create(Trip(name: "Faro")) },
            { _ = try phone.status() },
            { try await phone.rebuildViews() }, { try await phone.exchange(with: .store(laptop)) },
            { try await subscription.acknowledge(Position(1)) },
            { _ = try await phone.createSubscription("other", from: .end) },
            { try await phone.catchUp() }, { _ = try await phone.verifyViews() },
        ]
        for (number, use) in uses.enumerated() {
            let error = await #expect(throws: TripStoreError.self, "use \(number)") { try await use() }
            #expect(error?.code == .suspended, "use \(number): \(String(describing: error))")
        }
        #expect(try HeldByProcess(in: folder) == .nothing)

        try await phone.resume()
        let count = written.value + 1
        var shown = try await live.next()
        while shown != count { shown = try await live.next() }
        #expect(try await commits.next()?.position == Position(2))
        try await subscription.acknowledge(Position(2))
        #expect(try phone.tripCount() == count)
        try await phone.exchange(with: .store(tablet))
        try await expectEqual([phone, laptop, tablet])
        for sync in syncs {
            await sync.connected()
            await sync.stop()
        }
    }

    @Test("A sync that waits for its next try connects as soon as the store is resumed")
    func sync() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        var options = SyncFixture.options()
        options.backoff = SyncOptions.Backoff(first: .seconds(3600), longest: .seconds(3600))
        let syncs = [phone.stayInSync(with: hub.network, options: options), hub.sync(laptop)]
        for sync in syncs { await sync.connected() }
        try await phone.suspend(by: Self.later)
        hub.network.cutAll()
        await syncs[0].reach { if case .offline = $0 { true } else { false } }
        try await laptop.create(Trip(name: "Written meanwhile"))
        try await phone.resume()
        try await expectEqual([phone, laptop])
        for sync in syncs { await sync.stop() }
    }

    @Test("A subscription whose consumer asks for commits while the store is suspended goes on when it is resumed")
    func subscription() async throws {
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        let subscription = try await store.createSubscription("mail", from: .beginning)
        var commits = subscription.iterator()
        while try commits.current() != nil {}
        try await store.suspend(by: Self.later)
        // Not that another runs it.
        #expect(try commits.current()?.position == nil)
        try await store.resume()
        try await store.create(Trip(name: "Porto"))
        #expect(try commits.current()?.position != nil)
        try await store.expectInvariants()
    }

    @Test("A subscription that runs while the store is suspended goes on by itself, and each commit comes once")
    func running() async throws {
        let store = try await TripStore.test()
        for name in ["Lisbon", "Porto", "Faro"] { try await store.create(Trip(name: name)) }
        let last = try store.status().position
        let subscription = try await store.createSubscription("mail", from: .beginning)
        let (arrivals, mayGoOn) = (AsyncStream<Position>.makeStream(), AsyncStream<Void>.makeStream())
        let run = Task {
            try await subscription.run { commit in
                arrivals.continuation.yield(commit.position)
                guard commit.position == Position(2) else { return }
                for await _ in mayGoOn.stream { break }
            }
        }
        var told = arrivals.stream.makeAsyncIterator()
        #expect(await told.next() == Position(1))
        #expect(await told.next() == Position(2))
        try await store.suspend(by: Self.later)
        // Its acknowledgement is refused from now on, before the store is resumed or after.
        mayGoOn.continuation.yield()
        try await store.resume()
        var position = Position(2)
        while position < last, let next = await told.next() {
            #expect(next == position.next)
            position = next
        }
        try await eventually { try subscription.acknowledged == last }
        run.cancel()
        _ = await run.result
        try await store.expectInvariants()
    }

    @Test("A consumer of commits gets an error if the store is closed while it is suspended")
    func closedMeanwhile() async throws {
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        let subscription = try await store.createSubscription("mail", from: .end)
        let commits = Task { for try await _ in store.commits(after: Position(2)) {} }
        let running = Task { try await subscription.run { _ in } }
        try await store.suspend(by: Self.later)
        await store.close()
        for task in [commits, running] { #expect(await code(of: task) == .closed) }
    }

    @Test("What another process writes meanwhile is there when the store is resumed, also if that process was killed")
    func otherWriter() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        try await store.create(Trip(name: "Lisbon"))
        var live = store.live { try $0.tripCount() }.makeAsyncIterator()
        #expect(try await live.next() == 1)
        try await store.suspend(by: Self.later)
        let written = try KilledProcess.run([folder.url.path], lines: 5)
        try await store.resume()
        let count = try #require(try await live.next())
        #expect(count >= 6)
        let ids = written.compactMap { Trip.ID($0) }
        #expect(ids.count >= 5)
        for id in ids { #expect(try store.trip(id) != nil) }
        try await store.create(Trip(name: "Porto"))
        #expect(try await live.next() == count + 1)
        try await store.expectInvariants()
    }

    @Test("A process that is killed while its store is suspended loses nothing, and others use the store meanwhile")
    func killed() async throws {
        let folder = TemporaryFolder()
        let process = try RunningProcess(["suspend", folder.url.path])
        try process.wait(forLines: 1)
        let store = try await TripStore.test(at: folder.url)
        // Its views were closed, and are served as they are.
        #expect(try store.tripCount() == 5 && store.rebuilt.isEmpty)
        try await store.create(Trip(name: "Written beside it"))
        try await store.suspend(by: Self.later)
        process.kill()
        try await store.resume()
        #expect(try store.tripCount() == 6)
        try await store.expectInvariants()
    }

    @Test("A widget's store for reading follows the app's, and shows everything while that is suspended or closed")
    func widget() async throws {
        let folder = TemporaryFolder()
        let app = try await TripStore.test(at: folder.url)
        try await app.create(Trip(name: "Lisbon"))
        try await app.suspend(by: Self.later)
        let widget = try RunningProcess(["read", folder.url.path])
        try widget.wait(forLines: 1)
        try await app.resume()
        try await app.create(Trip(name: "Porto"))
        try widget.wait(forLines: 2)
        #expect(widget.lines() == ["1", "2"])
        try await app.suspend(by: Self.later)
        try await app.resume()
        try await app.create(Trip(name: "Faro"))
        await app.close()
        try widget.wait(forLines: 3)
        widget.kill()
        let later = try RunningProcess(["read", folder.url.path])
        try later.wait(forLines: 1)
        #expect(later.lines() == ["3"])
        later.kill()
        let again = try await TripStore.test(at: folder.url)
        #expect(try again.tripCount() == 3)
        try await again.expectInvariants()
    }

    @Test("A deadline that has passed, or that a read does not meet, is refused, and everything goes on")
    func deadline() async throws {
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        let passed = await #expect(throws: TripStoreError.self) { try await store.suspend(by: .now - .seconds(1)) }
        #expect(passed?.code == .timedOut)
        let (inside, isOver) = (Gate(), Gate())
        Thread.detachNewThread {
            try? store.read { _ in
                inside.open()
                isOver.wait()
            }
        }
        inside.wait()
        let late = await #expect(throws: TripStoreError.self) { try await store.suspend(by: .now + .milliseconds(50)) }
        #expect(late?.code == .timedOut)
        #expect(try store.tripCount() == 1)
        isOver.open()
        try await store.create(Trip(name: "Porto"))
        try await store.suspend(by: Self.later)
        try await store.resume()
        #expect(try store.tripCount() == 2)
        try await store.expectInvariants()
    }

    @Test(
        "A store that is closed while it is suspended stays closed, and two handles of one store are suspended together"
    )
    func handles() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        let second = try await TripStore.test(at: folder.url)
        try await store.create(Trip(name: "Lisbon"))
        #expect(try second.tripCount() == 1)
        try await store.suspend(by: Self.later)
        let error = #expect(throws: TripStoreError.self) { try second.tripCount() }
        #expect(error?.code == .suspended)
        try await store.resume()
        #expect(try second.tripCount() == 1)
        try await second.create(Trip(name: "Porto"))
        #expect(try store.tripCount() == 2)
        try await second.suspend(by: Self.later)
        await second.close()
        let closed = await #expect(throws: TripStoreError.self) { try await second.resume() }
        #expect(closed?.code == .closed)
        try await store.resume()
        #expect(try store.tripCount() == 2)
        try await store.create(Trip(name: "Faro"))
        #expect(try store.tripCount() == 3)
        try await store.expectInvariants()
    }
}

/// Lets threads wait for each other.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    func wait() { semaphore.wait() }
}

extension TripStore {
    fileprivate func tripCount() throws -> Int { try read { try $0.tripCount() } }
}
