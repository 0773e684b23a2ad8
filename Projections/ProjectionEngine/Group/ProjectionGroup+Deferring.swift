import EventLog
import Synchronization

/// For bulk loads: updating the views batch by batch would take many times as long as one rebuild at the end.
extension ProjectionGroup {
    /// Fewer commits are not worth a rebuild, nor is a smaller part of the log: a rebuild reads all of it, at ten times the speed.
    private static let fewest: UInt64 = 16
    private static let leastPart: UInt64 = 8

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
        let new = end.rawValue - min(position.rawValue, end.rawValue)
        if new > end.rawValue / Self.leastPart, new > Self.fewest {
            try await Task { _ = try await replace { _ in } }.value
        } else {
            applyDeferred()
        }
    }
}
