import EventLog
import LogExchange
import Logging
import ProjectionEngine
import Synchronization

/// Defers view updates while an exchange receives more commits than the store has: the views are rebuilt in the end.
final class BulkReceiving: Sendable {
    /// Fewer commits than these are not worth a rebuild.
    private static let fewest = 64

    private let views: ProjectionGroup
    private let log: Log
    private let isHolding = Mutex(false)

    init(_ views: ProjectionGroup, _ log: Log) {
        self.views = views
        self.log = log
    }

    /// Checks how much will be received, before the first commit is stored.
    func note(_ step: ExchangeProgress) {
        guard step.received.commits == 0, step.commitsToReceive >= Self.fewest, !log.isReadOnly,
            let position = try? log.read({ try $0.lastPosition() }),
            position.rawValue < UInt64(step.commitsToReceive) / 2
        else { return }
        let mustHold = isHolding.withLock { isHolding in
            defer { isHolding = true }
            return !isHolding
        }
        if mustHold { views.deferUpdates() }
    }

    /// Updates the views. A failure is no failure of the exchange: the commits are stored.
    func end(_ logger: Logger) async {
        let mustRelease = isHolding.withLock { isHolding in
            defer { isHolding = false }
            return isHolding
        }
        guard mustRelease else { return }
        do { try await views.resumeUpdates() } catch {
            logger.error("views could not be built from what came", metadata: ["error": "\(error)"])
        }
    }
}
