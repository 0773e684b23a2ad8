public import Events
import LMDB

/// The tables of a log's environment. `LogFormat` in the documentation describes every row.
struct LogTables: Sendable {
    /// Position → hash ‖ commit.
    let log: Table
    /// Journal ‖ replica → the line's head.
    let heads: Table
    /// Line ‖ sequence → signature.
    let signatures: Table
    /// Line ‖ first sequence of a run → its first position.
    let runs: Table
    /// What the log knows of itself, by name.
    let meta: Table

    static let names = ["log", "heads", "signatures", "runs", "meta"]

    init(_ environment: Environment) throws {
        let tables = try environment.tables(Self.names)
        log = tables[0]
        heads = tables[1]
        signatures = tables[2]
        runs = tables[3]
        meta = tables[4]
    }
}

/// Rows of the `meta` table.
enum MetaKey {
    /// The version of the format, 4 bytes.
    static let format = Array("format".utf8)
    /// The log's own journal, 16 bytes.
    static let journal = Array("journal".utf8)
    /// The replica that writes here, 16 bytes.
    static let replica = Array("replica".utf8)
    /// The device's name, UTF-8.
    static let name = Array("name".utf8)
    /// The newest foreign timestamp seen, 8 bytes.
    static let seen = Array("seen".utf8)
}

/// The newest commit of a line, and what is needed to go on from it.
public struct LineHead: Hashable, Sendable {
    /// The line's number in this log.
    var line: UInt32
    public internal(set) var sequence: SequenceNumber
    public internal(set) var hash: Digest
    public internal(set) var timestamp: Timestamp
    /// Where its newest commit lies.
    public internal(set) var position: Position
    /// The newest commit of the line that is signed.
    public internal(set) var signed: SequenceNumber
    /// Bytes of the commits since that one.
    var unsignedBytes: UInt64

    static func new(line: UInt32) -> LineHead {
        LineHead(
            line: line, sequence: .start, hash: .zero, timestamp: .zero, position: .start, signed: .start,
            unsignedBytes: 0)
    }

    static let encodedSize = 76

    func encoded() -> [UInt8] {
        line.bigEndianBytes + sequence.rawValue.bigEndianBytes + hash.bytes + timestamp.rawValue.bigEndianBytes
            + position.rawValue.bigEndianBytes + signed.rawValue.bigEndianBytes + unsignedBytes.bigEndianBytes
    }

    init(
        line: UInt32, sequence: SequenceNumber, hash: Digest, timestamp: Timestamp, position: Position,
        signed: SequenceNumber, unsignedBytes: UInt64
    ) {
        self.line = line
        self.sequence = sequence
        self.hash = hash
        self.timestamp = timestamp
        self.position = position
        self.signed = signed
        self.unsignedBytes = unsignedBytes
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.encodedSize, let hash = Digest(bytes.part(12..<44)) else { return nil }
        self.init(
            line: bytes.bigEndian(UInt32.self), sequence: SequenceNumber(bytes.bigEndian(UInt64.self, at: 4)),
            hash: hash, timestamp: Timestamp(rawValue: bytes.bigEndian(UInt64.self, at: 44)),
            position: Position(bytes.bigEndian(UInt64.self, at: 52)),
            signed: SequenceNumber(bytes.bigEndian(UInt64.self, at: 60)),
            unsignedBytes: bytes.bigEndian(UInt64.self, at: 68))
    }
}

/// A line: the commits of one replica in one journal.
public struct LineID: Hashable, Sendable {
    public let journal: JournalID
    public let replica: ReplicaID

    public init(journal: JournalID, replica: ReplicaID) {
        self.journal = journal
        self.replica = replica
    }

    var bytes: [UInt8] { journal.bytes + replica.bytes }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 32, let replica = ReplicaID(bytes.part(16..<32)) else { return nil }
        self.init(journal: JournalID(bytes.uuid()), replica: replica)
    }
}
