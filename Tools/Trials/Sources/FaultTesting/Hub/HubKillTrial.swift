import Foundation
import HubCarrier
import Synchronization
import TripStore
import TripStoreTestSupport

/// Kills a hub again and again under writing replicas: in the end all hold the same, nothing acknowledged is lost, and
/// nothing is there twice.
public struct HubKillTrial: Sendable {
    public struct Outcome: Sendable {
        public var kills = 0
        /// Trips that were acknowledged to their writers.
        public var written = 0
        /// From the end of the writing until all held the same.
        public var seconds = 0.0
        public var failures: [String] = []
    }

    private let folder: String
    private let kills: Int
    private let count: Int
    private let seed: UInt64

    public init(in folder: String, kills: Int, writers: Int, seed: UInt64) {
        self.folder = folder
        self.kills = kills
        count = writers
        self.seed = seed
    }

    /// Runs it. Throws what prevents running it.
    public func run(progress: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Outcome {
        var outcome = Outcome()
        var random = SeededRandom(seed: seed)
        let place = folder + "/hub"
        var hub = try await BlockingWork.run { try HubProcess(in: place) }
        let members = try await JournalMembers.open(count, in: folder)
        let stores = members.stores
        var options = SyncOptions()
        options.backoff = SyncOptions.Backoff(first: .milliseconds(20), longest: .seconds(1))
        let syncs = stores.map { $0.stayInSync(with: hub.connector, options: options) }
        let writers = WriterProgress()
        let writing = Task {
            try await withThrowingTaskGroup { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        while !writers.isOver {
                            try await store.create(Trip(name: "Trip of \(number)"))
                            writers.wrote()
                            try await Task.sleep(for: .milliseconds(200))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        while outcome.kills < kills {
            try await Task.sleep(for: .milliseconds(Int64(100 + random.next() % 900)))
            hub = try await BlockingWork.run { [hub] in
                hub.kill()
                return try HubProcess(in: place, port: hub.port)
            }
            outcome.kills += 1
            if outcome.kills.isMultiple(of: 10) {
                progress("\(outcome.kills) kills, \(writers.written) trips written")
            }
        }
        writers.end()
        try await writing.value
        outcome.written = writers.written
        let start = ContinuousClock.now
        outcome.failures = try await members.faults(acknowledged: outcome.written)
        outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
        for sync in syncs { await sync.stop() }
        await members.close()
        let code = try await BlockingWork.run { [hub] in hub.end() }
        if code != 0 { outcome.failures.append("The hub ended with the exit code \(code).") }
        return outcome
    }
}

/// What the writers of a trial share.
private final class WriterProgress: Sendable {
    private let state = Mutex((written: 0, isOver: false))

    var written: Int { state.withLock { $0.written } }
    var isOver: Bool { state.withLock { $0.isOver } }

    func wrote() { state.withLock { $0.written += 1 } }
    func end() { state.withLock { $0.isOver = true } }
}

/// Work that blocks, on a thread of its own.
enum BlockingWork {
    static func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try body() }) }.start()
        }
    }
}
