import EventLog
import Events
import LMDB

extension Generation {
    /// Merges the commits that the log has beyond the checkpoint, batch by batch, each with its checkpoint in one
    /// transaction. Calls `didApply` after each, with the number of its events. Blocks.
    ///
    /// Throws `ProjectionError.damaged` if the log is not the one that the views were built from, `.outdated` if
    /// commits of it were changed since, `GenerationRetired` if another generation serves by now, and `ProjectionFault`
    /// if a projection fails: everything before the failing commit is then applied.
    func applyPending(
        from log: Log, upTo end: Position = Position(.max), didApply: (_ events: Int) -> Void
    ) throws {
        do {
            while let events = try applyBatch(from: log, upTo: end) {
                didApply(events)
            }
        } catch is ProjectionFault {
            // Commit by commit, up to the failing one.
            while let events = try applyBatch(from: log, upTo: end, commits: 1) {
                didApply(events)
            }
        }
    }

    private func applyBatch(
        from log: Log, upTo end: Position, commits: Int = .max
    ) throws -> Int? {
        try log.read { snapshot in
            // Without this check, every call would take the writer lock to find nothing to do.
            let start = try environment.read { try checkpoint($0) }
            guard !start.isRetired else { throw GenerationRetired() }
            guard try min(snapshot.lastPosition(), end) > start.position else {
                try start.check(against: snapshot)
                return nil
            }
            return try environment.write { transaction in
                try apply(snapshot, upTo: end, commits: commits, transaction)
            }
        }
    }

    /// Speculatively merges commits that follow a checkpoint and are not durable yet, and commits them once
    /// `isDurable`, which blocks, returns true. Returns the number of events, or nil if nothing was written.
    ///
    /// Throws what a projection or the medium refuses; nothing is then written.
    func apply(
        _ copies: CommitCopies, after checkpoint: Checkpoint, _ isDurable: () -> Bool
    ) throws -> Int? {
        struct GivenUp: Error {}
        do {
            return try copies.withCommits { commits in
                try environment.write { transaction in
                    guard try self.checkpoint(transaction.reading) == checkpoint else { throw GivenUp() }
                    let count = try merge(rewrites: checkpoint.rewrites, transaction) { add in
                        for commit in commits { _ = try add(commit) }
                    }
                    guard isDurable() else { throw GivenUp() }
                    return count
                }
            }
        } catch is GivenUp { return nil }
    }

    private func apply(
        _ log: borrowing LogSnapshot, upTo end: Position, commits: Int,
        _ transaction: borrowing WriteTransaction
    ) throws -> Int? {
        let start = try checkpoint(transaction.reading)
        // Another process may have retired it since the check.
        guard !start.isRetired else { throw GenerationRetired() }
        try start.check(against: log)
        var last = start.position
        var commitCount = 0
        do {
            return try merge(rewrites: log.rewriteCount(), transaction) { add in
                try log.forEachCommit(after: start.position, upTo: end) { commit in
                    last = commit.position
                    commitCount += 1
                    return try !add(commit) && commitCount < commits
                }
            }
        } catch let fault as ProjectionFault {
            throw commitCount == 1 ? fault.found(at: last) : fault
        }
    }

    /// The one way for commits into views: merges them and writes the rows that differ, with the checkpoint after them. `forEach`
    /// passes each commit in order to `add`, which returns whether the transaction should have no more of them.
    ///
    /// Returns the number of events, or nil if there was no commit.
    private func merge(
        rewrites: UInt64, _ transaction: borrowing WriteTransaction,
        _ forEach: (_ add: (StoredCommit) throws -> Bool) throws -> Void
    ) throws -> Int? {
        let (views, haveDropped) = try maintainedViews(transaction)
        var batch = Batch(self, views)
        var last: Checkpoint?
        var unread: NeededUpdate?
        try forEach { commit in
            if let needed = commit.neededUpdate { unread = unread?.adding(needed) ?? needed }
            last = Checkpoint(position: commit.position, hash: commit.hash, rewrites: rewrites)
            try batch.add(commit)
            return batch.isFull
        }
        guard let last else { return nil }
        var counts = try rowCounts(transaction.reading)
        var changed = try batch.finish(transaction, &counts)
        if let unread { try add(unread, transaction) }
        // Every result says how many commits it lacks.
        if haveDropped || unread != nil { changed.addEverything() }
        try setCheckpoint(last, transaction)
        try note(changed, at: last.position, transaction, &counts)
        try setRowCounts(counts, transaction)
        return batch.eventCount
    }

    /// Keeps the changed keys for readers of other processes; the oldest are dropped.
    private func note(
        _ changed: consuming ChangedKeys, at position: Position, _ transaction: borrowing WriteTransaction,
        _ counts: inout RowCounts
    ) throws {
        try transaction.put(position.rawValue, changed.encoded, in: changes)
        counts[Self.changesPart] += 1
        let surplus = counts[Self.changesPart] - Invalidation.keptBatches
        // Many at a time: deleting one touches as many pages.
        guard surplus >= Invalidation.batchesDroppedAtOnce else { return }
        var oldest: [[UInt8]] = []
        do {
            var cursor = try transaction.reading.cursor(on: changes)
            while oldest.count < surplus, let row = try cursor.next() { oldest.append([UInt8](row.key)) }
        }
        for key in oldest { try transaction.delete(key, in: changes) }
        counts[Self.changesPart] -= oldest.count
    }
}

/// A generation accepts no more commits: another one has replaced it.
struct GenerationRetired: Error {}
