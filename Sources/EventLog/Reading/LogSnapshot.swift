public import Events
internal import LMDB

/// A snapshot of the log, or, inside a write, its current state; valid inside the closure it was given to.
public struct LogSnapshot: ~Copyable {
    let transaction: ReadTransaction
    let tables: LogTables
    /// The commits without what is hidden of them, for readers of events; nil where commits are read as they are
    /// stored. The maker of the snapshot keeps it alive as long as the snapshot is valid.
    private let shownCommits: ShownCommits?

    init(_ transaction: consuming ReadTransaction, _ tables: LogTables, showing shownCommits: ShownCommits? = nil) {
        self.transaction = transaction
        self.tables = tables
        self.shownCommits = shownCommits
    }

    /// A second handle on the same snapshot, for a type that wraps it. It is valid inside the same closure.
    public borrowing func alias() -> LogSnapshot {
        LogSnapshot(transaction.alias(), tables, showing: shownCommits)
    }

    /// The same snapshot with commits as they are stored, hidden leaves included: for what keeps or removes bytes beside the log. It is
    /// valid inside the same closure.
    package borrowing func asStored() -> LogSnapshot { LogSnapshot(transaction.alias(), tables) }

    /// The position of the newest commit; `.start` if there is none. O(log n).
    public func lastPosition() throws -> Position {
        var cursor = try transaction.cursor(on: tables.log)
        guard let row = try cursor.last() else { return .start }
        return try position(of: row)
    }

    /// The commit at a position, without what is hidden of it, or nil. O(log n); no copy of a commit of which nothing
    /// is hidden. A copy is valid until some megabytes of others were made: read one commit after the other.
    ///
    /// Throws `EventLogError.damaged` if the stored bytes are no commit.
    public func commit(at position: Position) throws -> StoredCommit? {
        guard let commit = try storedCommit(at: position) else { return nil }
        guard let hiding = try hiding() else { return commit }
        return try Self.shown(commit, hiding.erasing, hiding.shown)
    }

    /// The commit as it is shown.
    private static func shown(
        _ commit: StoredCommit, _ erasing: ResolvedErasing, _ shownCommits: ShownCommits
    ) throws -> StoredCommit {
        let name = CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
        guard let fate = erasing.fates[name],
            let view = try shownCommits.shown(commit.view, at: commit.position, fate)
        else { return commit }
        return StoredCommit(
            position: commit.position, hash: commit.hash, view: view, counts: commit.counts, isCopy: true)
    }

    /// The commit at a position as it is stored, hidden leaves included: for what forwards, proves or removes bytes.
    package func storedCommit(at position: Position) throws -> StoredCommit? {
        guard let value = try transaction.get(position.rawValue, in: tables.log) else { return nil }
        let (hash, view) = try Self.commit(value, at: position)
        return StoredCommit(
            position: position, hash: hash, view: view, counts: try verdicts().counts(view.header, hash, self))
    }

    /// The same without judging whether it counts.
    func bytes(at position: UInt64) throws -> (hash: Digest, view: CommitView)? {
        try transaction.get(position, in: tables.log).map { try Self.commit($0, at: Position(position)) }
    }

    /// Judges commits in sequence: mostly commits of one replica follow each other.
    private struct Judge {
        private let verdicts: Verdicts
        private let isOpen: Bool
        /// The hidden leaves, and the newest commit without them; nil if there are none.
        private let hiding: (erasing: ResolvedErasing, shown: ShownCommits)?
        private var replica: ReplicaID?
        private var allowance = Verdicts.Allowance.all

        init(_ log: borrowing LogSnapshot) throws {
            verdicts = try log.verdicts()
            isOpen = verdicts.isOpen
            hiding = try log.hiding().map { ($0.erasing, ShownCommits(keeping: 0)) }
        }

        mutating func commit(
            _ value: UnsafeRawBufferPointer, at position: Position, _ log: borrowing LogSnapshot
        ) throws -> StoredCommit {
            let commit = try storedCommit(value, at: position, log)
            guard let hiding else { return commit }
            return try LogSnapshot.shown(commit, hiding.erasing, hiding.shown)
        }

        private mutating func storedCommit(
            _ value: UnsafeRawBufferPointer, at position: Position, _ log: borrowing LogSnapshot
        ) throws -> StoredCommit {
            let (hash, view) = try LogSnapshot.commit(value, at: position)
            if isOpen { return StoredCommit(position: position, hash: hash, view: view, counts: true) }
            let author = view.header.replica
            if author != replica { (replica, allowance) = (author, verdicts.allowance(of: author)) }
            let counts =
                try !verdicts.isVoid(hash) && Verdicts.counts(view.header, hash, within: allowance, log)
            return StoredCommit(position: position, hash: hash, view: view, counts: counts)
        }
    }

    private func hiding() throws -> (erasing: ResolvedErasing, shown: ShownCommits)? {
        guard let shownCommits, let erasing = try erasing() else { return nil }
        return (erasing, shownCommits)
    }

    /// Calls `body` with the commits after a position, in order, up to another; `body` returns whether to continue.
    ///
    /// The commits are valid as long as the snapshot; copies, which lack what is hidden, only during the call.
    public func forEachCommit(
        after start: Position, upTo end: Position = Position(.max), _ body: (StoredCommit) throws -> Bool
    ) throws {
        // Nothing comes after the largest position.
        let (first, isNone) = start.rawValue.addingReportingOverflow(1)
        guard !isNone else { return }
        var cursor = try transaction.cursor(on: tables.log)
        var row = try cursor.seek(atOrAfter: first)
        var judge = try Judge(self)
        // It owns the copies.
        defer { withExtendedLifetime(judge) {} }
        while let current = row {
            let position = try position(of: current)
            guard position <= end, try body(try judge.commit(current.value, at: position, self)) else { return }
            row = try cursor.next()
        }
    }

    /// Calls `body` with the commits before a position, from the newest to the oldest, likewise; `body` returns whether
    /// to continue.
    public func forEachCommitBackwards(
        before end: Position, _ body: (StoredCommit) throws -> Bool
    ) throws {
        var cursor = try transaction.cursor(on: tables.log)
        var row = try cursor.seek(before: end.rawValue)
        var judge = try Judge(self)
        defer { withExtendedLifetime(judge) {} }
        while let current = row {
            guard try body(try judge.commit(current.value, at: try position(of: current), self)) else { return }
            row = try cursor.previous()
        }
    }

    /// The newest commit of a line, or nil if the log holds none of it.
    public func head(of line: LineID) throws -> LineHead? {
        guard let value = try transaction.get(line.bytes, in: tables.heads) else { return nil }
        guard let head = LineHead(value) else { throw Self.damaged("the head of replica \(line.replica)") }
        return head
    }

    /// The heads of every line. O(lines).
    public func heads() throws -> [LineID: LineHead] {
        var heads: [LineID: LineHead] = [:]
        var cursor = try transaction.cursor(on: tables.heads)
        var row = try cursor.first()
        while let current = row {
            guard let line = LineID(current.key), let head = LineHead(current.value) else {
                throw Self.damaged("a line's head")
            }
            heads[line] = head
            row = try cursor.next()
        }
        return heads
    }

    /// The position of a commit of a line, or nil if it is not held. Commits that a branch shares with the line that it
    /// leaves count as its own. O(log runs).
    public func position(of sequence: SequenceNumber, in line: LineID) throws -> Position? {
        guard line.branch == nil else {
            return try family(of: line.replica, in: line.journal).position(of: sequence, in: line, self)
        }
        guard let head = try head(of: line), sequence > .start, sequence <= head.sequence else { return nil }
        return try run(of: sequence, in: head, line.replica).position
    }

    /// The position of the commit with a number and a stamp, which distinguishes it from another commit with that
    /// number. Nil if it is not held. O(log runs).
    public func position(of sequence: SequenceNumber, with stamp: Stamp, in journal: JournalID) throws -> Position? {
        let family = try family(of: stamp.replica, in: journal)
        for member in family.members where member.head.first <= sequence && sequence <= member.head.sequence {
            let position = try run(of: sequence, in: member.head, stamp.replica).position
            if family.members.count == 1 { return position }
            if try hash(at: position) == stamp.hash { return position }
        }
        return nil
    }

    /// The position of a line's own commit, and up to which number its run certainly continues.
    func run(
        of sequence: SequenceNumber, in head: LineHead, _ replica: ReplicaID
    ) throws -> (position: Position, last: SequenceNumber) {
        var cursor = try transaction.cursor(on: tables.runs)
        // The next run says where this one ends; without one it ends with the line.
        let next = try cursor.seek(atOrAfter: head.line.bigEndianBytes + sequence.next.rawValue.bigEndianBytes)
        var last = head.sequence
        if let next, next.key.count == 12, next.key.bigEndian(UInt32.self) == head.line {
            last = SequenceNumber(next.key.bigEndian(UInt64.self, at: 4) &- 1)
        }
        guard let run = try next == nil ? cursor.last() : cursor.previous(), run.key.count == 12, run.value.count == 8,
            run.key.bigEndian(UInt32.self) == head.line
        else { throw Self.damaged("the runs of replica \(replica)") }
        let first = run.key.bigEndian(UInt64.self, at: 4)
        // Wrapping: a damaged row leads to a position without a commit, and not to a trap.
        return (Position(run.value.bigEndian(UInt64.self) &+ (sequence.rawValue &- first)), last)
    }

    /// The signature over a commit of a line, or nil.
    public func signature(of sequence: SequenceNumber, in line: LineID) throws -> [UInt8]? {
        guard let head = try head(of: line) else { return nil }
        let key = head.line.bigEndianBytes + sequence.rawValue.bigEndianBytes
        return try transaction.get(key, in: tables.signatures).map { [UInt8]($0) }
    }

    /// The hash of the commit at a position, without reading the commit.
    package func hash(at position: Position) throws -> Digest? {
        guard let value = try transaction.get(position.rawValue, in: tables.log) else { return nil }
        guard value.count > Digest.size, let hash = Digest(value.part(0..<Digest.size)) else {
            throw Self.damaged("the commit at position \(position)")
        }
        return hash
    }

    /// The position of the commit with a hash; nil if it is not held. O(commits): hashes are not indexed.
    package func position(of hash: Digest) throws -> Position? {
        let wanted = hash.bytes
        return try wanted.withUnsafeBytes { wanted in
            var cursor = try transaction.cursor(on: tables.log)
            var row = try cursor.last()
            while let current = row {
                if current.value.count > Digest.size, current.value.part(0..<Digest.size).equals(wanted) {
                    return try position(of: current)
                }
                row = try cursor.previous()
            }
            return nil
        }
    }

    /// The hashes of commits that begin with some hexadecimal digits in lower case. O(commits).
    package func hashes(beginningWith digits: String) throws -> [Digest] {
        let bytes = [UInt8](hexadecimal: String(digits.prefix(digits.utf8.count / 2 * 2))) ?? []
        var found: [Digest] = []
        var cursor = try transaction.cursor(on: tables.log)
        var row = try cursor.first()
        while let current = row {
            if bytes.withUnsafeBytes({ current.value.begins(with: $0) }), current.value.count > Digest.size,
                let hash = Digest(current.value.part(0..<Digest.size)), hash.description.hasPrefix(digits)
            {
                found.append(hash)
            }
            row = try cursor.next()
        }
        return found
    }

    /// The device name of the log, for people; empty if it has none.
    public func deviceName() throws -> String { String(decoding: try meta(MetaKey.name) ?? [], as: UTF8.self) }

    func meta(_ key: [UInt8]) throws -> [UInt8]? { try transaction.get(key, in: tables.meta).map { [UInt8]($0) } }

    private func position(of row: Cursor.Row) throws -> Position {
        guard row.key.count == 8 else { throw Self.damaged("a position") }
        return Position(row.key.bigEndian(UInt64.self))
    }

    /// The contents of a row of the log.
    static func commit(
        _ value: UnsafeRawBufferPointer, at position: Position
    ) throws -> (hash: Digest, view: CommitView) {
        guard value.count > Digest.size, let hash = Digest(value.part(0..<Digest.size)) else {
            throw damaged("the commit at position \(position)")
        }
        do {
            let view = try CommitView(value.part(from: Digest.size))
            guard view.header.format <= CommitHeader.currentFormat else {
                throw EventLogError(
                    .newerFormat,
                    "The commit at position \(position) has format \(view.header.format) and this version reads up to "
                        + "\(CommitHeader.currentFormat). Use a newer version.")
            }
            return (hash, view)
        } catch let error as WireError {
            throw damaged("the commit at position \(position)", error)
        }
    }

    static func damaged(_ what: String, _ cause: WireError? = nil) -> EventLogError {
        EventLogError(
            .damaged, "In the log \(what) is not intact. Verify the log to see how far the damage goes.",
            cause: cause)
    }
}
