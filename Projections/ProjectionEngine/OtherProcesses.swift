import EventLog
import LMDB
import Synchronization

/// The group, for those who must not keep it alive.
final class WeakGroup: Sendable {
    private struct Box { weak var group: ProjectionGroup? }
    private let box = Mutex(Box())

    var value: ProjectionGroup? {
        get { box.withLock { $0.group } }
        set { box.withLock { $0.group = newValue } }
    }
}

/// What other processes did to the log and to the views, as a look at numbers in the maps tells.
final class OtherProcesses: Sendable {
    private struct Seen: Equatable {
        var log = -1
        var generation: String?
        var views = -1
    }

    private let log: Log
    private let slot: GenerationSlot
    private let applied = Mutex(-1)
    private let seen = Mutex(Seen())

    init(_ log: Log, _ slot: GenerationSlot) {
        self.log = log
        self.slot = slot
    }

    /// Whether log or views were written since this was asked last.
    var hasMoved: Bool {
        let serving = slot.serving
        let now = Seen(
            log: (try? log.changeCount()) ?? -1, generation: serving?.folder.path,
            views: (try? serving?.environment.information().lastTransaction) ?? -1)
        return seen.withLock { seen in
            defer { seen = now }
            return seen != now
        }
    }

    /// Whether a writable store's log has commits that its views lack.
    var isBeyondViews: Bool {
        guard !log.isReadOnly, let count = try? log.changeCount(), applied.withLock({ $0 != count }),
            let end = try? log.read({ try $0.lastPosition() }), let position = try? slot.read({ $0.position })
        else { return false }
        // Noted only once there is nothing left to do: a writer may be between the log and the views.
        if position >= end { applied.withLock { $0 = count } }
        return position < end
    }
}
