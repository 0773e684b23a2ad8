public import Events
import LMDB

/// The newest commit of a line, and the state needed to extend it.
public struct LineHead: Hashable, Sendable {
    /// The line's number in this log.
    var line: UInt32
    public internal(set) var sequence: SequenceNumber
    public internal(set) var hash: Digest
    public internal(set) var timestamp: Timestamp
    /// The position of its newest commit.
    public internal(set) var position: Position
    /// The newest commit of the line that is signed.
    public internal(set) var signed: SequenceNumber
    /// Bytes of the commits since that one.
    var unsignedBytes: UInt64
    /// For a branch, the line that it leaves and its own first commit.
    var branch: BranchPoint?

    /// The start of a branch.
    struct BranchPoint: Hashable, Sendable {
        /// The number of the line that it leaves; 0 if it begins with commit 1.
        var parent: UInt32
        /// The first commit of the branch alone.
        var first: SequenceNumber
    }

    /// The first commit that is the line's own and not that of the line which it leaves.
    var first: SequenceNumber { branch?.first ?? SequenceNumber(1) }

    static func new(line: UInt32) -> LineHead {
        LineHead(
            line: line, sequence: .start, hash: .zero, timestamp: .zero, position: .start, signed: .start,
            unsignedBytes: 0, branch: nil)
    }

    static let encodedSize = 76
    static let encodedBranchSize = 88

    func encoded() -> [UInt8] {
        line.bigEndianBytes + sequence.rawValue.bigEndianBytes + hash.bytes + timestamp.rawValue.bigEndianBytes
            + position.rawValue.bigEndianBytes + signed.rawValue.bigEndianBytes + unsignedBytes.bigEndianBytes
            + (branch.map { $0.parent.bigEndianBytes + $0.first.rawValue.bigEndianBytes } ?? [])
    }

    init(
        line: UInt32, sequence: SequenceNumber, hash: Digest, timestamp: Timestamp, position: Position,
        signed: SequenceNumber, unsignedBytes: UInt64, branch: BranchPoint?
    ) {
        self.line = line
        self.sequence = sequence
        self.hash = hash
        self.timestamp = timestamp
        self.position = position
        self.signed = signed
        self.unsignedBytes = unsignedBytes
        self.branch = branch
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.encodedSize || bytes.count == Self.encodedBranchSize,
            let hash = Digest(bytes.part(12..<44))
        else { return nil }
        self.init(
            line: bytes.bigEndian(UInt32.self), sequence: SequenceNumber(bytes.bigEndian(UInt64.self, at: 4)),
            hash: hash, timestamp: Timestamp(rawValue: bytes.bigEndian(UInt64.self, at: 44)),
            position: Position(bytes.bigEndian(UInt64.self, at: 52)),
            signed: SequenceNumber(bytes.bigEndian(UInt64.self, at: 60)),
            unsignedBytes: bytes.bigEndian(UInt64.self, at: 68),
            branch: bytes.count == Self.encodedSize
                ? nil
                : BranchPoint(
                    parent: bytes.bigEndian(UInt32.self, at: 76),
                    first: SequenceNumber(bytes.bigEndian(UInt64.self, at: 80))))
    }
}
