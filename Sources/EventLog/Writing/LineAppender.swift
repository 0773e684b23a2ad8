import Events
import LMDB

/// Extends this replica's line inside one write transaction.
struct LineAppender {
    let author: LogAuthor
    private let schema: UInt32
    private let dependencies: Dependencies
    private let tables: LogTables
    /// The content of the line's first commit; nil if there is one.
    private let introduction: Payload.Introduction?
    private let seen: Timestamp
    private var head: LineHead
    private(set) var last: Position
    /// The number of the line's newest commit.
    var newest: SequenceNumber { head.sequence }
    /// The stored commits, for work overlapped with the fsync.
    private(set) var copies = CommitCopies()
    private(set) var hasAppended = false
    private var hasChanged = false
    private var keeper: MembershipKeeper
    private var erasing: ErasingKeeper

    private var line: LineID { author.line }

    init(
        _ snapshot: borrowing LogSnapshot, author: LogAuthor, schema: UInt32, dependencies: Dependencies,
        _ verdicts: Verdicts
    ) throws {
        self.author = author
        self.schema = schema
        self.dependencies = dependencies
        tables = snapshot.tables
        seen = try snapshot.newestSeen(upTo: dependencies.latestPlausible())
        last = try snapshot.lastPosition()
        keeper = MembershipKeeper(snapshot, verdicts, last: last)
        erasing = try ErasingKeeper(snapshot, of: author.journal)
        let lines = try snapshot.transaction.count(of: tables.heads)
        head = try snapshot.head(of: author.line) ?? .new(line: UInt32(lines + 1))
        guard head.sequence == .start else {
            introduction = nil
            return
        }
        introduction = try snapshot.nextIntroduction(of: author)
    }

    /// Signs what a line has beyond its last signature, so that it can be forwarded.
    static func signHead(
        of author: LogAuthor, _ log: borrowing LogSnapshot, _ transaction: borrowing WriteTransaction
    ) throws {
        guard let head = try log.head(of: author.line), head.signed < head.sequence else { return }
        let unused = Dependencies(now: { 0 }, randomBytes: { _ in [] })
        var appender = try LineAppender(
            log, author: author, schema: 0, dependencies: unused, log.verdicts())
        try appender.sign(transaction)
        try appender.finish(transaction)
    }

    /// Signs a commit that lies before the line's head.
    static func sign(
        _ commit: CommitID, of author: LogAuthor, _ log: borrowing LogSnapshot,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard let head = try log.head(of: author.line) else { return }
        let message = LineSignature.message(
            journal: author.journal, replica: commit.replica, sequence: commit.sequence, hash: commit.hash)
        let key = head.line.bigEndianBytes + commit.sequence.rawValue.bigEndianBytes
        try transaction.put(key, try author.identity.sign(message), in: log.tables.signatures)
    }

    /// Stores a commit with the next sequence number and timestamp.
    mutating func append(_ payload: HashedPayload, _ transaction: borrowing WriteTransaction) throws -> Appended {
        guard head.sequence == .start, let introduction else { return try store(payload, transaction) }
        // Salts are drawn in commit order, and the introduction gets the first.
        let first = try HashedPayload(
            Payload(introduction: introduction).encoded(), salt: payload.salt, at: payload.timestamp?.predecessor)
        let introduced = try store(first, transaction)
        // Nothing is to follow it yet.
        if payload.bytes.isEmpty { return introduced }
        return try store(
            HashedPayload(
                payload.bytes, salt: dependencies.salt(), at: payload.timestamp, features: payload.features),
            transaction)
    }

    private mutating func store(
        _ payload: HashedPayload, _ transaction: borrowing WriteTransaction
    ) throws -> Appended {
        let (timestamp, wallClock) = try nextTimestamp(payload.timestamp)
        let header = CommitHeader(
            journal: line.journal, replica: line.replica, sequence: head.sequence.next, timestamp: timestamp,
            wallClock: wallClock, schema: schema, payloadHash: payload.hash,
            features: payload.features)
        let headerBytes = header.encoded()
        let previous = head.hash
        let hash = headerBytes.withUnsafeBytes { CommitView.hash($0, after: previous) }
        let position = last.next
        let front = payload.front(headerBytes, hash: hash)
        try head.extend(
            with: (head.sequence.next, timestamp), hash, front, payload.bytes, at: position, after: last, transaction,
            tables)
        if payload.features != 0 || header.sequence.rawValue == 1 {
            try keeper.stored(header, hash, at: position, transaction)
            try erasing.stored(
                header, hash, at: position, now: dependencies.now(), isWrittenHere: true, transaction)
        }
        copies.add(front, payload.bytes, at: position)
        last = position
        (hasAppended, hasChanged) = (true, true)
        if head.sequence.rawValue - head.signed.rawValue >= LineSignature.commitsBetween
            || head.unsignedBytes >= LineSignature.bytesBetween
        {
            try sign(transaction)
        }
        return Appended(
            position: position, replica: line.replica, sequence: head.sequence, timestamp: timestamp, hash: hash)
    }

    /// Checks whether a commit may be stored now: not if its planned timestamp has passed meanwhile.
    ///
    /// Throws `HashedPayload.TimestampPassed`; nothing was then written.
    func admit(_ payload: HashedPayload) throws(HashedPayload.TimestampPassed) {
        guard let planned = payload.timestamp else { return }
        let first = head.sequence == .start ? planned.predecessor : planned
        guard first > max(head.timestamp, seen) else { throw HashedPayload.TimestampPassed() }
    }

    /// Later than every timestamp of the line and all that were seen.
    private func nextTimestamp(_ planned: Timestamp?) throws -> (Timestamp, wallClock: Int64?) {
        let now = dependencies.now()
        let timestamp = try planned ?? LineClock.next(after: max(head.timestamp, seen), now: now)
        try LineClock.check(timestamp, now: now)
        let drift = Int64(timestamp.milliseconds) - now
        return (timestamp, abs(drift) > 1000 ? now : nil)
    }

    /// Signs the line up to its head.
    mutating func sign(_ transaction: borrowing WriteTransaction) throws {
        guard head.signed < head.sequence else { return }
        let message = LineSignature.message(
            journal: line.journal, replica: line.replica, sequence: head.sequence, hash: head.hash)
        let key = head.line.bigEndianBytes + head.sequence.rawValue.bigEndianBytes
        try transaction.put(key, try author.identity.sign(message), in: tables.signatures)
        head.signed = head.sequence
        head.unsignedBytes = 0
        hasChanged = true
    }

    /// Writes the line's head, once a transaction.
    func finish(_ transaction: borrowing WriteTransaction) throws {
        guard hasChanged else { return }
        try transaction.put(line.bytes, head.encoded(), in: tables.heads)
        var erasures = ErasureKeeper(tables, newAfter: last)
        try erasures.finish(keeper, erasing, transaction)
    }
}
