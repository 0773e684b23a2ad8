import Events

/// The end of a replica's line, from a commit on: what was written with a clock that was ahead.
struct LinePart {
    let family: LineFamily
    let member: LineFamily.Member
    let first: SequenceNumber

    private var replica: ReplicaID { family.replica }
    private var last: SequenceNumber { member.head.sequence }

    /// Whether a commit of it was not replaced, and a replica has not yet stated that it was: a statement that has no effect is not repeated.
    /// O(statements).
    func isOpen(for author: ReplicaID, _ log: borrowing LogSnapshot) throws -> Bool {
        let end = try log.verdicts().replaced[replica]?.last(upTo: last, on: member.head.line) ?? last
        guard end >= first else { return false }
        var isStated = false
        try log.forEachStatement { header, _, payload in
            guard header.replica == author, header.isMembership, let payload = try? payload?.copy() else { return }
            for case .replacement(let commit)? in payload.membership.map({ bytes in
                try? bytes.withUnsafeBytes { try MembershipStatement($0) }
            }) where commit.replica == replica && commit.sequence >= end { isStated = true }
        }
        return !isStated
    }

    /// Its newest commit, and those before it that are signed, in order.
    func signed(_ log: borrowing LogSnapshot) throws -> [CommitID] {
        var found: [CommitID] = []
        var sequence = first
        while sequence <= last {
            if try sequence == last || log.signature(of: sequence, in: member.id) != nil,
                let hash = try family.hash(of: sequence, on: member, log)
            {
                found.append(CommitID(replica: replica, sequence: sequence, hash: hash))
            }
            sequence = sequence.next
        }
        return found
    }

    /// Calls `body` with each commit that was neither replaced nor made void, in order, without what is hidden of it.
    func forEachOpen(_ log: borrowing LogSnapshot, _ body: (StoredCommit) throws -> Void) throws {
        let verdicts = try log.verdicts()
        var sequence = first
        while sequence <= last {
            defer { sequence = sequence.next }
            if verdicts.replaced[replica]?.includes(sequence, on: member.head.line) == true { continue }
            guard let position = try log.position(of: sequence, in: member.id),
                let commit = try log.commit(at: position)
            else { throw LogSnapshot.damaged("commit \(sequence) of replica \(replica)") }
            if !verdicts.isVoid(commit.hash) { try body(commit) }
        }
    }
}
