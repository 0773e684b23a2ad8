import EventLog
import Synchronization

/// For a log that takes in much at once: bringing the views up to date batch by batch would take many times as long as
/// building them anew in the end.
extension ProjectionGroup {
    /// Fewer commits than these are not worth a rebuild.
    private static let fewest: UInt64 = 16

    /// Whether the views stay where they are for the time being.
    package nonisolated var isHeld: Bool { holds.withLock { $0 > 0 } }

    /// Leaves the views where they are until `release`. Whoever waits for them, or writes, still has them brought up to
    /// date.
    package nonisolated func hold() { holds.withLock { $0 += 1 } }

    /// Brings the views up to date after `hold`: from the log anew if that is quicker, else batch by batch. Also where somebody
    /// else still holds them: what one's own load brought is visible once it is over.
    ///
    /// Throws what a rebuild throws; the views then stand where they stood.
    package func release() async throws {
        holds.withLock { $0 -= 1 }
        guard slot.serving != nil else { return }
        let position = try slot.read { $0.position }
        let end = try log.read { try $0.lastPosition() }
        // A rebuild reads everything, so it pays where much came and most of it is new.
        if end.rawValue / 2 > position.rawValue, end.rawValue - position.rawValue > Self.fewest {
            _ = try await replace { _ in }
        } else {
            applyHeldBack()
        }
    }
}
