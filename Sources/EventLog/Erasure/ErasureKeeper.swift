public import Events
import LMDB

/// Keeps erasures inside one write transaction, and takes the bytes that they name out of the commits that are held.
struct ErasureKeeper {
    /// The most statements about one commit. A replica that erases more of it says again what it erased before, so that one is
    /// enough; more than a handful is malice.
    static let mostOfCommit = 64

    private let tables: LogTables
    /// How many commits were stored in another form than before.
    private(set) var rewritten = 0
    private(set) var kept = 0

    init(_ tables: LogTables) { self.tables = tables }

    /// Keeps a statement that counts, about a commit that is held, and takes the bytes away. One that says nothing new is not kept;
    /// those that say nothing beside it go.
    mutating func keep(_ erasure: Erasure, at position: Position, _ transaction: borrowing WriteTransaction) throws {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        let held = try log.erasures(of: erasure.commit.hash)
        let known = held.reduce(ErasedLeaves.none) { $0.union($1.leaves) }
        guard !erasure.leaves.isSubset(of: known) else { return }
        let superseded = held.filter { $0.leaves.isSubset(of: erasure.leaves) }
        guard held.count - superseded.count < Self.mostOfCommit else {
            throw EventLogError(
                .rejected,
                "There are \(held.count) erasures of commit \(erasure.commit.sequence) of replica \(erasure.commit.replica), and one "
                    + "more is not taken in: whoever erases more of a commit says it in one statement.")
        }
        for other in superseded { try transaction.delete(other.key, in: tables.erasures) }
        try transaction.put(erasure.key, erasure.bytes, in: tables.erasures)
        kept += 1
        guard let commit = try log.commit(at: position) else { throw LogSnapshot.damaged("position \(position)") }
        try rewrite(commit, as: commit.view.without(known.union(erasure.leaves)), transaction)
    }

    /// Puts back bytes that are missing for no reason, from a commit that came from elsewhere, and answers whether there were any.
    ///
    /// The commit is right: its bytes are those that its header names, and what it lacks an erasure names.
    mutating func heal(_ commit: CommitView, at position: Position, _ transaction: borrowing WriteTransaction) throws {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        guard let held = try log.commit(at: position), let missing = held.view.erased else { return }
        let named = try log.erasedLeaves(of: held.hash)
        guard !missing.isSubset(of: named) else { return }
        try rewrite(held, as: commit.without(named), transaction)
    }

    private mutating func rewrite(
        _ commit: StoredCommit, as bytes: [UInt8], _ transaction: borrowing WriteTransaction
    ) throws {
        guard !bytes.withUnsafeBytes({ $0.equals(commit.view.bytes) }) else { return }
        let hash = commit.hash.bytes
        try transaction.put(commit.position.rawValue, hash, bytes, in: tables.log)
        rewritten += 1
    }

    /// Counts the transaction among those that changed stored commits, so that views know that they are not what the log says.
    func finish(_ transaction: borrowing WriteTransaction) throws {
        guard rewritten > 0 else { return }
        let count = try LogSnapshot(transaction.reading.alias(), tables).rewriteCount()
        try transaction.put(MetaKey.rewrites, (count + 1).bigEndianBytes, in: tables.meta)
    }
}

extension Erasure {
    /// Its row: the commit's hash ‖ the first half of its own.
    var key: [UInt8] { commit.hash.bytes + digest.bytes.prefix(16) }
}

extension LogSnapshot {
    /// What is held of erasures of a commit. O(those).
    public func erasures(of hash: Digest) throws -> [Erasure] {
        var found: [Erasure] = []
        let prefix = hash.bytes
        var cursor = try transaction.cursor(on: tables.erasures)
        var row = try cursor.seek(atOrAfter: prefix)
        while let current = row, current.key.starts(with: prefix) {
            found.append(try Self.erasure(current.value))
            row = try cursor.next()
        }
        return found
    }

    /// Calls `body` with each erasure that is held, those of one commit one after the other.
    public func forEachErasure(_ body: (Erasure) throws -> Void) throws {
        var cursor = try transaction.cursor(on: tables.erasures)
        var row = try cursor.first()
        while let current = row {
            try body(try Self.erasure(current.value))
            row = try cursor.next()
        }
    }

    /// Whether any are held. O(1).
    public func hasErasures() throws -> Bool { try transaction.count(of: tables.erasures) > 0 }

    /// What is erased of a commit.
    func erasedLeaves(of hash: Digest) throws -> ErasedLeaves {
        try erasures(of: hash).reduce(.none) { $0.union($1.leaves) }
    }

    /// How many transactions changed commits that were stored before: what was derived before the last of them is not what the log
    /// says now.
    public func rewriteCount() throws -> UInt64 {
        try transaction.get(MetaKey.rewrites, in: tables.meta).map { $0.count == 8 ? $0.bigEndian(UInt64.self) : 0 }
            ?? 0
    }

    private static func erasure(_ bytes: UnsafeRawBufferPointer) throws -> Erasure {
        do { return try Erasure([UInt8](bytes)) } catch { throw damaged("an erasure", error) }
    }
}
