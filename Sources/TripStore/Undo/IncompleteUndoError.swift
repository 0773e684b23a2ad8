/// An undoing of several commits, or a redo of them, was stopped after some: what it did by then, what it did not, and why.
///
/// What was put back stays so. The same call once more does the rest; undoing the receipts of the report takes back what was
/// done.
public struct IncompleteUndoError: Error, Sendable, CustomStringConvertible {
    /// What was put back, with the receipts of its commits; there is at least one.
    public let report: UndoReport
    /// What was still to be put back. If the cause says that its outcome is not known, the first of it may be.
    public let remaining: [UndoneChange]
    /// What stopped it, as it was thrown: a `CancellationError` if the task was cancelled.
    public let cause: any Error

    public var description: String {
        let done = report.receipts.map { "\($0.position)" }.joined(separator: ", ")
        let all = report.changes.count + remaining.count
        return "\(report.changes.count) of \(all) changes were put back, at position \(done). "
            + "Undo or redo the same once more for the rest. It was stopped by this: \(cause)"
    }
}
