package import Events

/// The replicas of a journal whose lines fork, loaded once: which commits a commit of theirs follows, branch by branch.
package struct ForkedLines {
    /// A part of a replica's commits without a fork in it.
    package struct Branch: Hashable, Sendable {
        package let replica: ReplicaID
        /// The line's number in this log; 0 for a replica whose line does not fork.
        let line: UInt32

        /// For a replica whose line does not fork.
        package init(of replica: ReplicaID) { self.init(replica, line: 0) }

        fileprivate init(_ replica: ReplicaID, line: UInt32) {
            self.replica = replica
            self.line = line
        }
    }

    private let families: [ReplicaID: LineFamily]

    /// O(lines).
    package init(_ log: borrowing LogSnapshot, in journal: JournalID) throws {
        let forked = try log.families(of: journal).filter { $0.members.count > 1 }
        families = Dictionary(uniqueKeysWithValues: forked.map { ($0.replica, $0) })
    }

    /// Whether a replica's line forks.
    package func isForked(_ replica: ReplicaID) -> Bool { families[replica] != nil }

    /// The branch to which a commit belongs.
    package func branch(of commit: CommitID, _ log: borrowing LogSnapshot) throws -> Branch {
        guard let family = families[commit.replica] else { return Branch(of: commit.replica) }
        return Branch(commit.replica, line: try family.owner(of: commit, log)?.head.line ?? 0)
    }

    /// Up to which time an author held each branch of a replica, if its newest held commit has a given time: the branch
    /// of that commit, and what it follows. Empty if the line forks and no commit or several have that time. O(branches
    /// · log commits) where it forks.
    package func held(
        of replica: ReplicaID, upTo newest: Timestamp, _ log: borrowing LogSnapshot
    ) throws -> [(branch: Branch, newest: Timestamp)] {
        guard let family = families[replica] else { return [(Branch(of: replica), newest)] }
        var found: (member: LineFamily.Member, sequence: SequenceNumber)?
        for member in family.members {
            guard let sequence = try Self.sequence(of: newest, on: member, family, log) else { continue }
            if found != nil { return [] }
            found = (member, sequence)
        }
        return try found.map { try Self.way(to: $0.sequence, on: $0.member, family, log) } ?? []
    }

    /// The same for the author of a commit: it, and what it follows.
    package func held(
        by commit: CommitID, at timestamp: Timestamp, _ log: borrowing LogSnapshot
    ) throws -> [(branch: Branch, newest: Timestamp)] {
        guard let family = families[commit.replica] else { return [(Branch(of: commit.replica), timestamp)] }
        return try family.owner(of: commit, log).map { try Self.way(to: commit.sequence, on: $0, family, log) } ?? []
    }

    private static func way(
        to sequence: SequenceNumber, on member: LineFamily.Member, _ family: LineFamily, _ log: borrowing LogSnapshot
    ) throws -> [(branch: Branch, newest: Timestamp)] {
        try family.way(to: sequence, on: member).compactMap { line, end in
            guard let owner = family.member(numbered: line) else { return nil }
            return (Branch(family.replica, line: line), try family.timestamp(of: end, on: owner, log))
        }
    }

    /// Of a line's own commits the one with a time: times increase along a line.
    private static func sequence(
        of time: Timestamp, on member: LineFamily.Member, _ family: LineFamily, _ log: borrowing LogSnapshot
    ) throws -> SequenceNumber? {
        let found = try family.last(notAfter: time, upTo: member.head.sequence, on: member, log)
        guard found >= member.head.first, try family.timestamp(of: found, on: member, log) == time else { return nil }
        return found
    }
}
