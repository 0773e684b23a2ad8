import Events

/// What the held commits say about members, before it is judged.
struct MembershipFacts: Sendable {
    /// The position of a statement: distinguishes it from all others of its author, and gives a rank to the admin that
    /// it makes.
    struct StatementPosition: Hashable, Comparable, Sendable {
        let sequence: SequenceNumber
        let hash: Digest
        let index: Int

        static func < (a: StatementPosition, b: StatementPosition) -> Bool {
            if a.sequence != b.sequence { return a.sequence < b.sequence }
            if a.hash != b.hash { return a.hash < b.hash }
            return a.index < b.index
        }
    }

    struct Entry: Sendable {
        let commit: CommitID
        let index: Int
        let timestamp: Timestamp
        let statement: MembershipStatement

        var position: StatementPosition {
            StatementPosition(sequence: commit.sequence, hash: commit.hash, index: index)
        }
    }

    /// A successor that names a replica as its predecessor.
    struct Succession: Hashable, Sendable {
        let successor: ReplicaID
        /// The commit that shows the handover: the successor's first, or that of one after it.
        let hash: Digest
        /// How many replicas after the successor that one is.
        let steps: Int
        /// Whether an admin grants the successor its role, which then counts for no predecessor.
        let isGranted: Bool
    }

    let journal: JournalID
    /// The replica of whose key the journal's id is a hash; nil if neither its first commit is held nor one with its key.
    private(set) var founder: ReplicaID?
    /// By author, in order of arrival.
    private(set) var entries: [ReplicaID: [Entry]] = [:]
    private(set) var successions: [ReplicaID: Set<Succession>] = [:]
    private(set) var predecessors: [ReplicaID: Set<ReplicaID>] = [:]
    /// Replicas that first commits name as predecessors and whose key is not held, by successor.
    private(set) var unknownPredecessors: [ReplicaID: Set<ReplicaID>] = [:]
    /// Commits with statements about members: these are never removed from the log.
    private(set) var commits: Set<Digest> = []
    /// Statements that replace commits, by the replica that wrote these, in order of time: its own, and those of its successors.
    private(set) var replacements: [ReplicaID: [Entry]] = [:]
    /// Handovers of replicas whose key is not known yet.
    private var unproven: [(introduction: Payload.Introduction, successor: ReplicaID, hash: Digest)] = []
    private var publicKeys: [ReplicaID: [UInt8]] = [:]

    init(journal: JournalID) { self.journal = journal }

    /// Whether a commit matters here.
    static func concern(_ header: CommitHeader) -> Bool { header.sequence.rawValue == 1 || header.isMembership }

    /// Adds a commit. An unreadable membership payload says nothing, as everywhere.
    mutating func add(_ header: CommitHeader, _ hash: Digest, _ payload: PayloadView?) {
        guard header.journal == journal else { return }
        if header.isMembership { commits.insert(hash) }
        guard let payload = try? payload?.copy() else { return }
        if header.sequence.rawValue == 1, let introduction = payload.introduction {
            add(introduction, of: header.replica, hash)
        }
        guard header.isMembership, payload.isMembershipBounded else { return }
        let name = CommitID(replica: header.replica, sequence: header.sequence, hash: hash)
        for (index, bytes) in payload.membership.enumerated() {
            guard let statement = try? bytes.withUnsafeBytes({ try MembershipStatement($0) }) else { continue }
            entries[header.replica, default: []].append(
                Entry(commit: name, index: index, timestamp: header.timestamp, statement: statement))
        }
    }

    private mutating func add(_ introduction: Payload.Introduction, of replica: ReplicaID, _ hash: Digest) {
        publicKeys[replica] = introduction.publicKey
        if let found = introduction.founder(of: journal) { founder = found }
        if introduction.previous != nil, introduction.handover != nil {
            unproven.append((introduction, replica, hash))
        }
    }

    /// Verifies the handovers. Call it once, after all commits were added.
    mutating func prove(_ signatures: SignatureCache = SignatureCache()) {
        for (introduction, successor, hash) in unproven {
            let links = introduction.handovers { publicKeys[$0] }
            if links.isEmpty, let former = introduction.previous, former != successor {
                unknownPredecessors[successor, default: []].insert(former)
            }
            for (index, link) in links.enumerated() {
                let (former, successor) = (link.former, link.successor)
                guard former != successor, link.isSigned(in: journal, signatures) else { break }
                successions[former, default: []].insert(
                    Succession(successor: successor, hash: hash, steps: index, isGranted: introduction.isGranted))
                predecessors[successor, default: []].insert(former)
            }
        }
        unproven = []
        for (author, entries) in entries { addReplacements(by: author, entries) }
        for replica in replacements.keys {
            replacements[replica]?.sort { a, b in
                a.timestamp != b.timestamp ? a.timestamp < b.timestamp : a.position < b.position
            }
        }
    }

    private mutating func addReplacements(by author: ReplicaID, _ entries: [Entry]) {
        var formers: Set<ReplicaID>?
        for entry in entries {
            guard entry.timestamp >= Replacement.earliest, case .replacement(let last) = entry.statement
            else { continue }
            let known = formers ?? replicas(before: author)
            formers = known
            if last.replica == author || known.contains(last.replica) {
                replacements[last.replica, default: []].append(entry)
            }
        }
    }

    /// The replicas that one succeeds, directly or by several steps, with their signatures.
    func replicas(before replica: ReplicaID) -> Set<ReplicaID> {
        var found: Set<ReplicaID> = [replica]
        var waiting = [replica]
        while let next = waiting.popLast() {
            for former in predecessors[next] ?? [] where found.insert(former).inserted { waiting.append(former) }
        }
        found.remove(replica)
        return found
    }
}
