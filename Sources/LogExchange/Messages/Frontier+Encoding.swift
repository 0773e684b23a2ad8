import EventLog
import Events

extension Frontier {
    /// The message's bytes.
    func encoded() -> [UInt8] {
        var writer = WireWriter(reservingCapacity: 32 + 80 * heads.count)
        write(to: &writer)
        return writer.finish()
    }

    func write(to writer: inout WireWriter) {
        if let journal { writer.bytes(1, journal.bytes) }
        for head in heads { writer.message(2) { head.write(to: &$0) } }
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var journal: JournalID?
        var heads: [CommitID] = []
        while let field = try reader.next() {
            switch field.number {
            case 1: journal = JournalID(try reader.uuid(field))
            case 2: heads.append(try CommitID(message: try reader.bytes(field)))
            default: try reader.skip(field)
            }
        }
        guard heads.isEmpty || journal != nil else { throw WireError("a frontier has heads and no journal") }
        self.init(journal: journal, heads: heads)
    }
}

extension CommitID {
    func write(to writer: inout WireWriter) {
        writer.bytes(1, replica.bytes)
        writer.varint(2, sequence.rawValue)
        writer.bytes(3, hash.bytes)
    }

    init(message bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        var replica: ReplicaID?
        var sequence: UInt64 = 0
        var hash: Digest?
        while let field = try reader.next() {
            switch field.number {
            case 1: replica = ReplicaID(try reader.bytes(field, count: 16))
            case 2: sequence = try reader.varint(field)
            case 3: hash = Digest(try reader.bytes(field, count: Digest.size))
            default: try reader.skip(field)
            }
        }
        guard let replica, let hash, sequence > 0, sequence < 1 << 62 else {
            throw WireError("a commit's name lacks its replica, its number or its hash")
        }
        self.init(replica: replica, sequence: SequenceNumber(sequence), hash: hash)
    }
}
