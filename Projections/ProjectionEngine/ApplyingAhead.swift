import EventLog
import Foundation

/// Brings views up to date with commits while those are being synced, on a thread of its own: the rows are worked out and
/// written by the time the medium has the commits, and are committed then.
///
/// `@unchecked Sendable`: `state` is touched with `condition` locked; everything else is immutable.
final class ApplyingAhead: CommitStep, @unchecked Sendable {
    private struct State {
        var isDurable: Bool?
        var next: (@Sendable () -> Void)?
        var isOver = false
        var isApplied = false
    }

    /// How long to wait for the sync. Others of this process may wait for the views meanwhile, with a snapshot of the log
    /// open; and the log may wait for them if its map must grow.
    private static let patience = 1.0

    private let condition = NSCondition()
    private var state = State()

    /// Begins. `apply` works out the rows, asks whether the commits are durable, which waits, and answers whether it has
    /// committed. `told` is called after those who appended know.
    init(
        on worker: WorkerThread, _ apply: @escaping @Sendable (_ isDurable: () -> Bool) -> Bool,
        told: @escaping @Sendable () -> Void
    ) {
        worker.perform { self.run(apply, told) }
    }

    private func run(_ apply: (_ isDurable: () -> Bool) -> Bool, _ told: () -> Void) {
        let isApplied = apply { self.waitForVerdict() }
        condition.lock()
        let next = state.next
        state.next = nil
        condition.unlock()
        if isApplied {
            next?()
            told()
        }
        condition.lock()
        state.isApplied = isApplied
        state.isOver = true
        condition.broadcast()
        condition.unlock()
    }

    private func waitForVerdict() -> Bool {
        let end = Date() + Self.patience
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let isDurable = state.isDurable { return isDurable }
            guard condition.wait(until: end) else { return false }
        }
    }

    func conclude(isDurable: Bool, _ next: @escaping @Sendable () -> Void) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        state.next = next
        state.isDurable = isDurable
        condition.broadcast()
        while !state.isOver { condition.wait() }
        return state.isApplied
    }
}
