import EventLog
import LMDB
import Synchronization

/// A weak reference to the group, for objects that must not keep it alive.
final class WeakGroup: Sendable {
    private struct Box { weak var group: ProjectionGroup? }
    private let box = Mutex(Box())

    var value: ProjectionGroup? {
        get { box.withLock { $0.group } }
        set { box.withLock { $0.group = newValue } }
    }
}

/// Detects what other processes did to the log and to the views, from the transaction numbers in the maps.
final class OtherProcesses: Sendable {
    private struct Seen: Equatable {
        var log = -1
        var generation: String?
        var views = -1
    }

    private let log: Log
    private let slot: GenerationSlot
    private let applied = Atomic<Int>(-1)
    private let seen = Mutex(Seen())
    private let looked = Atomic<Int>(-1)

    init(_ log: Log, _ slot: GenerationSlot) {
        self.log = log
        self.slot = slot
    }

    /// Whether log or views were written since the last call.
    var hasMoved: Bool {
        let serving = slot.serving
        let now = Seen(
            log: (try? log.changeCount()) ?? -1, generation: serving?.folder.path,
            views: (try? serving?.environment.lastTransaction()) ?? -1)
        return seen.withLock { seen in
            defer { seen = now }
            return seen != now
        }
    }

    /// Whether a log whose views this process keeps was written since they were updated: by another process, or by this
    /// one a moment ago.
    var mayHaveWritten: Bool {
        guard log.keepsViews, let count = try? log.changeCount(), applied.load(ordering: .acquiring) != count else {
            return false
        }
        return looked.exchange(count, ordering: .acquiringAndReleasing) != count
    }

    /// Records that the views show the log's state at a change count.
    func noteApplied(upTo count: Int?) {
        guard let count else { return }
        applied.store(count, ordering: .releasing)
    }

    /// Whether a log whose views this process keeps has commits that they lack, or has changed those that they show.
    var isBeyondViews: Bool {
        guard log.keepsViews, let count = try? log.changeCount(), applied.load(ordering: .acquiring) != count,
            let isBeyond = try? isLogBeyondViews()
        else { return false }
        // Recorded only once there is nothing left to do: a writer may be between the log and the views.
        if !isBeyond { applied.store(count, ordering: .releasing) }
        return isBeyond
    }

    private func isLogBeyondViews() throws -> Bool {
        try log.read { log in
            let checkpoint = try slot.read(beside: log) { $0.checkpoint }
            return try checkpoint.position < log.lastPosition() || checkpoint.isOutdated(by: log)
        }
    }
}
