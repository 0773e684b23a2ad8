import Events

/// The members of the journals of a verified log, from its commits alone.
struct VerifiedMembers {
    private var facts: [JournalID: MembershipFacts] = [:]

    /// Adds a commit's statements about members.
    mutating func add(_ commit: CommitView, _ hash: Digest) {
        let header = commit.header
        guard header.journal.isFounded, MembershipFacts.concern(header) else { return }
        facts[header.journal, default: MembershipFacts(journal: header.journal)]
            .add(header, hash, commit.payload)
    }

    /// The members of the journals. Reads the log once more if any replica was revoked, or commits of it were replaced. O(commits).
    func resolved(_ rows: any LogRows) throws -> [JournalID: Membership] {
        let proven = facts.mapValues { facts in
            var facts = facts
            facts.prove()
            return facts
        }
        let ways = try CutWays(to: proven.mapValues(\.cutReplicas), rows)
        return try proven.mapValues { facts in
            try MembershipResolver.resolve(facts) { ways.precede($0, $1, in: facts.journal) }
        }
    }
}

extension MembershipFacts {
    /// The replicas whose commits any revocation or replacement names.
    fileprivate var cutReplicas: Set<ReplicaID> {
        var found: Set<ReplicaID> = []
        for entry in entries.values.joined() {
            switch entry.statement {
            case .revocation(_, let cut): found.formUnion(cut.map(\.replica))
            case .replacement(let last): found.insert(last.replica)
            default: break
            }
        }
        return found
    }
}

/// The paths to commits of some replicas.
private struct CutWays {
    private struct Number: Hashable {
        let line: LineID
        let sequence: UInt64
    }

    /// The commits with each number, each with the hash of the one before it.
    private var commits: [Number: [Digest: Digest]] = [:]

    init(to replicas: [JournalID: Set<ReplicaID>], _ rows: any LogRows) throws {
        guard replicas.values.contains(where: { !$0.isEmpty }) else { return }
        var found: [Number: [Digest: Digest]] = [:]
        try rows.forEachRow(of: .log) { _, value in
            guard value.count > Digest.size, let hash = Digest(value.part(0..<Digest.size)),
                let commit = try? CommitView(value.part(from: Digest.size)),
                replicas[commit.header.journal]?.contains(commit.header.replica) == true
            else { return }
            let line = LineID(journal: commit.header.journal, replica: commit.header.replica)
            let sequence = commit.header.sequence.rawValue
            let before = found[Number(line: line, sequence: sequence &- 1)]?.keys.first {
                commit.hash(after: $0) == hash
            }
            found[Number(line: line, sequence: sequence), default: [:]][hash] = before ?? .zero
        }
        commits = found
    }

    /// Whether a commit is another or comes before it on its line; false if either is not held.
    func precede(_ commit: CommitID, _ later: CommitID, in journal: JournalID) -> Bool {
        guard commit.replica == later.replica, commit.sequence <= later.sequence else { return false }
        let line = LineID(journal: journal, replica: commit.replica)
        var (hash, sequence) = (later.hash, later.sequence.rawValue)
        guard commits[Number(line: line, sequence: sequence)]?[hash] != nil,
            let candidates = commits[Number(line: line, sequence: commit.sequence.rawValue)],
            candidates[commit.hash] != nil
        else { return false }
        // Without a fork there is one path.
        if candidates.count == 1 { return true }
        while sequence > commit.sequence.rawValue {
            guard let before = commits[Number(line: line, sequence: sequence)]?[hash] else { return false }
            (hash, sequence) = (before, sequence - 1)
        }
        return hash == commit.hash
    }
}
