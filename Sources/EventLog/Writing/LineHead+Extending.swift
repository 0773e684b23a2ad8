import Events
import LMDB

extension LineHead {
    /// Stores the line's next commit at the end of the log, and advances the head. The commit's hash and the commit
    /// come in two parts, cut anywhere. The caller writes the head's own row, once a transaction.
    mutating func extend(
        with header: (sequence: SequenceNumber, timestamp: Timestamp), _ hash: Digest, _ front: [UInt8],
        _ rest: [UInt8],
        at position: Position, after last: Position, _ transaction: borrowing WriteTransaction, _ tables: LogTables
    ) throws {
        try transaction.put(position.rawValue, front, rest, in: tables.log, .atEnd)
        // A run continues as long as no other line's commit comes between.
        if self.position != last || sequence == .start {
            let key = line.bigEndianBytes + header.sequence.rawValue.bigEndianBytes
            try transaction.put(key, position.rawValue, in: tables.runs)
        }
        sequence = header.sequence
        self.hash = hash
        timestamp = header.timestamp
        self.position = position
        unsignedBytes += UInt64(front.count + rest.count - Digest.size)
    }
}
