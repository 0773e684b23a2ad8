import Events

/// The erasures of a verified log, and the commits that they refer to or that lack bytes, until the members are known.
struct HeldErasures {
    /// A commit with an erased part, or an erasure that names it.
    struct Concerned {
        let name: CommitID
        let journal: JournalID
        let position: UInt64
        let line: LineID
        let isMembership: Bool
        let missing: ErasedLeaves?
        let leafCount: Int?
        let statements: [Erasure]
    }

    private var byCommit: [Digest: [Erasure]] = [:]
    private(set) var concerned: [Concerned] = []

    /// Reads the table; `find` receives faults for rows that are no erasures.
    init(_ rows: any LogRows, _ find: (String) -> Void) throws {
        var found: [Digest: [Erasure]] = [:]
        try rows.forEachRow(of: .erasures) { key, value in
            do throws(WireError) {
                let erasure = try Erasure([UInt8](value))
                guard [UInt8](key) == erasure.key else { throw WireError("the key is not that of the erasure") }
                found[erasure.commit.hash, default: []].append(erasure)
            } catch {
                find("A row of erasures cannot be read: \(error).")
            }
        }
        byCommit = found
    }

    init() {}

    /// Records a commit, if there is anything to judge of it.
    mutating func note(_ commit: CommitView, _ hash: Digest, at position: UInt64, _ line: LineID) {
        let statements = byCommit.isEmpty ? [] : byCommit.removeValue(forKey: hash) ?? []
        guard !statements.isEmpty || !commit.isWhole else { return }
        let header = commit.header
        concerned.append(
            Concerned(
                name: CommitID(replica: header.replica, sequence: header.sequence, hash: hash), journal: header.journal,
                position: position, line: line, isMembership: header.isMembership, missing: commit.erased,
                leafCount: commit.leafCount, statements: statements))
    }

    /// Leaves out those of a commit whose bytes are at fault.
    mutating func passOver(_ hash: Digest) { byCommit[hash] = nil }

    /// How many are left: for commits that are not held.
    var count: Int { byCommit.values.reduce(0) { $0 + $1.count } }
}

extension HeldErasures.Concerned {
    /// The faults of the commit and its erasures.
    struct Faults {
        /// Rows that should not be here: they are not signed, do not fit the commit, or are superfluous.
        var rows = 0
        /// Whether bytes are missing that no counting erasure names.
        var isMissing = false
        /// Whether bytes are here that a counting erasure names.
        var isLeft = false
    }

    /// Judges it by the members; nil for an open journal.
    func faults(_ membership: Membership?) -> Faults {
        var faults = Faults()
        let valid = statements.filter { erasure in
            erasure.commit == name && !isMembership && erasure.journal == journal && erasure.leaves.areWithin(leafCount)
                && erasure.isSigned
        }
        func counts(_ erasure: Erasure) -> Bool {
            membership?.mayErase(erasure.eraser, commitsOf: name.replica) ?? (erasure.eraser == name.replica)
        }
        var (counting, others) = (CommitErasures(), CommitErasures())
        counting.add(valid.filter(counts))
        let named = counting.leaves
        faults.isMissing = missing.map { !$0.isSubset(of: named) } ?? false
        // Of a commit that lacks bytes, erasures that explain it are kept although they do not count.
        if faults.isMissing { others.add(valid.filter { !counts($0) }) }
        faults.rows = statements.count - counting.statements.count - others.statements.count
        let left = leafCount.map { named.within($0) } ?? named
        faults.isLeft = !faults.isMissing && !left.isSubset(of: missing ?? .none)
        return faults
    }
}

/// Compares what is missing of the commits with the erasures.
extension LogVerifier {
    mutating func readErasures() throws {
        var faults: [String] = []
        erasures = try HeldErasures(rows) { faults.append($0) }
        for fault in faults { find("erasure", fault) }
    }

    /// Exactly what erasures name is missing. Judged once the members are known.
    mutating func checkErasures() throws {
        guard !erasures.concerned.isEmpty else { return }
        let memberships = try members.resolved(rows)
        for commit in erasures.concerned {
            let faults = commit.faults(memberships[commit.journal])
            let (line, sequence) = (commit.line, commit.name.sequence.rawValue)
            if faults.rows > 0 {
                find(
                    "erasure",
                    "\(faults.rows) erasures of the commit should not be here: they are not signed by who may erase it, name what it does "
                        + "not have, or are too many.", at: commit.position, line, sequence)
            }
            if faults.isMissing {
                find(
                    "payloadMissing",
                    "The payload, or a part of it, is gone, and no erasure that counts names it. An exchange that heals puts it back, with "
                        + "any replica that has it.", at: commit.position, line, sequence)
            }
            if faults.isLeft {
                find(
                    "notErased", "Bytes of the commit are here that an erasure names.", at: commit.position, line,
                    sequence)
            }
        }
    }
}
