import Events

/// The erasures of a verified log, and the commits that they refer to or that lack bytes.
struct HeldErasures {
    /// A commit with an erased part, or an erasure that names it.
    struct Concerned {
        let name: CommitID
        let journal: JournalID
        let position: UInt64
        let line: LineID
        let isErasable: Bool
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
                position: position, line: line, isErasable: header.isErasable, missing: commit.erased,
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
        /// Rows that should not be here: they are not signed, do not fit the commit, name nothing that is missing, or
        /// are too many.
        var rows = 0
        /// Whether bytes are missing that no erasure names of a replica that erases.
        var isMissing = false
    }

    /// Judges it by the members; nil for an open journal. Missing bytes that such an erasure names count as erased,
    /// whether or not a statement hides them.
    func faults(_ membership: Membership?) -> Faults {
        let rights = ErasingRights(membership: membership)
        let missing = LeafSelection(missing)
        let valid = statements.filter { erasure in
            erasure.commit == name && isErasable && erasure.journal == journal && erasure.leaves.areWithin(leafCount)
                && !LeafSelection(erasure.leaves).intersection(missing).isEmpty && erasure.isSigned
        }
        let kept = valid.prefix(LineSegment.mostErasures)
        let explained = CommitErasures.explained(kept, rights)
        return Faults(rows: statements.count - kept.count, isMissing: !missing.isSubset(of: LeafSelection(explained)))
    }
}

/// Compares what is missing of the commits with the erasures.
extension LogVerifier {
    mutating func readErasures() throws {
        var faults: [String] = []
        erasures = try HeldErasures(rows) { faults.append($0) }
        for fault in faults { find("erasure", fault) }
    }

    /// Nothing is missing that no erasure names. Judged once the members are known.
    mutating func checkErasures() throws {
        guard !erasures.concerned.isEmpty else { return }
        let memberships = try members.resolved(rows)
        for commit in erasures.concerned {
            let faults = commit.faults(memberships[commit.journal])
            let (line, sequence) = (commit.line, commit.name.sequence.rawValue)
            if faults.rows > 0 {
                find(
                    "erasure",
                    "\(faults.rows.counted("erasure")) of the commit should not be here: they are not signed, name what it does "
                        + "not have or nothing that "
                        + "is missing, or are too many.", at: commit.position, line, sequence)
            }
            if faults.isMissing {
                find(
                    "payloadMissing",
                    "The payload, or a part of it, is gone, and no erasure by who may erase it names it. An exchange "
                        + "that heals puts it "
                        + "back, with any replica that has it.", at: commit.position, line, sequence)
            }
        }
    }
}
