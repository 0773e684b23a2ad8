import EventLog
package import Events

extension LineSegment {
    /// The most bytes of a segment's message.
    package static let largestMessage =
        largestByteCount + largestErasureBytes + (16 + 8 * mostErasures) * largestCommitCount + 1024

    /// The message's bytes.
    package func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: byteCount + 8 * commits.count + 192)
        write(to: &writer)
        return writer.finish()
    }

    func write(to writer: inout WireWriter) {
        writer.bytes(1, journal.bytes)
        writer.bytes(2, replica.bytes)
        writer.varint(3, first.rawValue)
        writer.bytes(4, previous.bytes)
        for commit in commits { writer.bytes(5, commit) }
        writer.bytes(6, signature)
        for erasure in erasures { writer.bytes(7, erasure) }
    }

    package init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var journal: JournalID?
        var replica: ReplicaID?
        var first: UInt64 = 0
        var previous: Digest?
        var commits: [[UInt8]] = []
        var signature: [UInt8] = []
        var erasures: [[UInt8]] = []
        while let field = try reader.next() {
            switch field.number {
            case 1: journal = JournalID(try reader.uuid(field))
            case 2: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 3: first = try reader.varint(field)
            case 4: previous = Digest(try reader.bytes(field, count: Digest.size))
            case 5:
                commits.append([UInt8](try reader.bytes(field)))
                guard commits.count <= Self.largestCommitCount else {
                    throw WireError("a segment has over \(Self.largestCommitCount) commits")
                }
            case 6: signature = [UInt8](try reader.bytes(field))
            case 7:
                erasures.append([UInt8](try reader.bytes(field)))
                guard erasures.count <= Self.mostErasures * Self.largestCommitCount else {
                    throw WireError("a segment has over \(Self.mostErasures * Self.largestCommitCount) erasures")
                }
            default: try reader.skip(field)
            }
        }
        guard let journal, let replica, let previous, first > 0, first < 1 << 62, signature.count == 64 else {
            throw WireError("a segment lacks its journal, replica, first number, what it follows or its signature")
        }
        self.init(
            journal: journal, replica: replica, first: SequenceNumber(first), previous: previous, commits: commits,
            signature: signature, erasures: erasures)
    }
}
