import EventLog
import Synchronization

/// For bulk loads: updating the views batch by batch would take many times as long as one rebuild at the end.
extension ProjectionGroup {
    /// Fewer commits are not worth a rebuild.
    private static let fewest: UInt64 = 16

    /// Whether updates of the views are deferred.
    package nonisolated var isDeferred: Bool { deferrals.withLock { $0 > 0 } }

    /// Defers updates of the views until `resumeUpdates`. Callers that wait for a position, and writers, still update
    /// them.
    package nonisolated func deferUpdates() { deferrals.withLock { $0 += 1 } }

    /// Updates the views after `deferUpdates`: by a rebuild if that is faster, otherwise batch by batch. Also while
    /// another load still defers them: a finished load's own commits are visible.
    ///
    /// Throws what a rebuild throws; the views then stay as they were. A cancelled task completes it all the same, because the
    /// commits are in the log.
    package func resumeUpdates() async throws {
        deferrals.withLock { $0 -= 1 }
        guard slot.serving != nil else { return }
        let position = try slot.read { $0.position }
        let end = try log.read { try $0.lastPosition() }
        // A rebuild reads everything, so it pays if most of the log is new.
        if end.rawValue / 2 > position.rawValue, end.rawValue - position.rawValue > Self.fewest {
            try await Task { _ = try await replace { _ in } }.value
        } else {
            applyDeferred()
        }
    }
}
