import Events
import Synchronization

/// The members as they were resolved last. It serves every read of a log: resolving reads all that was ever said of members.
final class MembershipCache: Sendable {
    /// What the log had said of members when they were resolved: see `MetaKey.membership`.
    private let held = Mutex<(token: [UInt8], verdicts: Verdicts)?>(nil)

    func verdicts(for token: UnsafeRawBufferPointer) -> Verdicts? {
        held.withLock { held in
            guard let held, held.token.withUnsafeBytes({ $0.equals(token) }) else { return nil }
            return held.verdicts
        }
    }

    func keep(_ verdicts: Verdicts, for token: [UInt8]) { held.withLock { $0 = (token, verdicts) } }
}
