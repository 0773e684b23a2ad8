import Foundation
import StoreSupport
import Synchronization
import Testing

@testable import EventLog
@testable import ProjectionEngine
@testable import TripStore

@Suite("Builds of views whose task is cancelled")
struct CancelledBuildTests {
    static let stages: [BuildProgress.Stage] = [.reading, .folding, .loading]

    private func filled(at folder: URL? = nil) async throws -> TripStore {
        let store = try await TripStore.test(at: folder)
        var samples = SampleTrips()
        try await samples.write(20, to: store)
        return store
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test(
        "A rebuild is given up at every stage: the serving views stay, and nothing of the others is left",
        arguments: CancelledBuildTests.stages)
    func rebuild(stage: BuildProgress.Stage) async throws {
        let folder = TemporaryFolder()
        let store = try await filled(at: folder.url)
        let (status, views) = (try store.status(digests: true).views, folder.url.path + "/views")
        let before = try names(views)
        let outcome = await cancelled { cancel in
            try await store.rebuildViews { if $0.stage == stage { cancel() } }
        }
        #expect(outcome.isCancelled)
        #expect(try store.status(digests: true).views == status)
        #expect(try names(views) == before)
        #expect(try await store.replayViews().views.map(\.digest) == status.map(\.digest))
        try await store.expectInvariants()
    }

    @Test("So is a build of some views, which takes over the others")
    func rebuildOfSome() async throws {
        let store = try await filled()
        let outcome = await cancelled { cancel in
            try await store.rebuildViews(["trips-by-start"]) { _ in cancel() }
        }
        #expect(outcome.isCancelled)
        try await store.expectInvariants()
    }

    @Test(
        "Views that are built apart leave the folder as it was", arguments: CancelledBuildTests.stages, [true, false])
    func apart(stage: BuildProgress.Stage, isThere: Bool) async throws {
        let store = try await filled()
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let target = isThere ? folder.url : folder.url.appendingPathComponent("views")
        let outcome = await cancelled { cancel in
            try await store.buildViews(into: target) { if $0.stage == stage { cancel() } }
        }
        #expect(outcome.isCancelled)
        #expect(try names(folder.url.path).isEmpty)
        let compared = await cancelled { cancel in
            try await store.verifyViews { if $0.stage == stage { cancel() } }
        }
        #expect(compared.isCancelled)
        #expect(try await store.buildViews(into: target).views.allSatisfy { $0.matches == true })
        try await store.expectInvariants()
    }

    @Test("A job that is cancelled before its turn comes does not run")
    func queued() async throws {
        let worker = WorkerThread(name: "test")
        let hasRun = Mutex(false)
        let outcome = await cancelled { cancel in
            cancel()
            try await worker.run(cancellable: { _ in hasRun.withLock { $0 = true } })
        }
        #expect(outcome.isCancelled && !hasRun.withLock { $0 })
    }

    @Test(
        "Opening that waits for views is given up, and so is their build; the next opening has them",
        arguments: CancelledBuildTests.stages)
    func opening(stage: BuildProgress.Stage) async throws {
        let folder = TemporaryFolder()
        await (try await filled(at: folder.url)).close()
        try FileManager.default.removeItem(atPath: folder.url.path + "/views")
        let outcome = await cancelled { cancel in
            var options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
            options.progress = { if $0.stage == stage { cancel() } }
            return try await TripStore.open(at: folder.url, options: options)
        }
        #expect(outcome.isCancelled)
        let store = try await TripStore.test(at: folder.url)
        #expect(try store.status().trips == 20)
        try await store.expectInvariants()
    }

    // MARK: Time travel

    @Test(
        "A look at the past is given up at every stage, leaves no folder, and succeeds when it is asked for again",
        arguments: CancelledBuildTests.stages)
    func past(stage: BuildProgress.Stage) async throws {
        let store = try await filled()
        let position = try store.status().position - 1
        let outcome = await cancelled { cancel in
            try await store.asOf(.position(position)) { if $0.stage == stage { cancel() } }
        }
        #expect(outcome.isCancelled)
        #expect(try await store.asOf(position).position == position)
        let path = TemporaryFolder().url.appendingPathComponent("past").path
        let built = await cancelled { cancel in
            try await store.views.past(.position(position), at: path) { if $0.stage == stage { cancel() } }
        }
        #expect(built.isCancelled && !FileManager.default.fileExists(atPath: path))
        try await store.expectInvariants()
    }

    @Test("One who gives up does not end a build that another waits for; the last one does")
    func shared() async throws {
        let store = try await filled()
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let builds = Mutex(0)
        let horizon = Horizon.position(Position(3))
        let cache = PastCache()
        let build: @Sendable () async throws -> PastViews = {
            builds.withLock { $0 += 1 }
            for await _ in gate { break }
            try Task.checkCancellation()
            let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
            return try await store.views.past(horizon, at: path) { _ in }
        }
        let first = Task { try await cache.views(horizon, in: store.log, build) }
        while builds.withLock({ $0 }) == 0 { await Task.yield() }
        let second = Task { try await cache.views(horizon, in: store.log, build) }
        while cache.waiting(for: horizon) < 2 { await Task.yield() }
        first.cancel()
        // It does not wait for the build.
        #expect(await first.result.isCancelled)
        opener.yield()
        #expect(try await second.value.position == Position(3))
        #expect(builds.withLock { $0 } == 1)

        let other = Horizon.position(Position(4))
        let alone = Task { try await cache.views(other, in: store.log, build) }
        while builds.withLock({ $0 }) == 1 { await Task.yield() }
        alone.cancel()
        #expect(await alone.result.isCancelled)
        #expect(cache.waiting(for: other) == 0)
        opener.finish()
        try await store.expectInvariants()
    }
}
