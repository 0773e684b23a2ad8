package import Events

extension Log {
    /// Takes back what is erased of some commits, or of leaves of them, and returns the commits of this replica that
    /// say so. The leaves are shown again, with what arrived late for an erasure of which nothing is left, and bytes that
    /// were removed here come back from any replica that still has them.
    ///
    /// The eraser may take back, an admin whom an earlier path of grants made one, and the author of the commit over an
    /// admin.
    ///
    /// Throws `EventLogError`, and then nothing was stated: `.noEffect` if nothing of a commit is erased that this
    /// replica may take back; `.readOnly`; or what the medium refuses.
    @discardableResult
    package func takeBack(_ parts: [CommitID: ErasedLeaves]) async throws -> [CommitID] {
        guard !isReadOnly else { throw Self.cannotErase }
        var stated: [CommitID] = []
        try read { log in for (commit, leaves) in parts { try log.checkTakingBack(leaves, of: commit) } }
        for batch in TakeBacks.batches(parts) {
            let appended = try await append { log in
                for (commit, leaves) in batch { try log.checkTakingBack(leaves, of: commit) }
                return Payload(erasing: TakeBacks.statements(batch))
            }
            if let appended { stated.append(appended.id) }
        }
        return stated
    }

    /// Sets after how many days the bytes go that an admin erases of what others wrote. A shorter period applies on
    /// each replica after it was held there for the longer one.
    ///
    /// Throws `EventLogError`: `.notAMember` if this replica is no admin; `.noEffect` if the number is not from 7 to
    /// 365, or less if this is the founder, or if the journal has no members; `.readOnly`; or what the medium refuses.
    package func setErasingPeriod(days: Int) async throws {
        guard !isReadOnly else { throw Self.cannotErase }
        _ = try await append { log in
            let (membership, own) = try log.membershipWithOwn()
            try membership.checkAdmin(own)
            guard ErasingPeriod.mayBeSet(days, by: own, ErasingRights(membership: membership)) else {
                throw EventLogError(
                    .noEffect,
                    "What is erased of others stays from \(ErasingPeriod.allowed.lowerBound) to "
                        + "\(ErasingPeriod.allowed.upperBound) days, "
                        + "and not \(days): the founder alone may set fewer. Nothing was written.")
            }
            return Payload(erasing: [.period(days: days)])
        }
    }
}

/// Statements that take back.
enum TakeBacks {
    /// Parts whose statements have room in one commit.
    static func batches(_ parts: [CommitID: ErasedLeaves]) -> [[CommitID: ErasedLeaves]] {
        var batches: [[CommitID: ErasedLeaves]] = []
        var room = 0
        for (commit, leaves) in parts.sorted(by: { $0.key < $1.key }) {
            let bytes = leaves.encodedCount + 128
            if room < bytes || batches.last?.count == Payload.mostErasingStatements {
                batches.append([:])
                room = Payload.mostErasingBytes
            }
            room -= bytes
            batches[batches.count - 1][commit] = leaves
        }
        return batches
    }

    static func statements(_ parts: [CommitID: ErasedLeaves]) -> [ErasingStatement] {
        parts.sorted { $0.key < $1.key }.map { .takeBack($0.key, $0.value) }
    }
}

extension LogSnapshot {
    /// Throws `EventLogError.noEffect` if nothing of some leaves of a commit is erased that this replica may take back.
    fileprivate func checkTakingBack(_ leaves: ErasedLeaves, of commit: CommitID) throws {
        if try mayTakeBack([commit: leaves]) { return }
        throw EventLogError(
            .noEffect,
            "Nothing of commit \(commit.sequence) of replica \(commit.replica) is erased that replica \(try replica()) may take "
                + "back: the eraser may, "
                + "an admin of higher rank, and the author over an admin. Nothing was written.")
    }

    /// Whether something of the leaves of each of some commits is erased that this replica may take back.
    package func mayTakeBack(_ parts: [CommitID: ErasedLeaves]) throws -> Bool {
        guard let erasing = try erasing() else { return false }
        let own = try replica()
        return parts.allSatisfy { commit, leaves in
            erasing.fates[commit]?.erasures.contains { erasure in
                !erasure.standing.intersection(LeafSelection(leaves)).isEmpty
                    && erasing.rights.mayTakeBack(erasure, own)
            } ?? false
        }
    }

    /// What revoking a replica takes back: what it and its successors erased of others, as far as this log still has
    /// the bytes, and its own replica ranks higher; also where no cause stands, which may stand again.
    package func takenBack(byRevoking replica: ReplicaID) throws -> [CommitID: ErasedLeaves] {
        guard let erasing = try erasing(), let membership = try membership() else { return [:] }
        let (journal, own) = try authorship()
        var found: [CommitID: ErasedLeaves] = [:]
        for (commit, fate) in erasing.fates {
            var leaves = LeafSelection.none
            for erasure in fate.erasures
            where erasure.part == .admin && membership.isSameOrSuccessor(erasure.eraser, of: replica)
                && erasing.rights.overrules(own, erasure.eraser, over: commit.replica)
            {
                leaves = leaves.union(erasure.left)
            }
            guard !leaves.isEmpty, let position = try position(of: commit, in: journal),
                let stored = try storedCommit(at: position), stored.header.isErasable
            else { continue }
            let held = leaves.subtracting(LeafSelection(stored.view.erased))
            guard !held.isEmpty, let leafCount = stored.view.leafCount else { continue }
            let named = held.leaves(of: leafCount)
            if named != .none { found[commit] = named }
        }
        return found
    }
}

extension ErasingRights {
    /// Whether what a replica takes back from now on is no longer erased by an erasure.
    func mayTakeBack(_ erasure: CountingErasure, _ replica: ReplicaID) -> Bool {
        speaks(replica, for: erasure.eraser) || overrules(replica, erasure.eraser, over: erasure.erasure.commit.replica)
    }
}
