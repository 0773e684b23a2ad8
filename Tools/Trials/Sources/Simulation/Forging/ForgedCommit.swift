import EventLog

@testable import Events

/// A commit put together byte by byte.
struct ForgedCommit {
    let bytes: [UInt8]
    let sequence: UInt64
    let timestamp: Timestamp
    let hash: Digest

    /// The content of a forged header; right by default.
    struct Header {
        var format: UInt64 = 1
        var journal: JournalID
        var replica: ReplicaID
        var sequence: UInt64
        var timestamp: Timestamp
        var features: UInt64 = 0
        /// An unknown field: it changes the commit's hash and nothing else.
        var nonce: UInt64?
        /// In place of the payload's own.
        var payloadHash: Digest?

        fileprivate func encoded(_ payloadHash: Digest) -> [UInt8] {
            var writer = WireWriter(reservingCapacity: 160)
            writer.varint(1, format)
            writer.uuid(2, journal.uuid)
            writer.bytes(3, replica.bytes)
            writer.varint(4, sequence)
            writer.fixed64(5, timestamp.rawValue)
            writer.varint(7, 1)
            writer.bytes(8, (self.payloadHash ?? payloadHash).bytes)
            if features != 0 { writer.varint(9, features) }
            if let nonce { writer.varint(1000, nonce) }
            return writer.finish()
        }
    }

    init(_ header: Header, payload: [UInt8], salt: [UInt8], after previous: Digest) {
        self.init(header, payload, salt, CommitLeaves(payload, salt: salt).hash, previous)
    }

    private init(_ header: Header, _ payload: [UInt8], _ salt: [UInt8], _ payloadHash: Digest, _ previous: Digest) {
        let encoded = header.encoded(payloadHash)
        bytes = CommitParts(header: encoded, salt: salt, payload: payload).whole
        sequence = header.sequence
        timestamp = header.timestamp
        hash = Self.hash(encoded, after: previous)
    }

    /// The commit whose hash begins with the same 16 bits as another: some 65,000 headers are tried.
    init(
        grinding header: Header, payload: [UInt8], salt: [UInt8], after previous: Digest, towards other: Digest
    ) {
        var header = header
        let payloadHash = CommitLeaves(payload, salt: salt).hash
        let goal = other.bytes.prefix(2)
        // Without luck after several times the expected number of trials, the last one will do.
        for nonce in 1...(UInt64(1) << 19) {
            header.nonce = nonce
            if Self.hash(header.encoded(payloadHash), after: previous).bytes.starts(with: goal) { break }
        }
        self.init(header, payload, salt, payloadHash, previous)
    }

    private static func hash(_ header: [UInt8], after previous: Digest) -> Digest {
        var builder = DigestBuilder()
        builder.add(previous.bytes)
        builder.add(header)
        return builder.finish()
    }
}
