import EventLog
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

/// Whether the log of a writable store has commits that its views lack.
final class LogReach: Sendable {
    private let log: Log
    private let slot: GenerationSlot
    private let seen = Mutex(-1)
    private let looked = Mutex(-1)

    init(_ log: Log, _ slot: GenerationSlot) {
        self.log = log
        self.slot = slot
    }

    /// Whether any process has written to the log since this was asked last.
    var hasMoved: Bool {
        guard let count = try? log.changeCount() else { return false }
        return looked.withLock { looked in
            defer { looked = count }
            return looked != count
        }
    }

    var isBeyondViews: Bool {
        guard !log.isReadOnly, let count = try? log.changeCount(), seen.withLock({ $0 != count }),
            let end = try? log.read({ try $0.lastPosition() }), let position = try? slot.read({ $0.position })
        else { return false }
        // Noted only once there is nothing left to do: a writer may be between the log and the views.
        if position >= end { seen.withLock { $0 = count } }
        return position < end
    }
}
