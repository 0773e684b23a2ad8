public import Events

/// A stored commit read in place; valid as long as its bytes are, which is to say inside the read it came from.
public struct CommitView {
    /// The most bytes that a commit may have.
    public static let sizeLimit = 16 << 20
    /// The bytes of a salt.
    static let saltSize = 16

    public let header: CommitHeader
    /// The header as it was written: hashes cover these bytes.
    public let headerBytes: UnsafeRawBufferPointer
    /// Empty if it went with the payload.
    public let salt: UnsafeRawBufferPointer
    /// What the commit says; nil if it was sealed or erased since.
    public let payloadBytes: UnsafeRawBufferPointer?
    /// The whole commit.
    public let bytes: UnsafeRawBufferPointer

    /// Throws `WireError` if the bytes are no commit.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        var headerBytes = none
        var salt = none
        var payloadBytes: UnsafeRawBufferPointer?
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: headerBytes = try reader.bytes(field)
            case 2: salt = try reader.bytes(field, count: Self.saltSize)
            case 3: payloadBytes = try reader.bytes(field)
            default: try reader.skip(field)
            }
        }
        // Salt and payload are hashed as one: were the length free, bytes could move from one to the other unseen. And
        // they go together, so that a payload whose tag was damaged does not pass for an erased one.
        guard salt.isEmpty == (payloadBytes == nil) else {
            throw WireError("a commit has a \(salt.isEmpty ? "payload and no salt" : "salt and no payload")")
        }
        self.header = try CommitHeader(headerBytes)
        self.headerBytes = headerBytes
        self.salt = salt
        self.payloadBytes = payloadBytes
        self.bytes = bytes
    }

    /// hash(n) = SHA-256(hash(n-1) ‖ header).
    public func hash(after previous: Digest) -> Digest { Self.hash(headerBytes, after: previous) }

    static func hash(_ headerBytes: UnsafeRawBufferPointer, after previous: Digest) -> Digest {
        var builder = DigestBuilder()
        previous.withBytes { builder.add($0) }
        builder.add(headerBytes)
        return builder.finish()
    }

    /// Whether the payload is the one that the header names. True if it was erased: nothing contradicts the header.
    public var payloadMatches: Bool {
        guard let payloadBytes else { return true }
        return Self.payloadHash(salt: salt, payload: payloadBytes) == header.payloadHash
    }

    static func payloadHash(salt: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer) -> Digest {
        var builder = DigestBuilder()
        builder.add(salt)
        builder.add(payload)
        return builder.finish()
    }

    /// The payload for reading in place; nil if it was erased.
    public var payload: PayloadView? { payloadBytes.map { PayloadView($0) } }
}

/// A commit as the log holds it.
public struct StoredCommit {
    public let position: Position
    public let hash: Digest
    public let view: CommitView

    public var header: CommitHeader { view.header }

    /// The place of the commit's writes in the order of the merge.
    public var stamp: Stamp {
        Stamp(timestamp: header.timestamp, replica: header.replica, hashPrefix: hash.prefix)
    }

    /// Calls `body` with every event and its index, if the payload is there and well-formed as a whole; otherwise
    /// the commit counts as one without events, on every replica alike.
    ///
    /// Answers whether it was well-formed.
    @discardableResult
    public func forEachEvent(_ body: (EventView, Int) throws -> Void) rethrows -> Bool {
        guard let payload = view.payload else { return true }
        // Nothing is handed out before all was looked at: what is read twice is in the cache by then.
        let (isWellFormed, isPlain) = payload.form()
        guard isWellFormed else { return false }
        try payload.forEachReadableEvent(isPlain: isPlain, body)
        return true
    }
}

/// A commit copied out of the log.
public struct RecordedCommit: Hashable, Sendable {
    public let position: Position
    public let hash: Digest
    public let header: CommitHeader
    /// Nil if the payload was erased, or is not well-formed.
    public let payload: Payload?

    public init(_ stored: borrowing StoredCommit) {
        position = stored.position
        hash = stored.hash
        header = stored.header
        payload = try? stored.view.payload?.copy()
    }

    /// The place of the commit's writes in the order of the merge.
    public var stamp: Stamp {
        Stamp(timestamp: header.timestamp, replica: header.replica, hashPrefix: hash.prefix)
    }
}
