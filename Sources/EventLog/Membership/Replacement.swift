import Events

/// A statement that counts, by which a replica or its successor replaced commits that were written with a clock that was ahead.
struct Replacement: Hashable, Sendable {
    /// The most commits with such statements that are considered about a replica: the earliest. It needs one for each time that its clock
    /// was wrong, or a few.
    static let most = 64

    /// Statements dated before this have no effect: the first version that made any was released later, and no clock before its release
    /// makes one. 2026-11-23.
    static let earliest = Timestamp(milliseconds: 1_795_392_000_000)

    /// The last replaced commit.
    let last: CommitID
    /// Only commits that are later are replaced: a day after the statement.
    let after: Timestamp

    init(last: CommitID, at time: Timestamp) {
        self.last = last
        after = Self.end(at: time)
    }

    /// The latest time of commits that a statement does not replace.
    static func end(at time: Timestamp) -> Timestamp {
        let (end, overflow) = time.rawValue.addingReportingOverflow(UInt64(Dependencies.toleratedLead) << 16)
        return Timestamp(rawValue: overflow ? .max : end)
    }
}

extension MembershipResolver {
    /// Determines what was replaced of a replica, once the revocations that limit it are known. `said` are its own statements, if it is an
    /// admin: its revocations limit a successor before that one's statements can replace them.
    mutating func resolveReplacements(of replica: ReplicaID, saying said: [MembershipFacts.Entry] = []) throws {
        var found: [Replacement] = []
        var commits: Set<CommitID> = []
        for entry in facts.replacements[replica] ?? [] {
            let author = entry.commit.replica
            guard commits.contains(entry.commit) || commits.count < Replacement.most else { break }
            var cuts = limits(of: author).map(\.cut)
            if author != replica { cuts += revocations(of: author, after: replica, in: said) }
            guard case .replacement(let last) = entry.statement,
                try cuts.allSatisfy({ try $0.contains { try precedes(entry.commit, $0) } })
            else { continue }
            commits.insert(entry.commit)
            membership.replacedNames.insert(last)
            let replacement = Replacement(last: last, at: entry.timestamp)
            // One commit names several of a line, because a replica may hold only a part of it: the last of those that are held decides.
            let isCovered = try found.contains { try precedes(last, $0.last) }
            guard try !isCovered && precedes(last, last) else { continue }
            try found.removeAll { try $0.after == replacement.after && precedes($0.last, last) }
            found.append(replacement)
        }
        if !commits.isEmpty { membership.replacements[replica] = found }
    }

    /// The cuts of the revocations, among statements of a replica, of one of its successors and of those between the two.
    private func revocations(
        of successor: ReplicaID, after replica: ReplicaID, in said: [MembershipFacts.Entry]
    ) -> [Set<CommitID>] {
        let limiting = facts.replicas(before: successor).union([successor]).subtracting([replica])
        return said.compactMap { entry in
            guard case .revocation(let target, let cut) = entry.statement, limiting.contains(target),
                membership.members[target] == nil
            else { return nil }
            return cut
        }
    }

    /// Determines what was replaced of all replicas that are no admins.
    mutating func resolveReplacements() throws {
        for replica in facts.replacements.keys where membership.members[replica]?.role != .admin {
            try resolveReplacements(of: replica)
        }
    }

    /// Whether a statement is in a commit that was replaced.
    func isReplaced(_ entry: MembershipFacts.Entry) throws -> Bool {
        try membership.replacements[entry.commit.replica]?.contains {
            try entry.timestamp > $0.after && precedes(entry.commit, $0.last)
        } ?? false
    }
}
