/// The merge order: which write is later.
///
/// Writes are ordered by timestamp, then replica, then the hash of their commit, then the index of their event. The
/// hash distinguishes two commits of one replica with one timestamp, which exist only where a replica's line forked. It
/// counts in full, because the holder of a key can find two commits whose hashes have the same first half.
public struct Stamp: Hashable, Comparable, Sendable {
    /// The time of the write: the commit's timestamp, or the event's original time.
    public let timestamp: Timestamp
    public let replica: ReplicaID
    /// The commit's hash.
    public let hash: Digest

    public init(timestamp: Timestamp, replica: ReplicaID, hash: Digest) {
        self.timestamp = timestamp
        self.replica = replica
        self.hash = hash
    }

    /// The stamp of an event's writes, from its commit's stamp: an event that was brought over from elsewhere has its
    /// original time, unless that is nil or later than the commit.
    public func moved(to original: Timestamp?) -> Stamp {
        guard let original, .zero < original, original < timestamp else { return self }
        return Stamp(timestamp: original, replica: replica, hash: hash)
    }

    public static func < (a: Stamp, b: Stamp) -> Bool {
        if a.timestamp != b.timestamp { return a.timestamp < b.timestamp }
        if a.replica != b.replica { return a.replica < b.replica }
        return a.hash < b.hash
    }

    package static let encodedSize = 56

    /// 56 bytes whose order is the merge order.
    public var bytes: [UInt8] { timestamp.rawValue.bigEndianBytes + replica.bytes + hash.bytes }

    /// From the bytes at an offset; nil if they are not there.
    public init?(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
        guard offset >= 0, bytes.count - offset >= Self.encodedSize,
            let replica = ReplicaID(bytes.part(offset + 8..<offset + 24)),
            let hash = Digest(bytes.part(offset + 24..<offset + 56))
        else { return nil }
        self.init(
            timestamp: Timestamp(rawValue: bytes.bigEndian(UInt64.self, at: offset)), replica: replica, hash: hash)
    }
}

/// The state of an entity that a writer may expect: it differs whenever a different set of the entity's events is held.
public struct EntityVersion: Hashable, Sendable, Codable, CustomStringConvertible {
    /// How many events of the entity are held.
    package let events: UInt64
    /// A sum over those events, independent of their order.
    package let fingerprint: UInt64

    package init(events: UInt64, fingerprint: UInt64) {
        self.events = events
        self.fingerprint = fingerprint
    }

    /// The version of an entity of which nothing is held.
    public static let none = EntityVersion(events: 0, fingerprint: 0)

    /// The version with one more event: the one at an index of the commit with a stamp.
    package func adding(_ stamp: Stamp, index: Int) -> EntityVersion {
        // Murmur3's finaliser, so that neighbouring indexes do not cancel each other in the sum.
        let (first, second, third, fourth) = stamp.hash.numbers
        var mixed = first ^ second ^ third ^ fourth ^ (UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15)
        mixed = (mixed ^ mixed >> 33) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return EntityVersion(events: events &+ 1, fingerprint: fingerprint &+ (mixed ^ mixed >> 33))
    }

    /// `EVENTS-FINGERPRINT`, the latter as 16 hexadecimal digits.
    public var description: String { "\(events)-\(fingerprint.bigEndianBytes.hexadecimal)" }

    /// From `description`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let events = UInt64(parts[0]), let fingerprint = UInt64(parts[1], radix: 16)
        else { return nil }
        self.init(events: events, fingerprint: fingerprint)
        // Signs, leading zeros and capitals would be read as well.
        guard description == text else { return nil }
    }
}
