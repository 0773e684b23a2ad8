import EventLog
import Foundation
import ProjectionEngine
import Synchronization

/// The most recently used views of the past, limited in number and size. An owner of one can keep it as long as needed.
final class PastCache: Sendable {
    private struct Entry {
        let horizon: Horizon
        /// The number of rewrites of the log's stored commits.
        let rewrites: UInt64
        let views: Task<PastViews, any Error>
        /// The number of tasks that wait for it to be built.
        var waiting = 1
        /// Nil while it is being built.
        var size: Int?
        /// The position up to which the log was checked for commits that would belong to it.
        var checked: Position?
    }

    private static let countLimit = 4
    private static let sizeLimit = 1 << 30

    // The most recently used one is the last.
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

    /// The views as of a horizon; concurrent requests for the same share one build.
    ///
    /// Throws `CancellationError` as soon as the task is cancelled. The build is cancelled if no other task waits for
    /// it.
    func views(
        _ horizon: Horizon, in log: Log, _ build: @escaping @Sendable () async throws -> PastViews
    ) async throws -> PastViews {
        let rewrites = try log.read { try $0.rewriteCount() }
        let (task, isNew) = entry(horizon, rewrites, build)
        do {
            let views = try await task.valueUnlessCancelled
            // What was built for this call is valid for it, even if a peer's commit arrived meanwhile.
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

    /// The number of tasks that wait for the views of a horizon to be built.
    func waiting(for horizon: Horizon) -> Int {
        entries.withLock { $0.first { $0.horizon == horizon }?.waiting ?? 0 }
    }

    private func entry(
        _ horizon: Horizon, _ rewrites: UInt64, _ build: @escaping @Sendable () async throws -> PastViews
    ) -> (Task<PastViews, any Error>, isNew: Bool) {
        entries.withLock { entries in
            // Past states must not show what was erased since, either.
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

    func removeAll() { entries.withLock { $0 = [] } }

    private func remove(_ task: Task<PastViews, any Error>) {
        entries.withLock { $0.removeAll { $0.views == task } }
    }

    /// Records that a waiting task was cancelled.
    private func leave(_ task: Task<PastViews, any Error>) {
        let isAwaited = entries.withLock { entries in
            // Other tasks may wait for an entry that was removed from the cache, too.
            guard let index = entries.firstIndex(where: { $0.views == task }) else { return true }
            entries[index].waiting -= 1
            // A finished build is kept, even if no task waits for it any more.
            if entries[index].waiting > 0 || entries[index].size != nil { return true }
            // Later requests get a build that continues.
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

    /// Whether a commit that was written before the instant has arrived since: by a peer, whose log was not here yet.
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
