package import Events
import LMDB

/// Removes erased bytes from held commits inside one write transaction, and keeps the erasures that explain what is
/// missing.
struct ErasureKeeper {
    private let tables: LogTables
    /// Commits after this position are new: no reader has seen them in another form.
    private let newAfter: Position
    /// How many commits that were held before now have another form.
    private(set) var rewritten = 0
    /// How many commits of these that count have more bytes, so that views change. What is removed was hidden before.
    private var changed = 0
    /// How many erasures are kept that were not held.
    private(set) var kept = 0
    /// The erasures that were kept of commits that were held before now, and those by which bytes of these were removed;
    /// and the commits of them that have other bytes.
    private(set) var addedToHeld: [Erasure] = []
    private(set) var rewrittenHeld: [CommitID] = []

    init(_ tables: LogTables, newAfter: Position) {
        self.tables = tables
        self.newAfter = newAfter
    }

    /// Removes leaves of a commit, and keeps the erasures that explain what is missing of it afterwards: those held,
    /// others that arrived, each of them signed, and those that hide the bytes.
    ///
    /// An erasure that names what the commit does not have, or nothing that is missing, is not kept: by itself none
    /// removes anything.
    mutating func judge(
        _ position: Position, adding came: [Erasure] = [], removing removed: LeafSelection = .none,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        guard let commit = try log.storedCommit(at: position) else { throw LogSnapshot.damaged("position \(position)") }
        // Statements are never erased.
        guard commit.header.isErasable else { return }
        let leafCount = commit.view.leafCount
        let missing = LeafSelection(commit.view.erased).union(removed)
        let held = try log.erasures(of: commit.hash)
        let needed = try missing.isEmpty ? [] : explaining(missing, of: commit, held + came, log)
        for erasure in Set(held).subtracting(needed) { try transaction.delete(erasure.key, in: tables.erasures) }
        let added = Set(needed).subtracting(held)
        for erasure in added { try transaction.put(erasure.key, erasure.bytes, in: tables.erasures) }
        kept += added.count
        let isRewritten = try rewrite(commit, as: commit.view.without(removed.leaves(of: leafCount)), transaction)
        // The file, and what lies beside it, may still have the bytes.
        if isRewritten { try transaction.put(ScrubPart.log.key, [1], in: tables.meta) }
        if position <= newAfter { addedToHeld += isRewritten ? needed : Array(added) }
    }

    /// The erasures that are kept because leaves of a commit are missing, among some and those that hide leaves. Those
    /// of replicas that erase the commit come first: what another names a carrier may have removed.
    private func explaining(
        _ missing: LeafSelection, of commit: StoredCommit, _ erasures: [Erasure], _ log: borrowing LogSnapshot
    ) throws -> [Erasure] {
        let leafCount = commit.view.leafCount
        let hiding = try log.fate(of: commit.name)?.fitting(leafCount).filter { !$0.standing.isEmpty } ?? []
        let fitting = (erasures + hiding.map(\.erasure)).filter { erasure in
            erasure.leaves.areWithin(leafCount) && !LeafSelection(erasure.leaves).intersection(missing).isEmpty
        }
        let rights = ErasingRights(membership: try log.membership())
        func erases(_ erasure: Erasure) -> Bool { rights.part(of: erasure.eraser, over: commit.header.replica) != nil }
        var (needed, others) = (CommitErasures(), CommitErasures())
        needed.add(fitting.filter(erases))
        if !missing.isSubset(of: LeafSelection(needed.leaves)) { others.add(fitting.filter { !erases($0) }) }
        return needed.statements + others.statements
    }

    /// Restores bytes that are missing, and that no erasure hides, from a commit that another replica sent, and returns
    /// whether there were any.
    ///
    /// The commit has the header of the held one, and the payload that this names; it may lack bytes as well, also such
    /// as are held here.
    mutating func heal(
        _ commit: CommitView, at position: Position, _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        guard let held = try log.storedCommit(at: position), held.view.erased != nil else { return false }
        let (missing, lacking) = (LeafSelection(held.view.erased), LeafSelection(commit.erased))
        let leafCount = held.view.leafCount ?? commit.leafCount
        let hidden = try log.fate(of: held.name)?.hidden(leafCount) ?? .none
        // Bytes that are hidden and held here stay as they are.
        var left = hidden.union(lacking).intersection(missing)
        let bytes: [UInt8]
        if case .only(let holes) = missing, !lacking.isSubset(of: missing) {
            // Neither copy has the commit's salt, so that all leaves together are no whole commit.
            if left.isEmpty, let last = holes.leaves.last { left = .only(LeafSet([last])) }
            guard case .only(let leaves) = missing.subtracting(left), !leaves.isEmpty else { return false }
            bytes = held.view.filled(with: leaves, of: commit)
        } else {
            guard !missing.isSubset(of: left) else { return false }
            bytes = commit.without(left.leaves(of: leafCount))
        }
        let isShown = held.counts && position <= newAfter
        guard try rewrite(held, as: bytes, transaction) else { return false }
        if isShown { changed += 1 }
        return true
    }

    @discardableResult
    private mutating func rewrite(
        _ commit: StoredCommit, as bytes: [UInt8], _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        guard !bytes.withUnsafeBytes({ $0.equals(commit.view.bytes) }) else { return false }
        let (name, isNew) = (commit.name, commit.position > newAfter)
        try transaction.put(commit.position.rawValue, name.hash.bytes, bytes, in: tables.log)
        if !isNew {
            rewritten += 1
            rewrittenHeld.append(name)
        }
        return true
    }

    /// Call it last: counts the transaction if it changed what views show: stored commits, what is hidden of them, or
    /// which of them count. Returns whether held commits count or are hidden otherwise than before.
    @discardableResult
    mutating func finish(
        _ members: MembershipKeeper, _ erasing: ErasingKeeper, _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        let isJudgedAnew = try members.finish(transaction)
        let log = LogSnapshot(transaction.reading.alias(), tables)
        var isHiddenAnew = false
        for position in try erasing.changed(membersChanged: members.isChanged, log) where position <= newAfter {
            guard let commit = try log.storedCommit(at: position) else { continue }
            // Nothing of a payload that is gone is shown either way.
            if commit.counts, commit.view.erased != .all { isHiddenAnew = true }
            // An erasure that counts explains what was missing before.
            if !commit.view.isWhole { try judge(position, transaction) }
        }
        if changed > 0 || isJudgedAnew || isHiddenAnew { try LogSnapshot.countRewrite(tables, transaction) }
        return isJudgedAnew || isHiddenAnew
    }

    /// Counts the transaction if it changed what views show, where neither members nor statements changed.
    func finish(_ transaction: borrowing WriteTransaction) throws {
        if changed > 0 { try LogSnapshot.countRewrite(tables, transaction) }
    }
}

extension StoredCommit {
    var name: CommitID { CommitID(replica: header.replica, sequence: header.sequence, hash: hash) }
}

extension Erasure {
    /// Its row: the commit's hash ‖ the first half of its own.
    var key: [UInt8] { commit.hash.bytes + digest.bytes.prefix(16) }
}

extension LogSnapshot {
    /// The held erasures of a commit, which explain what is missing of it, and are forwarded with it. O(those).
    package func erasures(of hash: Digest) throws -> [Erasure] {
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

    /// Counts a transaction after which views no longer match the log.
    static func countRewrite(_ tables: LogTables, _ transaction: borrowing WriteTransaction) throws {
        let count = try LogSnapshot(transaction.reading.alias(), tables).rewriteCount()
        try transaction.put(MetaKey.rewrites, (count &+ 1).bigEndianBytes, in: tables.meta)
    }

    /// How many transactions changed stored commits, which of them count, or what is hidden of them: data derived before
    /// the last of these no longer matches the log.
    public func rewriteCount() throws -> UInt64 {
        try transaction.get(MetaKey.rewrites, in: tables.meta).map { $0.count == 8 ? $0.bigEndian(UInt64.self) : 0 }
            ?? 0
    }

    private static func erasure(_ bytes: UnsafeRawBufferPointer) throws -> Erasure {
        do { return try Erasure([UInt8](bytes)) } catch { throw damaged("an erasure", error) }
    }
}
