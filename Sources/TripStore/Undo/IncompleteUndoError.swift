/// An undo or redo of several commits was stopped after some: what was done, what remains, and why.
///
/// The reverted part stays. Repeat the call to do the rest; undo the receipts of the report to revert what was done.
public struct IncompleteUndoError: Error, Sendable, CustomStringConvertible {
    /// The changes that were reverted, with the receipts of their commits; there is at least one.
    public let report: UndoReport
    /// The changes that remain to be reverted. If the cause says that its outcome is unknown, the first of them may be reverted.
    public let remaining: [UndoneChange]
    /// The error that stopped it, unchanged: a `CancellationError` if the task was cancelled.
    public let cause: any Error

    public var description: String {
        let done = report.receipts.map { "\($0.position)" }.joined(separator: ", ")
        let all = report.changes.count + remaining.count
        return "\(report.changes.count) of \(all) changes were put back, at position \(done). "
            + "Undo or redo the same once more for the rest. It was stopped by this: \(cause)"
    }
}
