import EventLog
package import Events

/// A segment as it is sent: whole, or as one of the parts that follow each other.
///
/// A part has some of the segment's commits, and their erasures, or a piece of one commit. The last part alone has the signature.
public struct SegmentPart: Sendable, Hashable {
    /// A range of the bytes of one commit.
    struct Piece: Sendable, Hashable {
        /// The hash of all bytes of the commit, as `ContentTree.leaf`.
        let digest: Digest
        /// The number of these bytes.
        let size: Int
        /// The bytes before the piece.
        let offset: Int
    }

    /// The commits of the part, or the piece in the place of one; without a signature unless it is the last part.
    let segment: LineSegment
    /// The number of the segment's first commit; nil for a whole segment.
    let start: SequenceNumber?
    /// Nil if the commits are whole.
    let piece: Piece?

    var isLast: Bool { !segment.signature.isEmpty }

    init(_ segment: LineSegment, start: SequenceNumber? = nil, piece: Piece? = nil) {
        self.segment = segment
        self.start = start
        self.piece = piece
    }

    func write(to writer: inout WireWriter) {
        segment.write(to: &writer)
        guard let start else { return }
        writer.varint(8, start.rawValue)
        guard let piece else { return }
        writer.bytes(9, piece.digest.bytes)
        writer.varint(10, UInt64(piece.size))
        if piece.offset > 0 { writer.varint(11, UInt64(piece.offset)) }
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var journal: JournalID?
        var replica: ReplicaID?
        var first: UInt64 = 0
        var previous: Digest?
        var commits: [[UInt8]] = []
        var signature: [UInt8] = []
        var erasures: [[UInt8]] = []
        var (start, size, offset): (UInt64, UInt64, UInt64) = (0, 0, 0)
        var digest: Digest?
        while let field = try reader.next() {
            switch field.number {
            case 1: journal = JournalID(try reader.uuid(field))
            case 2: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 3: first = try reader.varint(field)
            case 4: previous = Digest(try reader.bytes(field, count: Digest.size))
            case 5:
                commits.append([UInt8](try reader.bytes(field)))
                guard commits.count <= LineSegment.largestCommitCount else {
                    throw WireError("a segment has over \(LineSegment.largestCommitCount) commits")
                }
            case 6: signature = [UInt8](try reader.bytes(field))
            case 7:
                erasures.append([UInt8](try reader.bytes(field)))
                guard erasures.count <= LineSegment.mostErasures * LineSegment.largestCommitCount else {
                    throw WireError(
                        "a segment has over \(LineSegment.mostErasures * LineSegment.largestCommitCount) erasures")
                }
            case 8: start = try reader.varint(field)
            case 9: digest = Digest(try reader.bytes(field, count: Digest.size))
            case 10: size = try reader.varint(field)
            case 11: offset = try reader.varint(field)
            default: try reader.skip(field)
            }
        }
        guard let journal, let replica, let previous, first > 0, first < 1 << 62,
            signature.count == 64 || start > 0 && signature.isEmpty
        else { throw WireError("a segment lacks its journal, replica, first number, what it follows or its signature") }
        guard start <= first else { throw WireError("a part begins before its segment") }
        segment = LineSegment(
            journal: journal, replica: replica, first: SequenceNumber(first), previous: previous, commits: commits,
            signature: signature, erasures: erasures)
        self.start = start > 0 ? SequenceNumber(start) : nil
        guard start > 0, let digest else {
            piece = nil
            return
        }
        guard commits.count == 1, size <= UInt64(LineSegment.largestByteCount), offset <= size,
            UInt64(clamping: commits[0].count) <= size - offset
        else { throw WireError("a piece of a commit lies outside of it") }
        piece = Piece(digest: digest, size: Int(size), offset: Int(offset))
    }
}

extension LineSegment {
    package init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        let part = try SegmentPart(bytes)
        guard part.start == nil else { throw WireError("a segment is not whole") }
        self = part.segment
    }

    /// The number of the commit that an erasure names; nil if it cannot be read.
    static func sequence(ofErasure bytes: [UInt8]) -> SequenceNumber? { (try? Erasure(bytes))?.commit.sequence }
}
