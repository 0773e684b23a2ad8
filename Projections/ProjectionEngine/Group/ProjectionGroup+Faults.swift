import EventLog
import Platform
import Synchronization

/// The group's fault, kept here and beside the log.
extension ProjectionGroup {
    /// A fault is recorded beside the log, so that programs without the group's projections can show it.
    func report(_ error: any Error) {
        let fault = GroupFault(error, delay, at: now)
        guard slot.fault != fault else { return }
        slot.report(fault)
        // A read-only opener keeps it to itself.
        guard !log.isReadOnly else { return }
        hasNote.store(true, ordering: .releasing)
        try? log.setViewNote(GroupFault.note(configuration.name), fault.encoded())
    }

    /// The failure of the last rebuild, while it is too early for another.
    var recentFailure: (any Error)? {
        delay.note(room: Folder.room(log.path))
        return delay.error(at: now)
    }

    /// Clears the fault that stopped the group.
    func resume() {
        isStopped = false
        clear()
    }

    func clear() {
        delay.reset()
        slot.clearFault()
        guard log.keepsViews, hasNote.load(ordering: .acquiring) else { return }
        try? log.setViewNote(GroupFault.note(configuration.name), nil)
        hasNote.store(false, ordering: .releasing)
    }

    /// Whether there is a fault: here, or beside the log.
    nonisolated var isFaultKnown: Bool { slot.fault != nil || hasNote.load(ordering: .acquiring) }
}
