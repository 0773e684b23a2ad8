public import Events
import LMDB

/// Keeps erasures inside one write transaction, and removes the erased bytes from held commits.
struct ErasureKeeper {
    private let tables: LogTables
    /// Commits after this position are new: no reader has seen them in another form.
    private let newAfter: Position
    /// How many commits that were held before now have another form.
    private(set) var rewritten = 0
    /// How many of these count, so that views change.
    private var changed = 0
    /// Counting statements that were not held.
    private(set) var kept = 0
    /// Statements that were kept of commits that were held before now, and those of these commits that have other bytes.
    private(set) var addedToHeld: [Erasure] = []
    private(set) var rewrittenHeld: [CommitID] = []

    init(_ tables: LogTables, newAfter: Position) {
        self.tables = tables
        self.newAfter = newAfter
    }

    /// Judges the statements about a commit by the current members: those held, and others that arrived together, each
    /// of them signed. Keeps the needed ones, and removes the bytes that counting ones name.
    ///
    /// Statements that name what the commit does not have are ignored. One that does not count is kept as long as bytes
    /// are missing that no counting one names: it explains the gap, to every replica that receives the commit from
    /// here, until the bytes are restored. Statements of replicas in `leaving` count no longer: these are about to be
    /// revoked.
    mutating func judge(
        _ position: Position, adding came: [Erasure] = [], leaving: (ReplicaID) -> Bool = { _ in false },
        _ transaction: borrowing WriteTransaction
    ) throws {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        guard let commit = try log.commit(at: position) else { throw LogSnapshot.damaged("position \(position)") }
        // Statements about members are never erased.
        guard !commit.header.isMembership else { return }
        let verdicts = try log.verdicts()
        func counts(_ erasure: Erasure) -> Bool { verdicts.counts(erasure) && !leaving(erasure.eraser) }
        let leafCount = commit.view.leafCount
        let held = try log.heldErasures(of: commit.hash)
        // A restored commit shows what it does not have.
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
            if position <= newAfter { addedToHeld.append(erasure) }
        }
        try rewrite(commit, as: commit.view.without(counting.leaves), transaction)
    }

    /// Judges again every commit whose statements now count and did not before, or the other way round. O(statements),
    /// if the right to erase changed for any replica.
    private mutating func judgeAgain(since before: Verdicts, _ transaction: borrowing WriteTransaction) throws {
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
            try judge(position, transaction)
        }
    }

    /// Restores bytes that are missing without a counting erasure, from a commit that another replica sent, and returns
    /// whether there were any.
    ///
    /// The commit has the header of the held one, and the payload that this names; it may lack bytes as well.
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
            rewrittenHeld.append(
                CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash))
            if counts { changed += 1 }
        }
        return true
    }

    /// Call it last: applies the changes of members to erasures, and counts the transaction if it changed what views
    /// show: stored commits, or which of them count. Returns whether other commits count than before.
    @discardableResult
    mutating func finish(_ members: MembershipKeeper, _ transaction: borrowing WriteTransaction) throws -> Bool {
        let isJudgedAnew = try members.finish(transaction)
        if members.isChanged { try judgeAgain(since: members.before, transaction) }
        if changed > 0 || isJudgedAnew { try LogSnapshot.countRewrite(tables, transaction) }
        return isJudgedAnew
    }

    /// The same where no member changed.
    func finish(_ transaction: borrowing WriteTransaction) throws {
        if changed > 0 { try LogSnapshot.countRewrite(tables, transaction) }
    }
}

extension Erasure {
    /// Its row: the commit's hash ‖ the first half of its own.
    var key: [UInt8] { commit.hash.bytes + digest.bytes.prefix(16) }
}

extension LogSnapshot {
    /// Held erasures of a commit, whether they count or not. O(those).
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

    /// The held ones that count by the current members.
    public func erasures(of hash: Digest) throws -> [Erasure] {
        let held = try heldErasures(of: hash)
        return held.isEmpty ? held : held.filter(try verdicts().counts)
    }

    /// Those that are forwarded with a commit: those that count, and, if more is missing than they name, those that
    /// explain it.
    func erasures(with commit: borrowing StoredCommit) throws -> [Erasure] {
        let held = try heldErasures(of: commit.hash)
        guard !held.isEmpty else { return held }
        let counting = CommitErasures(held: held.filter(try verdicts().counts))
        return commit.view.erased?.isSubset(of: counting.leaves) ?? true ? counting.statements : held
    }

    /// Calls `body` with each held erasure, grouped by commit.
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

    /// A commit's counting erasures.
    func commitErasures(of hash: Digest) throws -> CommitErasures { CommitErasures(held: try erasures(of: hash)) }

    /// The erased leaves of a commit.
    func erasedLeaves(of hash: Digest) throws -> ErasedLeaves { try commitErasures(of: hash).leaves }

    /// Counts a transaction after which views no longer match the log.
    static func countRewrite(_ tables: LogTables, _ transaction: borrowing WriteTransaction) throws {
        let count = try LogSnapshot(transaction.reading.alias(), tables).rewriteCount()
        try transaction.put(MetaKey.rewrites, (count &+ 1).bigEndianBytes, in: tables.meta)
    }

    /// How many transactions changed stored commits, or which of them count: data derived before the last of them no
    /// longer matches the log.
    public func rewriteCount() throws -> UInt64 {
        try transaction.get(MetaKey.rewrites, in: tables.meta).map { $0.count == 8 ? $0.bigEndian(UInt64.self) : 0 }
            ?? 0
    }

    private static func erasure(_ bytes: UnsafeRawBufferPointer) throws -> Erasure {
        do { return try Erasure([UInt8](bytes)) } catch { throw damaged("an erasure", error) }
    }
}
