package import Events
import LMDB

extension LogSnapshot {
    /// How many commits are searched for an append's id.
    private static let rememberedCommits = 1024

    /// The newest commit with an append's id, among the last 1,024 of the line that this log's own commits extend: in a
    /// transaction also those that it has appended. If that line has fewer, the search continues in the line of the
    /// replica that this one succeeds, and so on. Nil if none has it.
    ///
    /// O(1,024), whatever the size of the commits.
    package func commit(bearing id: AppendID) throws -> StoredCommit? {
        let (journal, replica) = try authorship()
        var rest = Self.rememberedCommits
        var line = LineID(journal: journal, replica: replica)
        let head = try head(of: line)
        // A transaction writes the line's head last: what it has appended so far lies at the end of the log.
        var position = try lastPosition()
        while rest > 0, let commit = try storedCommit(at: position), commit.header.journal == journal,
            commit.header.replica == replica, commit.header.sequence > head?.sequence ?? .start
        {
            if commit.view.payload?.bears(id) == true { return commit }
            rest -= 1
            position = Position(position.rawValue - 1)
        }
        if let head, let found = try commit(bearing: id, on: head, of: line, &rest) { return found }
        guard rest > 0 else { return nil }
        for replica in try identityChanges().map(\.previous) where rest > 0 {
            line = LineID(journal: journal, replica: replica)
            guard let head = try self.head(of: line) else { continue }
            if let found = try commit(bearing: id, on: head, of: line, &rest) { return found }
        }
        return nil
    }

    /// Walks back from a line's head, run by run.
    private func commit(
        bearing id: AppendID, on head: LineHead, of line: LineID, _ rest: inout Int
    ) throws -> StoredCommit? {
        var cursor = try transaction.cursor(on: tables.runs)
        var sequence = head.sequence.rawValue
        while sequence > 0, rest > 0 {
            guard let run = try cursor.seek(before: head.line.bigEndianBytes + (sequence &+ 1).bigEndianBytes),
                run.key.count == 12, run.value.count == 8, run.key.bigEndian(UInt32.self) == head.line,
                case let first = run.key.bigEndian(UInt64.self, at: 4), first > 0, first <= sequence
            else { throw Self.damaged("the runs of replica \(line.replica)") }
            let start = run.value.bigEndian(UInt64.self)
            while sequence >= first, rest > 0 {
                guard let commit = try storedCommit(at: Position(start &+ (sequence - first))),
                    commit.header.replica == line.replica, commit.header.sequence.rawValue == sequence
                else { throw Self.damaged("commit \(sequence) of replica \(line.replica)") }
                if commit.view.payload?.bears(id) == true { return commit }
                rest -= 1
                sequence -= 1
            }
        }
        return nil
    }
}

extension StoredCommit {
    /// Its position and its names.
    package var appended: Appended {
        Appended(
            position: position, replica: header.replica, sequence: header.sequence, timestamp: header.timestamp,
            hash: hash)
    }
}
