import Events
import Synchronization

/// The members as last resolved, for every read of a log: resolving reads every statement about members.
final class MembershipCache: Sendable {
    /// Readers of older snapshots need older states.
    private static let capacity = 4
    /// The log's membership token when they were resolved (see `MetaKey.membership`), newest first.
    private let held = Mutex<[(token: [UInt8], verdicts: Verdicts)]>([])
    let signatures = SignatureCache()

    func verdicts(for token: UnsafeRawBufferPointer) -> Verdicts? {
        held.withLock { held in
            held.first { $0.token.withUnsafeBytes { $0.equals(token) } }?.verdicts
        }
    }

    func keep(_ verdicts: Verdicts, for token: [UInt8]) {
        held.withLock { held in
            held.removeAll { $0.token == token }
            held.insert((token, verdicts), at: 0)
            if held.count > Self.capacity { held.removeLast() }
        }
    }
}
