public import Events
import Foundation

internal import enum Crypto.Curve25519

/// The signature of a replica over its line, and its check (Ed25519, RFC 8032).
public enum LineSignature {
    /// Domain separation: distinguishes this use of the key from any other.
    static let domain = Array("TripStore line signature v1\0".utf8)

    /// A line is signed at the latest with its 1,024th commit after a signature: one bound for signer, receiver and
    /// verifier…
    public static let commitsBetween: UInt64 = 1024
    /// …or with the commit that brings the commits since then to this many bytes.
    public static let bytesBetween: UInt64 = 1 << 20

    /// Domain tag ‖ journal ‖ replica ‖ sequence (8 bytes, most significant first) ‖ hash.
    public static func message(
        journal: JournalID, replica: ReplicaID, sequence: SequenceNumber, hash: Digest
    ) -> [UInt8] {
        domain + journal.bytes + replica.bytes + sequence.rawValue.bigEndianBytes + hash.bytes
    }

    /// Whether `signature` is the key's over the message: the same on every platform (`EdwardsPoint`).
    public static func isValid(_ signature: [UInt8], publicKey: [UInt8], message: [UInt8]) -> Bool {
        guard EdwardsPoint.isAcceptable(publicKey), EdwardsPoint.isAcceptable(signature.prefix(32)),
            EdwardsPoint.isScalar(signature.dropFirst(32))
        else { return false }
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
        return key.isValidSignature(Data(signature), for: Data(message))
    }
}

extension ReplicaID {
    /// The id of the replica that holds a key.
    public init(publicKey: [UInt8]) {
        var builder = DigestBuilder()
        builder.add(publicKey)
        let digest = builder.finish().bytes
        // A digest has more than 16 bytes, so the recursion never happens; it avoids a force unwrap.
        self = ReplicaID(digest.prefix(16)) ?? ReplicaID(publicKey: [])
    }
}
