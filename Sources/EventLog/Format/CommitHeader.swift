public import Events

/// The part of a commit that every copy of it proves: its author, its number on the line, its time, and the hash of its
/// content.
public struct CommitHeader: Hashable, Sendable {
    /// The version of the format that this library writes, and the newest that it reads.
    public static let currentFormat: UInt32 = 1

    public var format: UInt32
    public var journal: JournalID
    public var replica: ReplicaID
    public var sequence: SequenceNumber
    public var timestamp: Timestamp
    /// The writer's wall clock, in milliseconds since 1970, if it was over a second off the timestamp.
    public var wallClock: Int64?
    /// The schema version that its author knew.
    public var schema: UInt32
    /// The hash over the leaves of the payload.
    public var payloadHash: Digest
    /// The features that a reader must support to read the payload, a bit each: none in the first format.
    public var features: UInt32
    /// The version of the program that first reads these features; nil if the author names none. A claim, for people alone.
    public var needs: NeededVersion?

    /// The features that this version knows.
    package static let knownFeatures: UInt32 = membershipFeature | erasingFeature
    /// The feature of a payload with statements about members.
    static let membershipFeature: UInt32 = 4

    /// The feature of a payload with statements about erasing.
    static let erasingFeature: UInt32 = 16

    /// Whether the payload holds statements about erasing. Such a commit is never erased or voided.
    package var isErasing: Bool { features & Self.erasingFeature != 0 }

    /// Whether the commit may be erased: it holds no statements, and is not the first of its line.
    package var isErasable: Bool { !isMembership && !isErasing && sequence.rawValue > 1 }

    /// Whether the payload holds statements about members. Such a commit is never erased or voided.
    public var isMembership: Bool { features & Self.membershipFeature != 0 }

    /// Whether this version can read the payload. If not, the commit is kept and forwarded, and counts as one without
    /// events.
    public var isUnderstood: Bool { features & ~Self.knownFeatures == 0 }

    /// The message's bytes.
    public func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: 144)
        writer.varint(1, UInt64(format))
        writer.uuid(2, journal.uuid)
        writer.bytes(3, replica.bytes)
        writer.varint(4, sequence.rawValue)
        writer.fixed64(5, timestamp.rawValue)
        if let wallClock { writer.signed(6, wallClock) }
        writer.varint(7, UInt64(schema))
        payloadHash.withBytes { writer.bytes(8, $0) }
        if features != 0 { writer.varint(9, UInt64(features)) }
        if let needs { writer.varint(10, needs.rawValue) }
        return writer.finish()
    }

    package init(
        format: UInt32 = currentFormat, journal: JournalID, replica: ReplicaID, sequence: SequenceNumber,
        timestamp: Timestamp, wallClock: Int64?, schema: UInt32, payloadHash: Digest, features: UInt32 = 0,
        needs: NeededVersion? = nil
    ) {
        self.format = format
        self.journal = journal
        self.replica = replica
        self.sequence = sequence
        self.timestamp = timestamp
        self.wallClock = wallClock
        self.schema = schema
        self.payloadHash = payloadHash
        self.features = features
        self.needs = needs
    }

    /// Reads a header. Throws `WireError` if a part is missing or out of range.
    public init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var format: UInt32 = 0
        var journal: JournalID?
        var replica: ReplicaID?
        var sequence: UInt64 = 0
        var timestamp = Timestamp.zero
        var wallClock: Int64?
        var schema: UInt32 = 0
        var payloadHash: Digest?
        var features: UInt32 = 0
        var needs: NeededVersion?
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: format = try reader.uint32(field)
            case 2: journal = JournalID(try reader.uuid(field))
            case 3: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 4: sequence = try reader.varint(field)
            case 5: timestamp = Timestamp(rawValue: try reader.fixed64(field))
            case 6: wallClock = try reader.signed(field)
            case 7: schema = try reader.uint32(field)
            case 8: payloadHash = Digest(try reader.bytes(field, count: Digest.size))
            case 9: features = try reader.uint32(field)
            // Earlier versions skip the field, so nothing in it may make a header malformed: replicas would hold different commits.
            case 10 where field.type == .varint: needs = NeededVersion(rawValue: try reader.varint(field))
            default: try reader.skip(field)
            }
        }
        guard format != 0, let journal, let replica, sequence != 0, let payloadHash else {
            throw WireError("a commit's header lacks its format, journal, replica, sequence or payload hash")
        }
        guard sequence < 1 << 63 else { throw WireError("a commit's number is \(sequence), from 2^63 on") }
        guard timestamp.isWellFormed else {
            throw WireError("a commit's timestamp is \(timestamp.rawValue), from 2^63 on or zero")
        }
        self.init(
            format: format, journal: journal, replica: replica, sequence: SequenceNumber(sequence),
            timestamp: timestamp, wallClock: wallClock, schema: schema, payloadHash: payloadHash,
            features: features, needs: needs)
    }
}
