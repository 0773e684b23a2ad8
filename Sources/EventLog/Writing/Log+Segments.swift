internal import Events
import LMDB

extension Log {
    /// The stretches of a line after a commit, each ending at a signature, up to `limit` bytes (one at least).
    ///
    /// This replica's own line is signed up to its head first; a foreign line always ends at a signature.
    public func segments(
        of line: LineID, after sequence: SequenceNumber, limit: Int = 16 << 20
    ) async throws -> [LineSegment] {
        if line == ownLine { try await writer?.signHead() }
        return try await worker.run { [self] in try read { try $0.segments(of: line, after: sequence, limit: limit) } }
    }

    /// Stores a stretch of another replica's line once every commit and the signature were checked: whole or not at
    /// all. What is here already is passed over. Answers the last position.
    ///
    /// Throws `EventLogError.rejected` if anything is not right, `.readOnly`, or what the medium refuses.
    @discardableResult
    public func store(_ segment: LineSegment) async throws -> Position {
        guard let writer else {
            throw EventLogError(.readOnly, "The store was opened for reading. Open it for writing to take in commits.")
        }
        return try await writer.store(segment)
    }
}

extension LogSnapshot {
    func segments(of line: LineID, after start: SequenceNumber, limit: Int) throws -> [LineSegment] {
        guard let head = try head(of: line) else { return [] }
        var segments: [LineSegment] = []
        var commits: [[UInt8]] = []
        var size = 0
        var sequence = start
        while sequence < head.signed, size < limit || !commits.isEmpty {
            sequence = sequence.next
            guard let position = try position(of: sequence, in: line), let commit = try commit(at: position) else {
                throw EventLogError(.damaged, "Commit \(sequence) of replica \(line.replica) is missing in the log.")
            }
            commits.append([UInt8](commit.view.bytes))
            size += commit.view.bytes.count
            if let signature = try signature(of: sequence, in: line) {
                let first = SequenceNumber(sequence.rawValue + 1 - UInt64(commits.count))
                segments.append(LineSegment(line: line, first: first, commits: commits, signature: signature))
                commits = []
            }
        }
        return segments
    }

    /// The key that a line's first commit carries; nil if it is not here.
    func publicKey(of line: LineID) throws -> [UInt8]? {
        guard let position = try position(of: SequenceNumber(1), in: line), let commit = try commit(at: position) else {
            return nil
        }
        return try? commit.view.payload?.copy().introduction?.publicKey
    }
}

extension LogWriter {
    /// Signs this replica's line up to its head, so that it can be offered.
    func signHead() async throws {
        try await worker.run { [self] in
            try environment.write { transaction in
                var appender = try LineAppender(
                    LogSnapshot(transaction.reading.alias(), tables), line: line, identity: identity, schema: schema,
                    surroundings: surroundings)
                try appender.sign(transaction)
                try appender.finish(transaction)
            }
        }
    }

    func store(_ segment: LineSegment) async throws -> Position {
        try await worker.run { [self] in
            let position = try environment.write { try store(segment, $0) }
            observer?.committed(upTo: position)
            return position
        }
    }

    private func store(_ segment: LineSegment, _ transaction: borrowing WriteTransaction) throws -> Position {
        let snapshot = LogSnapshot(transaction.reading.alias(), tables)
        var last = try snapshot.lastPosition()
        let known = try snapshot.head(of: segment.line)
        let next = known?.sequence.next ?? SequenceNumber(1)
        let held = segment.first < next ? Int(clamping: next.rawValue - segment.first.rawValue) : 0
        if !segment.commits.isEmpty && held >= segment.commits.count { return last }
        let rest = LineSegment(
            line: segment.line, first: SequenceNumber(segment.first.rawValue + UInt64(held)),
            commits: Array(segment.commits.dropFirst(held)), signature: segment.signature)
        let commits = try rest.verified(after: known, publicKey: snapshot.publicKey(of: segment.line))
        var head = try known ?? .new(line: UInt32(transaction.reading.count(of: tables.heads) + 1))
        for commit in commits {
            try head.extend(
                with: (commit.header.sequence, commit.header.timestamp), commit.hash, commit.bytes, at: last.next,
                after: last, transaction, tables)
            last = last.next
        }
        let key = head.line.bigEndianBytes + head.sequence.rawValue.bigEndianBytes
        try transaction.put(key, segment.signature, in: tables.signatures)
        head.signed = head.sequence
        head.unsignedBytes = 0
        try transaction.put(segment.line.bytes, head.encoded(), in: tables.heads)
        let seen =
            try snapshot.meta(MetaKey.seen)?.withUnsafeBytes { $0.count == 8 ? $0.bigEndian(UInt64.self) : 0 } ?? 0
        if head.timestamp.rawValue > seen {
            try transaction.put(MetaKey.seen, head.timestamp.rawValue.bigEndianBytes, in: tables.meta)
        }
        return last
    }
}
