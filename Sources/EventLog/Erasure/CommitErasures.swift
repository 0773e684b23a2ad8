import Events

/// The erasures of one commit that are kept of those that count, none of which is superfluous beside another.
///
/// Whoever erases more of a commit says again what was erased before, so that one statement is enough for each who erases. Of more
/// than a handful that say different things all leaves go: then five of them are proof enough, and whoever could sign thousands
/// gains nothing. Which five a replica holds makes no difference, and neither does the order in which they came.
///
/// A statement takes the place of others that say less only if its number is greater than theirs. Numbers have a bound, so that a
/// commit is written anew a bounded number of times, however its statements grow.
struct CommitErasures {
    /// So many statements, none of which makes another superfluous, erase each leaf.
    static let enoughForAll = 5

    private(set) var statements: [Erasure] = []

    init() {}

    /// Those that a log holds.
    init(held statements: [Erasure]) { self.statements = statements }

    /// What they erase.
    var leaves: ErasedLeaves {
        guard statements.count < Self.enoughForAll else {
            return statements.contains { $0.leaves == .all } ? .all : .each
        }
        return statements.reduce(.none) { $0.union($1.leaves) }
    }

    /// The number of a statement that takes the place of all of them.
    var nextNumber: UInt32 { statements.map(\.number).max().map { $0 + 1 } ?? 0 }

    /// Whether statements that came together could change anything, if they count. A cheap look.
    func isChanged(by came: [Erasure]) -> Bool {
        if statements.contains(where: { $0.leaves == .all }) { return false }
        if came.contains(where: { $0.leaves == .all }) { return true }
        if statements.count >= Self.enoughForAll { return false }
        return came.count >= Self.enoughForAll
            || came.contains { erasure in !statements.contains { erasure.isSuperfluous(beside: $0) } }
    }

    /// Adds statements that came together, at most `enoughForAll`, each of which counts. Answers whether it changed anything.
    @discardableResult
    mutating func add(_ came: [Erasure]) -> Bool {
        let before = Set(statements)
        statements = Self.kept(statements, came)
        return Set(statements) != before
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

extension Erasure {
    /// Whether all that it says is said by another which takes its place. Of equal sets that counts whose hash is least, and of
    /// these it is not known here.
    fileprivate func isSuperfluous(beside other: Erasure) -> Bool {
        if other.leaves == .all || leaves == other.leaves { return true }
        return number < other.number && leaves.isSubset(of: other.leaves)
    }
}
