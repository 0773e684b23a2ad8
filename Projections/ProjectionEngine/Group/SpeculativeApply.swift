import EventLog
import Foundation
import Synchronization

/// Speculative apply: updates views with commits while those are being synced, on a thread of its own. The rows are
/// computed and written by the time the medium has the commits, and are committed then.
///
/// `@unchecked Sendable`: `state` is touched with `condition` locked; `verdict` is atomic; everything else is
/// immutable.
final class SpeculativeApply: CommitStep, @unchecked Sendable {
    /// Whether the commits are durable, as far as known.
    private enum Verdict: UInt8, AtomicRepresentable {
        case unknown, durable, failed
    }

    private struct State {
        var next: (@Sendable () -> Void)?
        var isOver = false
        var isApplied = false
    }

    /// How long to wait for the sync. Other threads of this process may meanwhile wait for the views, with a snapshot
    /// of the log open; and the log may wait for them if its map must grow.
    static let patience = 1.0

    /// Set with `condition` locked.
    private let verdict = Atomic(Verdict.unknown)
    private let condition = NSCondition()
    private var state = State()
    private let patience: Double

    /// Begins. `apply` computes the rows, asks whether the commits are durable, which blocks, and returns whether it
    /// has committed. `told` is called after the appenders were resumed.
    init(
        on worker: WorkerThread, patience: Double = SpeculativeApply.patience,
        _ apply: @escaping @Sendable (_ isDurable: () -> Bool) -> Bool,
        told: @escaping @Sendable () -> Void
    ) {
        self.patience = patience
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
        let end = Date() + patience
        condition.lock()
        defer { condition.unlock() }
        while true {
            let verdict = verdict.load(ordering: .acquiring)
            if verdict != .unknown { return verdict == .durable }
            guard condition.wait(until: end) else { return false }
        }
    }

    func conclude(isDurable: Bool, _ next: @escaping @Sendable () -> Void) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        state.next = next
        verdict.store(isDurable ? .durable : .failed, ordering: .releasing)
        condition.broadcast()
        while !state.isOver { condition.wait() }
        return state.isApplied
    }
}
