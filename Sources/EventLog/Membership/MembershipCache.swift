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

/// Results of signature checks. Members are resolved again whenever a statement arrives, from signatures that mostly
/// were checked before; a check takes about a hundred times as long as this look-up.
final class SignatureCache: Sendable {
    private static let capacity = 16_384
    private let results = Mutex<[Digest: Bool]>([:])

    func isValid(_ signature: [UInt8], publicKey: [UInt8], message: [UInt8]) -> Bool {
        var builder = DigestBuilder()
        builder.add(publicKey)
        builder.add(signature)
        builder.add(message)
        // Keys and signatures have fixed sizes: no two checks share a digest.
        let name = builder.finish()
        if let known = results.withLock({ $0[name] }) { return known }
        let isValid = LineSignature.isValid(signature, publicKey: publicKey, message: message)
        results.withLock { results in
            if results.count >= Self.capacity { results.removeAll(keepingCapacity: true) }
            results[name] = isValid
        }
        return isValid
    }
}
