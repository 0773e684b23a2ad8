extension CommitInfo {
    /// A commit's part in undoing.
    public enum Undoing: String, Sendable, Hashable {
        /// The commit puts back what another changed.
        case undo
        /// The commit does again what an undoing put back.
        case redo
    }

    /// Whether the commit undoes another, or does again what was undone; nil for all others.
    public var undoing: Undoing? { UndoMark(causation).flatMap { Undoing(rawValue: $0.action.rawValue) } }
}
