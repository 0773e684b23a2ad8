#if canImport(Darwin)
    public import Foundation
#endif

/// A place to register undo and redo: Foundation's `UndoManager`, where the platform has it, or something of an app's own that
/// keeps two stacks likewise.
@MainActor
public protocol UndoRegistering: AnyObject {
    /// Registers an action of that name for the next undo; during an undo, for the next redo.
    func registerUndo(named name: String, _ action: @escaping @MainActor () -> Void)
}

#if canImport(Darwin)
    extension UndoManager: UndoRegistering {
        public func registerUndo(named name: String, _ action: @escaping @MainActor () -> Void) {
            // The manager calls it where `undo()` is called, which is the main actor as well.
            registerUndo(withTarget: self) { _ in MainActor.assumeIsolated { action() } }
            setActionName(name)
        }
    }
#endif

extension TripStore {
    /// Lets people undo and redo a write where an app's other actions are undone, as by a menu or a shake.
    ///
    /// ```swift
    /// let receipt = try await store.edit(lisbon) { $0.name = "Porto" }
    /// store.register(receipt, as: "Rename", with: undoManager)
    /// ```
    ///
    /// Undo and redo of the manager return at once. The writes follow each other in the order in which they were asked for. Each undoes the
    /// commits of the step before it, so what others have written since stays. `outcome` gets the report of each, or what `undo(_:by:)`
    /// throws. A redo of what was not undone writes nothing, and calls nothing.
    ///
    /// - Parameters:
    ///   - receipt: that of any write. One that changed nothing registers nothing.
    ///   - name: of the action, for people.
    ///   - manager: is not retained.
    ///   - authorship: of the commits that undo and redo write.
    ///   - outcome: is called with the result of each.
    @MainActor
    public func register(
        _ receipt: Receipt, as name: String, with manager: any UndoRegistering,
        by authorship: Authorship = Authorship(),
        outcome: @escaping @MainActor (Result<UndoReport, any Error>) -> Void = { _ in }
    ) {
        guard !receipt.isUnchanged else { return }
        let steps = UndoSteps(self, receipt, name, manager, authorship, outcome)
        manager.registerUndo(named: name) { steps.take() }
    }
}

/// The undoing of one write, the redoing of that, and so on.
@MainActor
private final class UndoSteps {
    private struct State {
        /// The commits that the next step puts back.
        var next: [Receipt]
        /// Those that the step after it puts back as well: of them the last came to nothing.
        var later: [Receipt] = []
    }

    private let store: TripStore
    private let name: String
    private weak var manager: (any UndoRegistering)?
    private let authorship: Authorship
    private let outcome: @MainActor (Result<UndoReport, any Error>) -> Void
    /// Ends when the last step is done.
    private var last: Task<State, Never>

    init(
        _ store: TripStore, _ receipt: Receipt, _ name: String, _ manager: any UndoRegistering,
        _ authorship: Authorship, _ outcome: @escaping @MainActor (Result<UndoReport, any Error>) -> Void
    ) {
        (self.store, self.name, self.manager) = (store, name, manager)
        (self.authorship, self.outcome) = (authorship, outcome)
        last = Task { State(next: [receipt]) }
    }

    func take() {
        // At once, for what is registered during an undo is what redoes it.
        manager?.registerUndo(named: name) { self.take() }
        let before = last
        last = Task { await step(from: before.value) }
    }

    private func step(from state: State) async -> State {
        var (receipts, failed): ([Receipt], [Receipt]) = ([], [])
        // The commits of one undoing are put back from the last to the first.
        for receipt in state.next.reversed() {
            do {
                let report = try await store.undo(receipt, by: authorship)
                receipts += report.receipts
                if report.receipts.isEmpty { failed.insert(receipt, at: 0) }
                outcome(.success(report))
            } catch {
                outcome(.failure(error))
                if let incomplete = error as? IncompleteUndoError { receipts += incomplete.report.receipts }
                failed.insert(receipt, at: 0)
            }
        }
        return State(next: receipts + state.later, later: failed)
    }
}
