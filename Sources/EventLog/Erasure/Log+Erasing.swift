import Events
import LMDB

extension Log {
    /// Erases a payload that this replica wrote, or leaves of it: their bytes go, here and wherever the statement comes, and every
    /// proof stands. Views no longer show what was said there. It cannot be undone.
    ///
    /// The medium may keep the bytes in pages that the file no longer uses, until they are used again; so may backups.
    ///
    /// Throws `EventLogError`: `.notErasable` if the commit is not held, is another's, or is the first of its line; `.readOnly`; or
    /// what the medium refuses.
    public func erase(_ leaves: ErasedLeaves, in commit: CommitID) async throws {
        guard let writer else { throw Self.cannotErase }
        try await writer.erase(leaves, in: commit, at: wallClock)
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
            try Dictionary(grouping: erasures.lazy.filter { $0.journal == own }, by: \.commit)
                .compactMapValues { erasures -> [Erasure]? in
                    // Cheap first: who sends what is known, or of nothing that is held, makes nobody check signatures.
                    let (commit, erasures) = (erasures[0].commit, Array(erasures.prefix(CommitErasures.enoughForAll)))
                    guard try log.holds(commit, in: own),
                        try log.commitErasures(of: commit.hash).isChanged(by: erasures),
                        let key = try log.publicKey(of: commit.replica, in: own)
                    else { return nil }
                    return erasures.filter { $0.isSigned(with: key) }
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
        try await rewrite { [self] transaction in
            let log = LogSnapshot(transaction.reading.alias(), tables)
            let own = try author.author(in: log)
            guard commit.replica == own.identity.id, commit.sequence.rawValue > 1,
                try log.holds(commit, in: own.journal)
            else {
                throw EventLogError(
                    .notErasable,
                    "Commit \(commit.sequence) of replica \(commit.replica) with the hash \(commit.hash) cannot be erased by replica "
                        + "\(own.identity.id): a replica erases what it wrote itself, and not the first commit of its line."
                )
            }
            // What is erased must lie before a signature: it is that which vouches for what is left.
            try LineAppender.signHead(of: own, log, transaction)
            guard let position = try log.position(of: commit, in: own.journal),
                let view = try log.commit(at: position)?.view, let leafCount = view.leafCount
            else { return [:] }
            guard !view.header.isMembership else {
                throw EventLogError(
                    .notErasable,
                    "Commit \(commit.sequence) of replica \(commit.replica) says who may write, and cannot be erased. Nothing was changed."
                )
            }
            // One statement says all that was erased of the commit.
            let all = leaves.union(try log.erasedLeaves(of: commit.hash)).within(leafCount)
            guard all != .none else { return [:] }
            let erasure = try Erasure(of: all, in: commit, of: own.journal, at: time, by: own.identity.id) {
                try own.identity.sign($0)
            }
            return [commit: [erasure]]
        }
    }

    func keep(_ erasures: [CommitID: [Erasure]]) async throws -> Int { try await rewrite { _ in erasures } }

    @discardableResult
    private func rewrite(
        _ erasures: @escaping @Sendable (borrowing WriteTransaction) throws -> [CommitID: [Erasure]]
    ) async throws -> Int {
        try await worker.run { [self] in
            var keeper = ErasureKeeper(tables)
            let last = try environment.write { transaction in
                let log = LogSnapshot(transaction.reading.alias(), tables)
                // Another attempt begins anew.
                keeper = ErasureKeeper(tables)
                let journal = try log.journal()
                for (commit, erasures) in try erasures(transaction) {
                    // What no signature vouches for here yet is not known to be what was erased.
                    guard try !log.heldSigned([commit], in: journal).isEmpty,
                        let position = try log.position(of: commit, in: journal)
                    else { continue }
                    try keeper.keep(erasures, at: position, transaction)
                }
                try keeper.finish(transaction)
                return try log.lastPosition()
            }
            if keeper.rewritten > 0 { observer?.received(upTo: last) }
            return keeper.kept
        }
    }
}
