import Events
import Synchronization

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
