package import Events

/// A payload encoded, salted and hashed: every part of a commit that can be made before its position in the log is
/// known.
///
/// The appending thread makes it, in parallel with the writer, which then has only a header to hash.
package struct HashedPayload: Sendable {
    /// The timestamp with which a commit was planned has passed: another writer wrote meanwhile, or commits arrived.
    package struct TimestampPassed: Error {}

    package let bytes: [UInt8]
    let salt: [UInt8]
    package let hash: Digest
    /// The timestamp with which its events were planned; nil for the next one.
    let timestamp: Timestamp?
    /// The features that a reader must support to read it, a bit each.
    let features: UInt32

    /// Throws `EventLogError`: `.commitTooLarge`, `.keyTooLong`.
    init(checked payload: Payload, salt: [UInt8]) throws(EventLogError) {
        for event in payload.events {
            for change in event.changes where change.path.key.count > Payload.longestKey {
                throw EventLogError(
                    .keyTooLong,
                    "A change of field \(change.path.field) of \(event.entity.id) has a key of \(change.path.key.count) bytes, and keys "
                        + "have at most \(Payload.longestKey). Nothing was written.")
            }
        }
        try self.init(payload.encoded(), salt: salt, features: payload.features)
    }

    /// Throws `EventLogError.commitTooLarge`.
    package init(
        _ bytes: [UInt8], salt: [UInt8], at timestamp: Timestamp? = nil, features: UInt32 = 0
    ) throws(EventLogError) {
        // Checked before anything is hashed or written, with ample room for the header.
        guard bytes.count + 512 <= CommitView.sizeLimit, Self.hasRoom(for: bytes) else {
            let events = try? bytes.withUnsafeBytes { try PayloadView($0).eventCount() }
            throw EventLogError(
                .commitTooLarge,
                "The commit's \(events ?? 0) events take \(bytes.count) bytes, and a commit holds at most \(Payload.mostEvents) events "
                    + "with \(Payload.mostChanges) changes, of \(CommitView.sizeLimit) bytes. Write them in several commits."
            )
        }
        self.bytes = bytes
        self.salt = salt
        self.timestamp = timestamp
        self.features = features
        hash = bytes.withUnsafeBytes { payload in
            salt.withUnsafeBytes { PayloadHash.of(payload, salt: $0) }
        }
    }

    /// Whether readers accept the payload as well-formed, as far as counts go. Checked only where there could be too
    /// many: an event takes 24 bytes or more, a change 4.
    private static func hasRoom(for bytes: [UInt8]) -> Bool {
        if bytes.count / 24 <= Payload.mostEvents && bytes.count / 4 <= Payload.mostChanges { return true }
        return bytes.withUnsafeBytes { PayloadView($0).isWithinBounds() }
    }

    /// The bytes before the payload in the log: the commit's hash, and its other fields.
    package func front(_ header: [UInt8], hash: Digest) -> [UInt8] {
        var writer = WireWriter(reservingCapacity: Digest.size + header.count + salt.count + 32)
        hash.withBytes { writer.raw($0) }
        writer.bytes(1, header)
        writer.bytes(2, salt)
        writer.delimited(3, count: bytes.count)
        return writer.finish()
    }
}

extension Payload {
    /// The features of a commit with it.
    var features: UInt32 {
        (membership.isEmpty ? 0 : CommitHeader.membershipFeature) | (erasing.isEmpty ? 0 : CommitHeader.erasingFeature)
    }
}
