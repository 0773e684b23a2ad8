import EventLog
import LogExchange
import Logging
import ProjectionEngine
import Synchronization

/// Holds the views back while an exchange brings more than the store has: they are built anew in the end.
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

    /// Looks at how much is to come, before anything of it has.
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

    /// Lets the views show what came. If they cannot, that is no fault of the exchange: the commits are here.
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
