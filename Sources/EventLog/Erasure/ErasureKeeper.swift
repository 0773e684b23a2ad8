public import Events
import LMDB

/// Keeps erasures inside one write transaction, and takes the bytes that they name out of the commits that are held.
struct ErasureKeeper {
    private let tables: LogTables
    /// Commits after this position are new: nobody saw them in another form.
    private let newAfter: Position
    /// How many commits that were held before are in another form than before…
    private(set) var rewritten = 0
    /// …and how many of these count, so that views show something else.
    private var changed = 0
    /// Statements that count and were not held.
    private(set) var kept = 0

    init(_ tables: LogTables, newAfter: Position) {
        self.tables = tables
        self.newAfter = newAfter
    }

    /// Judges the statements about a commit as the members stand, those held and others that came together, each of them signed; keeps
    /// those that are needed, and takes the bytes away which those name that count.
    ///
    /// Those that name what the commit does not have are passed over. One that does not count is kept as long as bytes are missing that
    /// none which counts names: it says why, to whoever gets the commit from here, until somebody puts the bytes back. Those of replicas
    /// in `leaving` are taken for ones that do not count: these are about to be revoked.
    mutating func settle(
        _ position: Position, adding came: [Erasure] = [], leaving: (ReplicaID) -> Bool = { _ in false },
        _ transaction: borrowing WriteTransaction
    ) throws {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        guard let commit = try log.commit(at: position) else { throw LogSnapshot.damaged("position \(position)") }
        // What says who may write stays, whoever asks.
        guard !commit.header.isMembership else { return }
        let verdicts = try log.verdicts()
        func counts(_ erasure: Erasure) -> Bool { verdicts.counts(erasure) && !leaving(erasure.eraser) }
        let leafCount = commit.view.leafCount
        let held = try log.heldErasures(of: commit.hash)
        // Of a commit that is back it shows what it does not have.
        let fitting = held.filter { $0.leaves.areWithin(leafCount) }
        let possible = came.filter { $0.leaves.areWithin(leafCount) }
        var counting = CommitErasures()
        counting.add(fitting.filter(counts))
        let before = Set(counting.statements)
        counting.add(possible.filter(counts))
        kept += Set(counting.statements).subtracting(before).count
        var needed = counting.statements
        if let missing = commit.view.erased, !missing.isSubset(of: counting.leaves) {
            var others = CommitErasures(held: fitting.filter { !counts($0) })
            others.add(possible.filter { !counts($0) })
            needed += others.statements
        }
        for erasure in Set(held).subtracting(needed) { try transaction.delete(erasure.key, in: tables.erasures) }
        for erasure in Set(needed).subtracting(held) {
            try transaction.put(erasure.key, erasure.bytes, in: tables.erasures)
        }
        try rewrite(commit, as: commit.view.without(counting.leaves), transaction)
    }

    /// Settles anew what statements are about that count and did not, or the other way round. O(statements), if anything changed of
    /// who may erase.
    private mutating func settleAnew(since before: Verdicts, _ transaction: borrowing WriteTransaction) throws {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        let after = try log.verdicts()
        guard before.membership?.erasingRights != after.membership?.erasingRights else { return }
        let journal = try log.journal()
        var judgedAnew: Set<CommitID> = []
        try log.forEachErasure { erasure in
            if before.counts(erasure) != after.counts(erasure) { judgedAnew.insert(erasure.commit) }
        }
        for commit in judgedAnew.sorted() {
            guard let position = try log.position(of: commit, in: journal) else { continue }
            try settle(position, transaction)
        }
    }

    /// Puts back bytes that are missing for no reason that counts, from a commit that came from elsewhere, and returns whether there
    /// were any.
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
        return try rewrite(held, as: commit.without(named), transaction)
    }

    @discardableResult
    private mutating func rewrite(
        _ commit: StoredCommit, as bytes: [UInt8], _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        guard !bytes.withUnsafeBytes({ $0.equals(commit.view.bytes) }) else { return false }
        let (hash, isNew, counts) = (commit.hash.bytes, commit.position > newAfter, commit.counts)
        try transaction.put(commit.position.rawValue, hash, bytes, in: tables.log)
        if !isNew {
            rewritten += 1
            if counts { changed += 1 }
        }
        return true
    }

    /// Once all else is done: settles what the members' changes mean for erasures, and counts the transaction if it changed what views
    /// show: stored commits, or which of them count. Answers whether other commits count than before.
    @discardableResult
    mutating func finish(_ members: MembershipKeeper, _ transaction: borrowing WriteTransaction) throws -> Bool {
        let isJudgedAnew = try members.finish(transaction)
        if members.isChanged { try settleAnew(since: members.before, transaction) }
        if changed > 0 || isJudgedAnew { try LogSnapshot.countRewrite(tables, transaction) }
        return isJudgedAnew
    }

    /// The same where nothing changed of the members.
    func finish(_ transaction: borrowing WriteTransaction) throws {
        if changed > 0 { try LogSnapshot.countRewrite(tables, transaction) }
    }
}

extension Erasure {
    /// Its row: the commit's hash ‖ the first half of its own.
    var key: [UInt8] { commit.hash.bytes + digest.bytes.prefix(16) }
}

extension LogSnapshot {
    /// What is held of erasures of a commit, whether they count or not. O(those).
    func heldErasures(of hash: Digest) throws -> [Erasure] {
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

    /// Of these the ones that count as the members stand.
    public func erasures(of hash: Digest) throws -> [Erasure] {
        let held = try heldErasures(of: hash)
        return held.isEmpty ? held : held.filter(try verdicts().counts)
    }

    /// Those that are handed on with a commit: those that count, and, if more is missing than they name, those that say why.
    func erasures(with commit: borrowing StoredCommit) throws -> [Erasure] {
        let held = try heldErasures(of: commit.hash)
        guard !held.isEmpty else { return held }
        let counting = CommitErasures(held: held.filter(try verdicts().counts))
        return commit.view.erased?.isSubset(of: counting.leaves) ?? true ? counting.statements : held
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
    package func hasErasures() throws -> Bool { try transaction.count(of: tables.erasures) > 0 }

    /// Those of a commit that count.
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
