import Events

/// The erasures of one commit that are kept of those that count, none of which is superfluous beside another.
///
/// Whoever erases more of a commit says again what was erased before, so that one statement is enough for each who erases. Of more
/// than a handful that say different things all leaves go: then five of them are proof enough, and whoever could sign thousands
/// gains nothing. Which five a replica holds makes no difference, and neither does the order in which they came.
///
/// A statement takes the place of others that say less only if its number is greater than theirs. Numbers have a bound, so that a
/// commit is written anew a bounded number of times, however its statements grow.
///
/// Those of the author are kept whatever others say: what an admin said counts no longer once that is revoked, and what the author
/// erased would come back with what took its place.
struct CommitErasures {
    /// So many statements, none of which makes another superfluous, erase each leaf: of the author's, and of the others'.
    static let enoughForAll = 5
    /// The most that are kept of a commit.
    static let most = 2 * enoughForAll

    private(set) var statements: [Erasure] = []

    init() {}

    /// Those that a log holds.
    init(held statements: [Erasure]) { self.statements = statements }

    /// What they erase.
    var leaves: ErasedLeaves {
        if statements.contains(where: { $0.leaves == .all }) { return .all }
        let groups = Groups(statements)
        if groups.own.count >= Self.enoughForAll || groups.others.count >= Self.enoughForAll { return .each }
        return statements.reduce(.none) { $0.union($1.leaves) }
    }

    /// The number of a statement that takes the place of all of them.
    var nextNumber: UInt32 { statements.map(\.number).max().map { $0 + 1 } ?? 0 }

    /// Whether statements that came together could change anything, if they count. A cheap look.
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

    /// Adds statements that came together, each of which counts. Answers whether it changed anything.
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

    /// Of a commit's statements those of its author, and those of others.
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
        // What came may prove by itself what beside a held statement would be superfluous.
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

extension [Erasure] {
    /// So many of a commit as are kept: of more that come together the rest is passed over.
    var bounded: [Erasure] {
        Array(filter(\.isByAuthor).prefix(CommitErasures.enoughForAll))
            + filter { !$0.isByAuthor }.prefix(CommitErasures.enoughForAll)
    }
}

extension Erasure {
    /// Whether the replica that wrote the commit erases it.
    var isByAuthor: Bool { eraser == commit.replica }

    /// Whether all that it says is said by another which takes its place. Of equal sets that counts whose hash is least, and of
    /// these it is not known here.
    fileprivate func isSuperfluous(beside other: Erasure) -> Bool {
        if other.leaves == .all || leaves == other.leaves { return true }
        return number < other.number && leaves.isSubset(of: other.leaves)
    }
}
