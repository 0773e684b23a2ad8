public import Events

/// A stored commit read in place; valid as long as its bytes are, that is, inside the read that returned it.
public struct CommitView {
    /// The most bytes of a commit.
    public static let sizeLimit = 16 << 20
    /// The bytes of a salt.
    static let saltSize = 16

    public let header: CommitHeader
    /// The header as written: hashes cover these bytes.
    public let headerBytes: UnsafeRawBufferPointer
    /// The whole commit.
    public let bytes: UnsafeRawBufferPointer
    let content: CommitEnvelope.Content

    /// Throws `WireError` if the bytes are no commit.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        let envelope = try CommitEnvelope(bytes)
        header = try CommitHeader(envelope.header)
        headerBytes = envelope.header
        content = envelope.content
        self.bytes = bytes
    }

    /// The payload; nil if it was erased, or a part of it.
    public var payloadBytes: UnsafeRawBufferPointer? {
        guard case .whole(_, let payload) = content else { return nil }
        return payload
    }

    /// The salt of a whole commit; empty if anything of it was erased.
    public var salt: UnsafeRawBufferPointer {
        guard case .whole(let salt, _) = content else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return salt
    }

    /// Whether nothing of the payload was erased.
    public var isWhole: Bool { payloadBytes != nil }

    /// Whether anything of the payload is left.
    var hasLeaves: Bool {
        switch content {
        case .whole: true
        case .holed(let payload): payload.leftCount > 0
        case .erased: false
        }
    }

    /// hash(n) = SHA-256(hash(n-1) ‖ header).
    public func hash(after previous: Digest) -> Digest { Self.hash(headerBytes, after: previous) }

    package static func hash(_ headerBytes: UnsafeRawBufferPointer, after previous: Digest) -> Digest {
        var builder = DigestBuilder()
        previous.withBytes { builder.add($0) }
        builder.add(headerBytes)
        return builder.finish()
    }

    /// Whether the payload, or the rest of it, is the one that the header names, and has no event of fewer bytes than
    /// `PayloadHash.leastEvent`. True if it was erased: nothing contradicts the header.
    public var payloadMatches: Bool {
        switch content {
        case .whole(let salt, let payload):
            PayloadHash.hasLargeEnoughEvents(payload) && PayloadHash.of(payload, salt: salt) == header.payloadHash
        case .holed(let payload): PayloadHash.of(payload) == header.payloadHash
        case .erased: true
        }
    }

    /// The payload for reading in place, or the rest of it; nil if nothing is left, or this version cannot read it.
    public var payload: PayloadView? {
        understoodPayload.map { PayloadView($0, without: erasedLeaves) }
    }

    /// The bytes of the payload, or of the rest of it; nil if nothing is left, or this version cannot read it.
    package var understoodPayload: UnsafeRawBufferPointer? {
        guard header.isUnderstood else { return nil }
        return switch content {
        case .whole(_, let payload): payload
        case .holed(let payload): payload.left
        case .erased: nil
        }
    }

    /// The erased leaves of a partly erased payload, encoded; nil if there are none.
    package var erasedLeaves: UnsafeRawBufferPointer? {
        guard case .holed(let payload) = content else { return nil }
        return payload.erased
    }

    /// The commit's bytes as they count for bounds: at most the size of the whole commit, so that an erasure never
    /// takes a segment beyond its bounds. Each leaf of a holed commit still counts, so that leaves invented by an
    /// author are bounded as well.
    var weight: Int {
        guard case .holed(let payload) = content else { return bytes.count }
        return max(
            0,
            bytes.count - Self.holedGrowth - Self.erasedGrowth * payload.erasedCount - Self.saltSize * payload.leftCount
        )
    }

    /// The bytes of each erased leaf that do not count: its hash and its number are at most 35, and an event had at
    /// least `PayloadHash.leastEvent`.
    static let erasedGrowth = 24
    /// The bytes of a holed commit, besides its leaves, that do not count: leaf 0 may have been empty.
    private static let holedGrowth = 16

    /// The number of the payload's leaves, including those erased one by one; nil if all of it was erased. O(payload).
    var leafCount: Int? {
        switch content {
        case .whole(_, let payload):
            var leaves = PayloadLeaves(payload)
            var count = 0
            while leaves.next() != nil { count += 1 }
            return count
        case .holed(let payload): return payload.leafCount
        case .erased: return nil
        }
    }
}

/// A commit as the log holds it.
public struct StoredCommit {
    public let position: Position
    public let hash: Digest
    public let view: CommitView
    /// Whether its events count: its author may write, and it is not void.
    public let counts: Bool
    /// Whether its bytes are a copy without what is hidden, and not the log's own: see `LogSnapshot.forEachCommit`.
    package let isCopy: Bool

    init(position: Position, hash: Digest, view: CommitView, counts: Bool = true, isCopy: Bool = false) {
        self.position = position
        self.hash = hash
        self.view = view
        self.counts = counts
        self.isCopy = isCopy
    }

    public var header: CommitHeader { view.header }

    /// The same as if it counted: for what is kept also for commits that do not.
    package var asCounting: StoredCommit {
        StoredCommit(position: position, hash: hash, view: view, isCopy: isCopy)
    }

    /// The bytes of the payload, or of the rest of it, if its events count.
    package var countingPayload: UnsafeRawBufferPointer? { counts ? view.understoodPayload : nil }

    /// The commit's position in the merge order.
    public var stamp: Stamp {
        Stamp(timestamp: header.timestamp, replica: header.replica, hash: hash)
    }

    /// The replicas to which the events refer with what their author saw. O(those).
    public var seenReplicas: SeenReplicas { (try? view.payload?.seenReplicas()) ?? SeenReplicas() }

    /// Calls `body` with every event and its index, if the commit counts, and its payload is there and well-formed as a
    /// whole; otherwise the commit counts as one without events, on every replica alike.
    ///
    /// Returns whether it was well-formed.
    @discardableResult
    public func forEachEvent(_ body: (borrowing EventView, Int) throws -> Void) rethrows -> Bool {
        guard counts, let payload = view.payload else { return true }
        // The whole payload is validated before the first event is passed on; the second read hits the cache.
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
    /// Nil if the payload was erased, or is not well-formed. If a part of it was erased, the rest.
    public let payload: Payload?
    /// The erased part of the payload; nil if nothing was erased.
    public let erased: ErasedLeaves?
    /// Whether its events count: its author may write, and it is not void.
    public let counts: Bool

    public init(_ stored: borrowing StoredCommit) {
        counts = stored.counts
        position = stored.position
        hash = stored.hash
        header = stored.header
        payload = try? stored.view.payload?.copy()
        erased = stored.view.erased
        let view = stored.view.payload
        eventIndexes =
            erased == nil ? nil : view.map { [count = payload?.events.count ?? 0] in $0.indexes(ofFirst: count) }
    }

    /// The replica's key and device. Nil in later commits than the first of a line, where it means nothing.
    public var introduction: Payload.Introduction? { header.sequence.rawValue == 1 ? payload?.introduction : nil }

    /// Its statements about members, without those unknown to this version.
    public var statements: [MembershipStatement] {
        guard header.isMembership else { return [] }
        return (payload?.membership ?? []).compactMap { bytes in
            try? bytes.withUnsafeBytes { try MembershipStatement($0) }
        }
    }

    /// Its statements about erasing, without those unknown to this version.
    package var erasing: [ErasingStatement] {
        guard header.isErasing else { return [] }
        return (payload?.erasing ?? []).compactMap { bytes in
            try? bytes.withUnsafeBytes { try ErasingStatement($0) }
        }
    }

    /// The remaining events, whether they count or not, with their indexes in the whole payload.
    public var indexedEvents: [(index: Int, event: Event)] {
        let events = payload?.events ?? []
        return zip(eventIndexes ?? Array(events.indices), events).map { ($0, $1) }
    }

    private let eventIndexes: [Int]?

    /// The commit's position in the merge order.
    public var stamp: Stamp {
        Stamp(timestamp: header.timestamp, replica: header.replica, hash: hash)
    }
}
