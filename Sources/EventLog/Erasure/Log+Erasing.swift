import Events
import LMDB

extension Log {
    /// Erases a payload, or leaves of it: their bytes go, here and wherever the statement comes, and every proof stands. Views no
    /// longer show what was said there. It cannot be undone.
    ///
    /// A replica erases what it wrote itself or the replica in whose place it writes; an admin erases what anybody wrote. What a
    /// replica erased that is revoked later stays erased as far as the admin knew of it.
    ///
    /// The medium may keep the bytes in pages that the file no longer uses, until they are used again; so may backups.
    ///
    /// Throws `EventLogError`: `.notErasable` if the commit is not held or is not this replica's to erase, is the first of its line or
    /// says who may write, or was erased in parts too often; `.readOnly`; or what the medium refuses.
    public func erase(_ leaves: ErasedLeaves, in commit: CommitID) async throws {
        guard let writer else { throw Self.cannotErase }
        try await writer.erase(leaves, in: commit, at: wallClock)
    }

    /// Signs anew, as this replica, what was erased by a replica that is to be revoked, or by one in its place, and by nobody else: what
    /// those say counts no longer then. Does nothing unless this replica is an admin.
    func confirmErasures(by replica: ReplicaID) async throws {
        guard let writer else { throw Self.cannotErase }
        try await writer.confirmErasures(by: replica, at: wallClock)
    }

    /// Keeps erasures that came from elsewhere, those of one commit together, and takes the bytes away that they name. Those of
    /// commits that are not held, and those that do not count, are passed over. Answers how many were new.
    ///
    /// Throws `EventLogError`, or what the medium refuses; nothing is then kept.
    @discardableResult
    public func keep(_ erasures: [Erasure]) async throws -> Int {
        guard let writer else { throw Self.cannotErase }
        let own = journal
        // Signatures are checked before a transaction is begun, and of each commit no more statements than are kept of one.
        let counting = try read { log in
            let verdicts = try log.verdicts()
            return try Dictionary(grouping: erasures.lazy.filter { $0.journal == own }, by: \.commit)
                .compactMapValues { erasures -> [Erasure]? in
                    // Cheap first: who sends what is known, or of nothing that is held, makes nobody check signatures.
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
        try await settle { [self] transaction in
            let log = LogSnapshot(transaction.reading.alias(), tables)
            let own = try author.author(in: log)
            // What is erased must lie before a signature: it is that which vouches for what is left.
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
            guard let leafCount = view.leafCount else { return [:] }
            // One statement says all that was erased of the commit.
            let held = try log.commitErasures(of: commit.hash)
            let all = leaves.union(held.leaves).within(leafCount)
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
        try await settle(leaving: replica) { [self] transaction in
            let log = LogSnapshot(transaction.reading.alias(), tables)
            let (verdicts, own) = (try log.verdicts(), try author.author(in: log))
            guard let membership = verdicts.membership, membership.role(of: own.identity.id) == .admin,
                !membership.isInPlace(own.identity.id, of: replica)
            else { return [:] }
            var concerned: Set<CommitID> = []
            try log.forEachErasure { erasure in
                if verdicts.counts(erasure), membership.isInPlace(erasure.eraser, of: replica) {
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
                    held: held.statements.filter { !membership.isInPlace($0.eraser, of: replica) })
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

    func keep(_ erasures: [CommitID: [Erasure]]) async throws -> Int { try await settle { _ in erasures } }

    @discardableResult
    private func settle(
        leaving: ReplicaID? = nil,
        _ erasures: @escaping @Sendable (borrowing WriteTransaction) throws -> [CommitID: [Erasure]]
    ) async throws -> Int {
        try await worker.run { [self] in
            var keeper: ErasureKeeper?
            let last = try environment.write { transaction in
                let log = LogSnapshot(transaction.reading.alias(), tables)
                let last = try log.lastPosition()
                // Another attempt begins anew.
                var settling = ErasureKeeper(tables, newAfter: last)
                let journal = try log.journal()
                let membership = try log.membership()
                for (commit, erasures) in try erasures(transaction) {
                    // What no signature vouches for here yet is not known to be what was erased.
                    guard try !log.heldSigned([commit], in: journal).isEmpty,
                        let position = try log.position(of: commit, in: journal)
                    else { continue }
                    try settling.settle(
                        position, adding: erasures,
                        leaving: { eraser in leaving.map { membership?.isInPlace(eraser, of: $0) ?? false } ?? false },
                        transaction)
                }
                try settling.finish(transaction)
                keeper = settling
                return last
            }
            guard let keeper else { return 0 }
            if keeper.rewritten > 0 { observer?.received(upTo: last) }
            return keeper.kept
        }
    }
}
