import EventLog
import Events
import Foundation
import ProjectionEngine
import Synchronization

/// The views of the past that were asked for last, within a bound of number and bytes. Who holds one keeps it as long
/// as they like.
final class PastCache: Sendable {
    private struct Entry {
        let horizon: Horizon
        /// How many times the log's stored commits had been changed.
        let rewrites: UInt64
        let views: Task<PastViews, any Error>
        /// How many wait for it to be built.
        var waiting = 1
        /// Nil while it is being built.
        var size: Int?
        /// How far the log was looked through for commits that would belong to it.
        var checked: Position?
    }

    private static let countLimit = 4
    private static let sizeLimit = 1 << 30

    // The one asked for last is the last.
    private let entries = Mutex<[Entry]>([])

    /// The views of a group as of a horizon, in a folder for temporary files.
    func views(
        _ horizon: Horizon, of group: ProjectionGroup, in log: Log,
        _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> PastViews {
        try await views(horizon, in: log) {
            let folder = FileManager.default.temporaryDirectory
            let name = PastViews.folderPrefix + UUID().uuidString
            return try await group.past(horizon, at: folder.appendingPathComponent(name).path, progress)
        }
    }

    /// The views as of a horizon; those who ask for the same at the same time share one build.
    ///
    /// Throws `CancellationError` as soon as the task is cancelled. The build is given up if nobody else waits for it.
    func views(
        _ horizon: Horizon, in log: Log, _ build: @escaping @Sendable () async throws -> PastViews
    ) async throws -> PastViews {
        let rewrites = try log.read { try $0.rewriteCount() }
        let (task, isNew) = entry(horizon, rewrites, build)
        do {
            let views = try await task.valueUnlessCancelled
            // What was built for this call holds for it, whatever a peer's commit says by now.
            if !isNew, try isStale(views, task, log) {
                remove(task)
                return try await self.views(horizon, in: log, build)
            }
            note(views, of: task)
            return views
        } catch let error as CancellationError {
            leave(task)
            throw error
        } catch {
            remove(task)
            throw error
        }
    }

    /// How many wait for the views of a horizon to be built.
    func waiting(for horizon: Horizon) -> Int {
        entries.withLock { $0.first { $0.horizon == horizon }?.waiting ?? 0 }
    }

    private func entry(
        _ horizon: Horizon, _ rewrites: UInt64, _ build: @escaping @Sendable () async throws -> PastViews
    ) -> (Task<PastViews, any Error>, isNew: Bool) {
        entries.withLock { entries in
            // What was erased since must not be shown of the past either.
            entries.removeAll { $0.rewrites != rewrites }
            if let index = entries.firstIndex(where: { $0.horizon == horizon }) {
                var entry = entries.remove(at: index)
                entry.waiting += 1
                entries.append(entry)
                return (entry.views, false)
            }
            let task = Task { try await build() }
            entries.append(Entry(horizon: horizon, rewrites: rewrites, views: task))
            return (task, true)
        }
    }

    private func remove(_ task: Task<PastViews, any Error>) {
        entries.withLock { $0.removeAll { $0.views == task } }
    }

    /// Says that one who waited was cancelled.
    private func leave(_ task: Task<PastViews, any Error>) {
        let isAwaited = entries.withLock { entries in
            // What was taken out of the cache others may wait for, too.
            guard let index = entries.firstIndex(where: { $0.views == task }) else { return true }
            entries[index].waiting -= 1
            // What is built is kept, whoever has lost interest in it.
            if entries[index].waiting > 0 || entries[index].size != nil { return true }
            // Whoever asks from now on gets a build that goes on.
            entries.remove(at: index)
            return false
        }
        if !isAwaited { task.cancel() }
    }

    private func note(_ views: PastViews, of task: Task<PastViews, any Error>) {
        entries.withLock { entries in
            if let index = entries.firstIndex(where: { $0.views == task }) {
                entries[index].waiting -= 1
                if entries[index].size == nil {
                    entries[index].size = views.size
                    entries[index].checked = views.position
                }
            }
            while entries.count > 1,
                entries.count > Self.countLimit || entries.reduce(0, { $0 + ($1.size ?? 0) }) > Self.sizeLimit
            {
                entries.removeFirst()
            }
        }
    }

    /// Whether a commit has come since that was written up to the instant: by a peer, whose log was not here yet.
    private func isStale(_ views: PastViews, _ task: Task<PastViews, any Error>, _ log: Log) throws -> Bool {
        guard case .instant(let instant) = views.horizon else { return false }
        let start = entries.withLock { $0.first { $0.views == task }?.checked } ?? views.position
        var reached = start
        var isStale = false
        try log.read { log in
            try log.forEachCommit(after: start) { commit in
                reached = commit.position
                isStale = commit.header.timestamp <= instant
                return !isStale
            }
        }
        guard !isStale else { return true }
        entries.withLock { entries in
            if let index = entries.firstIndex(where: { $0.views == task }) { entries[index].checked = reached }
        }
        return false
    }
}
