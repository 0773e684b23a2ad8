import Events

/// The erasures of one commit that are kept because bytes of it are missing, without those that another makes
/// superfluous.
///
/// They explain what is missing to every replica that receives the commit from here. A replica that erases more of a
/// commit repeats what it erased before, so that one erasure per eraser is enough. Once more than a handful of
/// different ones are needed, five of them explain each leaf, and a key holder gains nothing by signing thousands.
///
/// An erasure replaces others that say less only if its number is greater than theirs.
struct CommitErasures {
    /// This many erasures, none of which makes another superfluous, explain each leaf: of the author's, and of the
    /// others'.
    static let enoughForAll = 5
    /// The most that are kept of a commit.
    static let most = 2 * enoughForAll

    private(set) var statements: [Erasure] = []

    init() {}

    /// Erasures that a log holds.
    init(held statements: [Erasure]) { self.statements = statements }

    /// The leaves that they name.
    var leaves: ErasedLeaves {
        if statements.contains(where: { $0.leaves == .all }) { return .all }
        let groups = Groups(statements)
        if groups.own.count >= Self.enoughForAll || groups.others.count >= Self.enoughForAll { return .each }
        return statements.reduce(.none) { $0.union($1.leaves) }
    }

    /// Whether erasures that arrived together could change anything. Cheap.
    func isChanged(by came: [Erasure]) -> Bool {
        let (held, came) = (Groups(statements), Groups(came))
        return Self.isChanged(held.own, by: came.own)
            || !held.own.contains { $0.leaves == .all } && Self.isChanged(held.others, by: came.others)
    }

    private static func isChanged(_ held: [Erasure], by came: [Erasure]) -> Bool {
        if held.contains(where: { $0.leaves == .all }) { return false }
        if came.contains(where: { $0.leaves == .all }) { return true }
        if held.count >= enoughForAll { return false }
        return came.count >= enoughForAll
            || came.contains { erasure in !held.contains { erasure.isSuperfluous(beside: $0) } }
    }

    /// Adds erasures that arrived together. Returns whether they changed anything.
    @discardableResult
    mutating func add(_ came: [Erasure]) -> Bool {
        let before = Set(statements)
        let (held, came) = (Groups(statements), Groups(came))
        let own = Self.kept(held.own, came.own)
        var others = Self.kept(held.others, came.others)
        if own.contains(where: { $0.leaves == .all }) {
            others = []
        } else if others.count < Self.enoughForAll {
            others.removeAll { other in own.contains { other.isSuperfluous(beside: $0) } }
        }
        statements = own + others
        return Set(statements) != before
    }

    /// A commit's statements: its author's, and those of others.
    private struct Groups {
        let own: [Erasure]
        let others: [Erasure]

        init(_ statements: [Erasure]) {
            own = statements.filter(\.isByAuthor)
            others = statements.filter { !$0.isByAuthor }
        }
    }

    private static func kept(_ held: [Erasure], _ came: [Erasure]) -> [Erasure] {
        let whole = withoutSuperfluous((held + came).filter { $0.leaves == .all })
        if !whole.isEmpty { return whole }
        if held.count >= enoughForAll {
            return Array(held.sorted { $0.digest < $1.digest }.prefix(enoughForAll))
        }
        // The new statements alone may prove what beside a held statement would be superfluous.
        for statements in [came, held + came] {
            let needed = withoutSuperfluous(statements)
            if needed.count >= enoughForAll { return Array(needed.prefix(enoughForAll)) }
        }
        return withoutSuperfluous(held + came)
    }

    /// Those that no other makes superfluous. O(statements² · leaves).
    private static func withoutSuperfluous(_ statements: [Erasure]) -> [Erasure] {
        let sorted = Set(statements).map { (statement: $0, digest: $0.digest) }.sorted { $0.digest < $1.digest }
        var needed: [Erasure] = []
        for (statement, _) in sorted where !needed.contains(where: { statement.isSuperfluous(beside: $0) }) {
            needed.removeAll { $0.isSuperfluous(beside: statement) && $0.leaves != statement.leaves }
            needed.append(statement)
        }
        return needed
    }
}

extension CommitErasures {
    /// The leaves that erasures of one commit name, of replicas that erase it as its author or as an admin, revoked or
    /// not. What others name a carrier may have removed.
    static func explained(_ erasures: some Collection<Erasure>, _ rights: ErasingRights) -> ErasedLeaves {
        var kept = CommitErasures()
        kept.add(erasures.filter { rights.part(of: $0.eraser, over: $0.commit.replica) != nil })
        return kept.leaves
    }
}

extension [Erasure] {
    /// At most as many as are kept of a commit: of more that arrive together the rest is ignored.
    var bounded: [Erasure] {
        Array(filter(\.isByAuthor).prefix(CommitErasures.enoughForAll))
            + filter { !$0.isByAuthor }.prefix(CommitErasures.enoughForAll)
    }
}

extension Erasure {
    /// Whether the commit's author erases it.
    var isByAuthor: Bool { eraser == commit.replica }

    /// Whether another statement covers this one and replaces it. Of equal sets the one with the least hash counts;
    /// this does not decide that.
    fileprivate func isSuperfluous(beside other: Erasure) -> Bool {
        if other.leaves == .all || leaves == other.leaves { return true }
        return number < other.number && leaves.isSubset(of: other.leaves)
    }
}
