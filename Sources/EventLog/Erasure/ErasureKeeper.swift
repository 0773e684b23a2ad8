public import Events
import LMDB

/// Keeps erasures inside one write transaction, and takes the bytes that they name out of the commits that are held.
struct ErasureKeeper {
    private let tables: LogTables
    /// How many commits were stored in another form than before.
    private(set) var rewritten = 0
    private(set) var kept = 0

    init(_ tables: LogTables) { self.tables = tables }

    /// Keeps statements about one commit that is held, signed as they must be, and takes the bytes away that they name. Those that name
    /// what the commit does not have, and those that say nothing new, are passed over.
    mutating func keep(_ erasures: [Erasure], at position: Position, _ transaction: borrowing WriteTransaction) throws {
        guard let hash = erasures.first?.commit.hash else { return }
        let log = LogSnapshot(transaction.reading.alias(), tables)
        guard let commit = try log.commit(at: position) else { throw LogSnapshot.damaged("position \(position)") }
        // What says who may write stays, whoever asks.
        guard !commit.header.isMembership else { return }
        let leafCount = commit.view.leafCount
        var held = try log.commitErasures(of: hash)
        let before = Set(held.statements)
        guard held.add(erasures.filter { $0.leaves.areWithin(leafCount) }) else { return }
        let after = Set(held.statements)
        for erasure in before.subtracting(after) { try transaction.delete(erasure.key, in: tables.erasures) }
        for erasure in after.subtracting(before) {
            try transaction.put(erasure.key, erasure.bytes, in: tables.erasures)
        }
        kept += after.subtracting(before).count
        try rewrite(commit, as: commit.view.without(held.leaves), transaction)
    }

    /// Puts back bytes that are missing for no reason, from a commit that came from elsewhere, and returns whether there were any.
    ///
    /// The commit has the header of the one that is held, and the payload that this names; it may lack bytes as well.
    mutating func heal(
        _ commit: CommitView, at position: Position, _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        guard let held = try log.commit(at: position), let missing = held.view.erased else { return false }
        let named = try log.erasedLeaves(of: held.hash)
        let remaining = (commit.erased ?? .none).union(named)
        guard !missing.isSubset(of: named), remaining.isSubset(of: missing), remaining != missing else { return false }
        let before = rewritten
        try rewrite(held, as: commit.without(named), transaction)
        return rewritten > before
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
        if rewritten > 0 { try LogSnapshot.countRewrite(tables, transaction) }
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

    func commitErasures(of hash: Digest) throws -> CommitErasures { CommitErasures(held: try erasures(of: hash)) }

    /// What is erased of a commit.
    func erasedLeaves(of hash: Digest) throws -> ErasedLeaves { try commitErasures(of: hash).leaves }

    /// Counts a transaction among those after which views are not what the log says.
    static func countRewrite(_ tables: LogTables, _ transaction: borrowing WriteTransaction) throws {
        let count = try LogSnapshot(transaction.reading.alias(), tables).rewriteCount()
        try transaction.put(MetaKey.rewrites, (count &+ 1).bigEndianBytes, in: tables.meta)
    }

    /// How many transactions changed commits that were stored before, or which of them count: what was derived before the last of them is not what the log
    /// says now.
    public func rewriteCount() throws -> UInt64 {
        try transaction.get(MetaKey.rewrites, in: tables.meta).map { $0.count == 8 ? $0.bigEndian(UInt64.self) : 0 }
            ?? 0
    }

    private static func erasure(_ bytes: UnsafeRawBufferPointer) throws -> Erasure {
        do { return try Erasure([UInt8](bytes)) } catch { throw damaged("an erasure", error) }
    }
}
