import Events
import LMDB

extension Log {
    /// Erases a payload, or leaves of it: the bytes are removed here and on every replica that receives the statement,
    /// and every proof stays valid. Views no longer show them. It cannot be undone.
    ///
    /// A replica erases commits of its own and of the replicas that it succeeds; an admin erases any. What a replica
    /// erased before it was revoked stays erased as far as the admin knew of it.
    ///
    /// The medium may keep the bytes in pages that the file no longer uses, until they are reused; so may backups.
    ///
    /// Throws `EventLogError`: `.notErasable` if the commit is not held or this replica may not erase it, is the first
    /// of its line or holds statements about members, or was erased in parts too often; `.readOnly`; or what the medium
    /// refuses.
    public func erase(_ leaves: ErasedLeaves, in commit: CommitID) async throws {
        guard let writer else { throw Self.cannotErase }
        try await writer.erase(leaves, in: commit, at: wallClock)
    }

    /// Throws `EventLogError`: `.notErasable` if this replica may not erase one of these commits; `.readOnly`.
    package func checkErasable(_ commits: [CommitID]) throws {
        guard writer != nil else { throw Self.cannotErase }
        let refused = try read { log in
            let (verdicts, own) = (try log.verdicts(), try log.replica())
            return commits.first { !verdicts.mayErase(own, commitsOf: $0.replica) }
        }
        guard let refused else { return }
        throw EventLogError(
            .notErasable,
            "Commit \(refused.sequence) of replica \(refused.replica) cannot be erased by this one, which neither wrote it nor is an admin. "
                + "Nothing was changed.")
    }

    /// Signs again, as this replica, what only a replica that is about to be revoked, or its successors, erased: their
    /// statements stop counting then. Does nothing unless this replica is an admin.
    func confirmErasures(by replica: ReplicaID) async throws {
        guard let writer else { throw Self.cannotErase }
        try await writer.confirmErasures(by: replica, at: wallClock)
    }

    /// Keeps erasures from other replicas, those of one commit together, and removes the bytes that they name. Erasures
    /// of commits that are not held, and those that do not count, are ignored. Returns how many were new.
    ///
    /// Throws `EventLogError`, or what the medium refuses; nothing is then kept.
    @discardableResult
    public func keep(_ erasures: [Erasure]) async throws -> Int {
        guard let writer else { throw Self.cannotErase }
        return try await repeatingOnConflict { try await keep(erasures, writer) }
    }

    private func keep(_ erasures: [Erasure], _ writer: LogWriter) async throws -> Int {
        let own = journal
        // Signatures are checked before a transaction begins, and of each commit no more statements than are kept of
        // one.
        let counting = try read { log in
            let verdicts = try log.verdicts()
            return try Dictionary(grouping: erasures.lazy.filter { $0.journal == own }, by: \.commit)
                .compactMapValues { erasures -> [Erasure]? in
                    // Cheap checks first: known statements, and those of commits that are not held, cost no signature
                    // check.
                    let commit = erasures[0].commit
                    let possible = erasures.filter(verdicts.counts).bounded
                    guard try log.holds(commit, in: own),
                        try log.commitErasures(of: commit.hash).isChanged(by: possible)
                    else { return nil }
                    return possible.filter(\.isSigned)
                }
        }
        return counting.isEmpty ? 0 : try await writer.keep(counting)
    }

    private static var cannotErase: EventLogError {
        EventLogError(.readOnly, "The store was opened for reading. Open it for writing to erase anything.")
    }
}

extension LogWriter {
    func erase(_ leaves: ErasedLeaves, in commit: CommitID, at time: Int64) async throws {
        try await judge { [self] transaction in
            let log = LogSnapshot(transaction.reading.alias(), tables)
            let own = try author.author(in: log)
            // An erased commit must lie before a signature, which vouches for the rest of it.
            try LineAppender.signHead(of: own, log, transaction)
            guard commit.sequence.rawValue > 1,
                try log.verdicts().mayErase(own.identity.id, commitsOf: commit.replica),
                try log.heldSigned([commit], in: own.journal).contains(commit),
                let position = try log.position(of: commit, in: own.journal),
                let view = try log.commit(at: position)?.view
            else {
                throw EventLogError(
                    .notErasable,
                    "Commit \(commit.sequence) of replica \(commit.replica) with the hash \(commit.hash) cannot be erased by replica "
                        + "\(own.identity.id): a replica that was not revoked erases what it wrote itself, and an admin what anybody "
                        + "wrote; not what is not held here, and not the first commit of a line.")
            }
            guard !view.header.isMembership else {
                throw EventLogError(
                    .notErasable,
                    "Commit \(commit.sequence) of replica \(commit.replica) says who may write, and cannot be erased. Nothing was changed."
                )
            }
            // One statement covers everything that was erased of the commit. Of a payload that is gone nothing else can be named.
            let held = try log.commitErasures(of: commit.hash)
            let all = view.leafCount.map { leaves.union(held.leaves).within($0) } ?? .all
            guard !all.isSubset(of: held.leaves) else { return [:] }
            guard held.nextNumber <= Erasure.greatestNumber || all == .all else {
                throw EventLogError(
                    .notErasable,
                    "Commit \(commit.sequence) of replica \(commit.replica) was erased in parts \(held.nextNumber) times, and no more of "
                        + "it can be erased in parts. Erase all of it.")
            }
            let erasure = try Erasure(
                of: all, in: commit, of: own.journal, at: time, number: min(held.nextNumber, Erasure.greatestNumber),
                by: own.identity)
            return [commit: [erasure]]
        }
    }

    func confirmErasures(by replica: ReplicaID, at time: Int64) async throws {
        try await judge(leaving: replica) { [self] transaction in
            let log = LogSnapshot(transaction.reading.alias(), tables)
            let (verdicts, own) = (try log.verdicts(), try author.author(in: log))
            guard let membership = verdicts.membership, membership.role(of: own.identity.id) == .admin,
                !membership.isSameOrSuccessor(own.identity.id, of: replica)
            else { return [:] }
            var concerned: Set<CommitID> = []
            try log.forEachErasure { erasure in
                if verdicts.counts(erasure), membership.isSameOrSuccessor(erasure.eraser, of: replica) {
                    concerned.insert(erasure.commit)
                }
            }
            var found: [CommitID: [Erasure]] = [:]
            for commit in concerned {
                guard let position = try log.position(of: commit, in: own.journal),
                    let leafCount = try log.commit(at: position).map({ $0.view.leafCount ?? 0 })
                else { continue }
                let held = try log.commitErasures(of: commit.hash)
                let others = CommitErasures(
                    held: held.statements.filter { !membership.isSameOrSuccessor($0.eraser, of: replica) })
                guard !held.leaves.isSubset(of: others.leaves) else { continue }
                found[commit] = [
                    try Erasure(
                        of: held.leaves.within(leafCount), in: commit, of: own.journal, at: time,
                        number: min(others.nextNumber, Erasure.greatestNumber), by: own.identity)
                ]
            }
            return found
        }
    }

    func keep(_ erasures: [CommitID: [Erasure]]) async throws -> Int { try await judge { _ in erasures } }

    @discardableResult
    private func judge(
        leaving: ReplicaID? = nil,
        _ erasures: @escaping @Sendable (borrowing WriteTransaction) throws -> [CommitID: [Erasure]]
    ) async throws -> Int {
        try await worker.run { [self] in
            var keeper: ErasureKeeper?
            let entry = newEntry()
            let last = try environment.write { transaction in
                // Another attempt starts over.
                let attempt = try keep(try erasures(transaction), leaving: leaving, transaction)
                if ledger != nil {
                    var entry = entry
                    (entry.erasures, entry.rewritten) = (attempt.addedToHeld, attempt.rewrittenHeld)
                    try record(entry, transaction)
                }
                keeper = attempt
                return try LogSnapshot(transaction.reading.alias(), tables).lastPosition()
            }
            guard let keeper else { return 0 }
            if keeper.kept > 0 || keeper.rewritten > 0 { changes.raise() }
            if keeper.rewritten > 0 { observer?.received(upTo: last) }
            return keeper.kept
        }
    }

    /// Keeps erasures that are signed, inside a transaction.
    func keep(
        _ erasures: [CommitID: [Erasure]], leaving: ReplicaID?, _ transaction: borrowing WriteTransaction
    ) throws -> ErasureKeeper {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        var keeper = ErasureKeeper(tables, newAfter: try log.lastPosition())
        let journal = try log.journal()
        let membership = try log.membership()
        for (commit, erasures) in erasures {
            // A commit that no signature here vouches for may not be the one that was erased.
            guard try !log.heldSigned([commit], in: journal).isEmpty,
                let position = try log.position(of: commit, in: journal)
            else { continue }
            try keeper.judge(
                position, adding: erasures,
                leaving: { eraser in
                    leaving.map { membership?.isSameOrSuccessor(eraser, of: $0) ?? false } ?? false
                },
                transaction)
        }
        try keeper.finish(transaction)
        return keeper
    }
}
