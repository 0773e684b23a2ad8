import Events
import LMDB

extension LineHead {
    /// Stores the line's next commit at the end of the log, and moves the head on to it. The head's own row is written
    /// by the caller, once a transaction.
    mutating func extend(
        with header: (sequence: SequenceNumber, timestamp: Timestamp), _ hash: Digest, _ commit: [UInt8],
        at position: Position, after last: Position, _ transaction: borrowing WriteTransaction, _ tables: LogTables
    ) throws {
        try transaction.put(position.rawValue, hash.bytes + commit, in: tables.log, .atEnd)
        // A run goes on as long as no other line's commit comes between.
        if self.position != last || sequence == .start {
            let key = line.bigEndianBytes + header.sequence.rawValue.bigEndianBytes
            try transaction.put(key, position.rawValue, in: tables.runs)
        }
        sequence = header.sequence
        self.hash = hash
        timestamp = header.timestamp
        self.position = position
        unsignedBytes += UInt64(commit.count)
    }
}
