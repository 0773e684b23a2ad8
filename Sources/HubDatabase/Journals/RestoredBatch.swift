import EventLog
import Events

/// The body of an entry of kind 3: commits of which bytes were restored, as they are stored now.
enum RestoredBatch {
    private enum Field {
        static let commit: UInt32 = 1
        static let replica: UInt32 = 1
        static let sequence: UInt32 = 2
        static let hash: UInt32 = 3
        static let bytes: UInt32 = 4
    }

    static func encoded(_ commits: [RestoredCommit]) -> [UInt8] {
        var writer = WireWriter(reservingCapacity: commits.reduce(16) { $0 + $1.bytes.count + 80 })
        for restored in commits {
            writer.message(Field.commit) { writer in
                writer.bytes(Field.replica, restored.commit.replica.bytes)
                writer.varint(Field.sequence, restored.commit.sequence.rawValue)
                writer.bytes(Field.hash, restored.commit.hash.bytes)
                writer.bytes(Field.bytes, restored.bytes)
            }
        }
        return writer.finish()
    }

    static func commits(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> [RestoredCommit] {
        var reader = WireReader(bytes)
        var found: [RestoredCommit] = []
        while let field = try reader.next() {
            guard field.number == Field.commit else {
                try reader.skip(field)
                continue
            }
            found.append(try commit(try reader.bytes(field)))
        }
        return found
    }

    private static func commit(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> RestoredCommit {
        var reader = WireReader(bytes)
        var (replica, sequence, hash): (ReplicaID?, UInt64, Digest?) = (nil, 0, nil)
        var commit: [UInt8]?
        while let field = try reader.next() {
            switch field.number {
            case Field.replica: replica = ReplicaID(try reader.bytes(field, count: 16))
            case Field.sequence: sequence = try reader.varint(field)
            case Field.hash: hash = Digest(try reader.bytes(field, count: Digest.size))
            case Field.bytes: commit = [UInt8](try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        guard let replica, let hash, let commit, sequence > 0, sequence < 1 << 62 else {
            throw WireError("a restored commit lacks its name or its bytes")
        }
        return RestoredCommit(
            commit: CommitID(replica: replica, sequence: SequenceNumber(sequence), hash: hash), bytes: commit)
    }
}
