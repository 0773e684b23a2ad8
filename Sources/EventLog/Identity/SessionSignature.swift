public import Events

/// The signature by which a replica proves its key to the other end of a connection (Ed25519, RFC 8032).
///
/// Its tag differs from those of all signatures in the log, and between the two ends: a signature of a session is none
/// of the log, and that of one end is none of the other.
public enum SessionSignature {
    /// The end of a connection that signs.
    public enum Role: Sendable {
        case client, server
    }

    private static func domain(_ role: Role) -> [UInt8] {
        switch role {
        case .client: Array("TripStore session client v1\0\0\0\0\0".utf8)
        case .server: Array("TripStore session server v1\0\0\0\0\0".utf8)
        }
    }

    /// Domain tag (32 bytes) ‖ the transcript's digest.
    public static func message(_ transcript: Digest, as role: Role) -> [UInt8] { domain(role) + transcript.bytes }

    /// Whether `signature` is the key's over a transcript.
    public static func isValid(
        _ signature: [UInt8], publicKey: [UInt8], over transcript: Digest, as role: Role
    ) -> Bool {
        LineSignature.isValid(signature, publicKey: publicKey, message: message(transcript, as: role))
    }
}

extension Log {
    /// The public key of this log's replica, 32 bytes.
    ///
    /// Throws `EventLogError`: `.readOnly` if the log was opened for reading, which needs no key; `.keyUnusable`.
    public func publicKey() throws -> [UInt8] { try author().identity.publicKey }

    /// This replica's signature over the transcript of a session, 64 bytes; nil if it has another key by now.
    ///
    /// Throws `EventLogError`: `.readOnly`, `.keyUnusable`.
    public func sign(
        _ transcript: Digest, as role: SessionSignature.Role, with publicKey: [UInt8]
    ) throws -> [UInt8]? {
        let identity = try author().identity
        guard identity.publicKey == publicKey else { return nil }
        return try identity.sign(SessionSignature.message(transcript, as: role))
    }

    private func author() throws -> LogAuthor {
        guard let writer else {
            throw EventLogError(
                .readOnly, "The store was opened for reading, without its key. Open it for writing to connect.")
        }
        return try read { try writer.author.author(in: $0) }
    }
}
