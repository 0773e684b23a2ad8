import Events

/// A payload encoded, salted and hashed: all of a commit that can be made before its place in the log is known.
///
/// Whoever appends makes it, beside the writer, which then has only a header to hash.
package struct HashedPayload: Sendable {
    package let bytes: [UInt8]
    let salt: [UInt8]
    let hash: Digest

    /// Throws `EventLogError.commitTooLarge`.
    init(_ payload: Payload, salt: [UInt8]) throws {
        let bytes = payload.encoded()
        // Measured before anything is hashed or written, with ample room for the header.
        guard bytes.count + 512 <= CommitView.sizeLimit else {
            throw EventLogError(
                .commitTooLarge,
                "The commit's \(payload.events.count) events take \(bytes.count) bytes and a commit holds at most "
                    + "\(CommitView.sizeLimit). Write them in several commits.")
        }
        self.init(bytes, salt: salt)
    }

    init(_ bytes: [UInt8], salt: [UInt8]) {
        self.bytes = bytes
        self.salt = salt
        hash = bytes.withUnsafeBytes { payload in
            salt.withUnsafeBytes { CommitView.payloadHash(salt: $0, payload: payload) }
        }
    }

    /// What goes before the payload in the log: the commit's hash, and its other fields.
    func front(_ header: [UInt8], hash: Digest) -> [UInt8] {
        var writer = WireWriter(reservingCapacity: Digest.size + header.count + salt.count + 32)
        hash.withBytes { writer.raw($0) }
        writer.bytes(1, header)
        writer.bytes(2, salt)
        writer.delimited(3, count: bytes.count)
        return writer.finish()
    }
}
