import Events

/// The events that belong to entities which this replica erased as wholes, and whose authors had not seen that.
///
/// An event belongs to such an entity if it is of it, or puts another under it that does not stay without it, or is of one
/// of which each creation does so. With one creation alone a member could have anything erased, by creating it once more.
/// What only refers to such an entity stays: a flight is not its airline's.
struct LateEvents {
    /// The leaves of each commit.
    var parts: [CommitID: ErasedLeaves] { found.mapValues { .some(LeafSet(events: $0.sorted())) } }
    /// The entities that were created inside the erased ones, and nowhere else.
    private(set) var created: [EntityReference] = []

    private let own: ReplicaID
    private let erasers: Set<ReplicaID>
    private let verdicts: Verdicts
    private let erasing: ResolvedErasing?
    private let forks: ForkedLines
    private let outlivesParent: (EntityReference) -> Bool
    private var swept: SweepingStatements
    private var found: [CommitID: Set<Int>] = [:]
    /// Entities that were created under a swept one, with the statements that the author had not seen; and entities that
    /// turned out to have other creations.
    private var candidates: SweepingStatements = [:]
    private var others: Set<EntityReference> = []

    /// How often all commits are read at most: the author of nested creations may have written them in any order.
    private static let mostPasses = 16
    /// About one commit, after which it is left as it is.
    private static let mostStatements = ErasureResolver.mostJudged / 2

    /// Searches the commits after a position for what some statements concern. O(those), or O(log) if an entity was
    /// created among them. `outlivesParent` is the schema's: see `Log.Options`.
    init(
        after start: Position, by statements: SweepingStatements, _ log: borrowing LogSnapshot,
        outlivesParent: @escaping (EntityReference) -> Bool
    ) throws {
        (own, verdicts, erasing) = (try log.replica(), try log.verdicts(), try log.erasing())
        erasers = try log.erasers()
        forks = try ForkedLines(log, in: log.journal())
        self.outlivesParent = outlivesParent
        swept = statements
        try read(log, after: start, swept)
        for _ in 0..<Self.mostPasses {
            let grown = try grow(log)
            if grown.isEmpty { break }
            try read(log, after: .start, grown)
        }
    }

    /// Finds the events after a position that belong to some entities.
    private mutating func read(
        _ log: borrowing LogSnapshot, after start: Position, _ entities: SweepingStatements
    ) throws {
        try log.forEachCommit(after: start) { commit in
            guard commit.header.isErasable, verdicts.mayErase(own, commitsOf: commit.header.replica) else {
                return true
            }
            let stated = erasing?.fates[commit.name]?.erasures.filter { erasers.contains($0.eraser) } ?? []
            // What was taken back of what this replica erased stays; and no author has it use up the statements that
            // count about one commit.
            guard stated.count < Self.mostStatements, stated.allSatisfy(\.takenBackBy.isEmpty) else { return true }
            var author = CommitAuthor(of: commit)
            try commit.asCounting.forEachEvent { event, index in
                guard event.concerns({ entities[$0] != nil }) else { return }
                let statements = try event.statements(entities, outlivesParent).filter { statement in
                    try author.isLate(for: statement, forks, log)
                }
                guard !statements.isEmpty else { return }
                found[commit.name, default: []].insert(index)
                guard event.verb == .created, swept[event.entity] == nil, !others.contains(event.entity) else { return }
                // What was written of it may have arrived before all of this.
                candidates[event.entity, default: []] += statements.map { SweepingStatement($0.fact, after: .start) }
            }
            return true
        }
    }

    /// Takes up the candidates that were created nowhere else, and returns them.
    private mutating func grow(_ log: borrowing LogSnapshot) throws -> SweepingStatements {
        guard !candidates.isEmpty else { return [:] }
        try log.forEachCommit(after: .start) { commit in
            var author = CommitAuthor(of: commit)
            try commit.forEachEvent { event, _ in
                guard event.verb == .created, candidates[event.entity] != nil else { return }
                let statements = event.statements(swept, outlivesParent)
                if try statements.contains(where: { try author.isLate(for: $0, forks, log) }) { return }
                candidates[event.entity] = nil
                others.insert(event.entity)
            }
            return true
        }
        defer { candidates = [:] }
        swept.merge(candidates) { $0 + $1 }
        created += candidates.keys.sorted { $0.valueBytes.lexicographicallyPrecedes($1.valueBytes) }
        return candidates
    }
}

/// A statement of an eraser about an entity of which it erases what arrives later.
struct SweepingStatement {
    let fact: ErasingFact
    /// The position up to which events arrived before: they were erased by a plan, or spared.
    let after: Position

    init(_ fact: ErasingFact, after: Position) { (self.fact, self.after) = (fact, after) }
}

typealias SweepingStatements = [EntityReference: [SweepingStatement]]

extension LogSnapshot {
    /// This replica, and those that it was.
    fileprivate func erasers() throws -> Set<ReplicaID> { Set(try identityChanges().map(\.previous) + [replica()]) }

    /// The standing statements of these, by the entities. One that is later than a position was planned there.
    func ownSweeping(plannedAt planned: Position?) throws -> SweepingStatements {
        guard let sweeping = try erasing()?.sweeping, !sweeping.isEmpty else { return [:] }
        let journal = try journal()
        var positions: [CommitID: Position] = [:]
        var found: SweepingStatements = [:]
        for (entity, erasures) in try erasers().lazy.compactMap({ sweeping[$0] }).joined() {
            for fact in erasures.lazy.filter({ !$0.standing.isEmpty }).map(\.fact) {
                if positions[fact.commit] == nil { positions[fact.commit] = try position(of: fact.commit, in: journal) }
                guard let position = positions[fact.commit] else { continue }
                let after = min(position, planned ?? position)
                found[entity, default: []].append(SweepingStatement(fact, after: after))
            }
        }
        return found
    }
}

/// The statements of erasers that the author of a commit held, as far as the commit shows it.
private struct CommitAuthor {
    private let commit: CommitID
    private let position: Position
    private let timestamp: Timestamp
    private let seen: SeenReplicas
    /// By the eraser.
    private var known: [ReplicaID: [(branch: ForkedLines.Branch, newest: Timestamp)]] = [:]

    init(of commit: StoredCommit) {
        (self.commit, position, timestamp) = (commit.name, commit.position, commit.header.timestamp)
        seen = commit.seenReplicas
    }

    /// Whether the commit arrived after a statement that its author did not hold. Timestamps are later than all that
    /// their author had seen.
    mutating func isLate(
        for statement: SweepingStatement, _ forks: ForkedLines, _ log: borrowing LogSnapshot
    ) throws -> Bool {
        let fact = statement.fact
        guard position > statement.after else { return false }
        guard timestamp > fact.timestamp else { return true }
        let held = try branches(of: fact.author, forks, log)
        let branch = try forks.branch(of: fact.commit, log)
        return !held.contains { $0.branch == branch && $0.newest >= fact.timestamp }
    }

    private mutating func branches(
        of eraser: ReplicaID, _ forks: ForkedLines, _ log: borrowing LogSnapshot
    ) throws -> [(branch: ForkedLines.Branch, newest: Timestamp)] {
        if let branches = known[eraser] { return branches }
        let branches =
            eraser == commit.replica
            ? try forks.held(by: commit, at: timestamp, log)
            : try seen.held.times(of: eraser).flatMap { try forks.held(of: eraser, upTo: $0, log) }
        known[eraser] = branches
        return branches
    }
}

extension EventView {
    /// The statements about its entity, and about one that it makes its parent, unless the entity stays without that.
    fileprivate func statements(
        _ about: SweepingStatements, _ outlivesParent: (EntityReference) -> Bool
    ) -> [SweepingStatement] {
        var found = about[entity] ?? []
        guard !outlivesParent(entity) else { return found }
        _ = concerns { other in
            if other != entity { found += about[other] ?? [] }
            return false
        }
        return found
    }
}
