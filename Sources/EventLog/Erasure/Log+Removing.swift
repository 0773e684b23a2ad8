import Events
import LMDB

extension Log {
    /// Removes the bytes whose time has come: those that erasures hide, as far as this log has held these for as long
    /// as they can be taken back. Returns the number of commits that have fewer bytes now.
    ///
    /// Throws `EventLogError.readOnly`, or what the medium refuses. O(erasures).
    @discardableResult
    package func removeDue() async throws -> Int {
        guard let writer else { throw Self.cannotErase }
        let now = wallClock
        return try await repeatingOnConflict {
            // Looks first, without a transaction: mostly there is nothing to remove.
            guard try read({ try $0.isAnythingDue(at: now) }) else { return 0 }
            return try await writer.changeHeld(at: now) { transaction in
                try writer.remove(at: now, transaction)
            }.rewritten
        }
    }
}

extension Log {
    /// Removes at the opening what is due.
    static func removeDue(at now: Int64, in environment: Environment, _ tables: LogTables) throws {
        let isDue = try environment.read { transaction in
            try !LogSnapshot(transaction.alias(), tables).removable(at: now).isEmpty
        }
        if isDue { try environment.write { _ = try ErasureKeeper.removing(at: now, tables, $0) } }
    }

    /// Bytes that change with what is stated, and with the members; nil if nothing is. O(1).
    package func erasingTokens() throws -> [UInt8]? { try read { try $0.erasingTokens() } }

    /// The time at which bytes are next to be removed here, in milliseconds since 1970, by what is held now; nil if none
    /// are. Something may be due already. O(statements).
    package func nextRemoval() throws -> Int64? {
        let now = wallClock
        return try read { log in
            guard let erasing = try log.erasing() else { return nil }
            let times = try log.statedErasures(at: now).compactMap { stated -> Int64? in
                if case .pending(let time) = stated.state { time } else { nil }
            }
            // A shorter period that applies later may bring them forward.
            return times.isEmpty ? nil : (times + [erasing.period.days(at: now).coming?.time].compactMap(\.self)).min()
        }
    }
}

extension LogWriter {
    func remove(at now: Int64, _ transaction: borrowing WriteTransaction) throws -> ErasureKeeper {
        try ErasureKeeper.removing(at: now, tables, transaction)
    }
}

extension ErasureKeeper {
    /// Removes everything whose time has come, inside a transaction.
    static func removing(
        at now: Int64, _ tables: LogTables, _ transaction: borrowing WriteTransaction
    ) throws -> ErasureKeeper {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        var keeper = ErasureKeeper(tables, newAfter: try log.lastPosition())
        for (position, leaves) in try log.removable(at: now) {
            try keeper.judge(position, removing: leaves, transaction)
        }
        try keeper.finish(transaction)
        return keeper
    }
}

extension LogSnapshot {
    /// Whether bytes are to go at a time, in milliseconds since 1970. O(1) if there were none a moment before, and nothing
    /// has arrived since.
    fileprivate func isAnythingDue(at now: Int64) throws -> Bool {
        guard let state = try erasingState(), let erasing = try erasing() else { return false }
        if tables.erasing.isIdle(in: state, at: now) { return false }
        guard try removable(at: now).isEmpty else { return true }
        let due = ErasureDue(at: now, erasing)
        let next = erasing.fates.values.lazy.flatMap(\.erasures).filter { !$0.standing.isEmpty }
            .map { due.time(of: $0) }.filter { $0 > now }.min()
        // The period may change with time as well.
        let limit = now.addingReportingOverflow(60_000)
        if !limit.overflow { tables.erasing.keepIdle(in: state, now..<min(limit.partialValue, next ?? .max)) }
        return false
    }

    /// The commits of which bytes are to go at a time, in milliseconds since 1970, each with the leaves.
    func removable(at now: Int64) throws -> [(position: Position, leaves: LeafSelection)] {
        guard let erasing = try erasing() else { return [] }
        let (journal, due) = (try journal(), ErasureDue(at: now, erasing))
        var found: [(position: Position, leaves: LeafSelection)] = []
        var families: [ReplicaID: LineFamily] = [:]
        for (commit, fate) in erasing.fates {
            // Without the number of leaves the selection is at most larger.
            guard !due.removable(fate, nil).isEmpty else { continue }
            let family = try families[commit.replica] ?? family(of: commit.replica, in: journal)
            families[commit.replica] = family
            guard let owner = try family.owner(of: commit, self) else { continue }
            let position = try run(of: commit.sequence, in: owner.head, commit.replica).position
            guard let stored = try storedCommit(at: position), stored.header.isErasable else { continue }
            let leafCount = stored.view.leafCount
            let leaves = LeafSelection(due.removable(fate, leafCount).leaves(of: leafCount))
            // Most of them went before.
            guard !leaves.isSubset(of: LeafSelection(stored.view.erased)) else { continue }
            if try !heldSigned([commit], in: journal).isEmpty { found.append((position, leaves)) }
        }
        return found.sorted { $0.position < $1.position }
    }
}
