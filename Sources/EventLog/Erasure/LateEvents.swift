import Events

/// The events that belong to entities which this replica erased as wholes, and whose authors had not seen that: those
/// shown, and those that are hidden only as long as other statements stand.
///
/// An event belongs to such an entity if it is of it, or puts another under it that does not stay without it, or is of one
/// of which each creation does so. With one creation alone a member could have anything erased, by creating it once more.
/// What only refers to such an entity stays: a flight is not its airline's.
struct LateEvents {
    /// The events to erase with the same causes.
    struct Part {
        fileprivate(set) var events: [CommitID: [Int]] = [:]
        /// The entities that some of these events create inside the erased ones, and that are created nowhere else.
        fileprivate(set) var created: Set<EntityReference> = []

        var leaves: [CommitID: ErasedLeaves] { events.mapValues { .some(LeafSet(events: $0.sorted())) } }
    }

    private let own: ReplicaID
    private let erasers: Set<ReplicaID>
    private let verdicts: Verdicts
    private let erasing: ResolvedErasing?
    private let forks: ForkedLines
    private let outlivesParent: (EntityReference) -> Bool
    private var swept: SweepingStatements
    /// The causes of each event, by its index.
    private var found: [CommitID: [Int: Set<CommitID>]] = [:]
    /// The entities that were created inside the erased ones, and nowhere else.
    private var created: Set<EntityReference> = []
    /// The creations among the found events.
    private var creations: [CommitID: [Int: EntityReference]] = [:]
    /// Entities that were created under a swept one, with the statements that the author had not seen; and entities that
    /// turned out to have other creations.
    private var candidates: SweepingStatements = [:]
    private var others: Set<EntityReference> = []

    /// How often all commits are read at most: the author of nested creations may have written them in any order.
    private static let mostPasses = 16
    /// About one commit, after which it is left as it is.
    private static let mostStatements = ErasureResolver.mostJudged / 2
    /// Different causes of the events of one commit, after which these are erased without causes.
    private static let mostKinds = ErasureResolver.mostJudged / 4
    /// The most causes that a statement names for one event; if none of them stands any more, the event is found again for others.
    private static let mostCauses = 8

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
        try spareCreatedElsewhere(log, after: start)
        try read(log, after: start, swept)
        for _ in 0..<Self.mostPasses {
            let grown = try grow(log)
            if grown.isEmpty { break }
            try read(log, after: .start, grown)
        }
    }

    /// The parts, by their causes.
    var parts: [[CommitID]: Part] {
        var parts: [[CommitID]: Part] = [:]
        for (commit, events) in found {
            let causes = events.mapValues(Self.listed)
            let areMany = Set(causes.values).count > Self.mostKinds
            for (event, causes) in causes {
                let key = areMany ? [] : causes
                parts[key, default: Part()].events[commit, default: []].append(event)
                if let entity = creations[commit]?[event], created.contains(entity) {
                    parts[key]?.created.insert(entity)
                }
            }
        }
        return parts
    }

    private static func listed(_ causes: Set<CommitID>) -> [CommitID] { Array(causes.sorted().prefix(mostCauses)) }

    /// Spares entities that were erased because they were created inside others, and that another creation has elsewhere:
    /// two authors import one file, or one creates what it knows of another. O(commits after the position), or O(log) if
    /// these concern any.
    private mutating func spareCreatedElsewhere(_ log: borrowing LogSnapshot, after start: Position) throws {
        let inside = swept.filter { $0.value.allSatisfy { !$0.fact.causes.isEmpty } }
        var areConcerned = false
        try log.forEachCommit(after: start) { commit in
            commit.forEachEvent { event, _ in areConcerned = areConcerned || event.concerns { inside[$0] != nil } }
            return !areConcerned && !inside.isEmpty
        }
        // One that is spared may be the place of another.
        for _ in 0..<Self.mostPasses where areConcerned {
            areConcerned = false
            try log.forEachCommit(after: .start) { commit in
                var author = CommitAuthor(of: commit)
                try commit.forEachEvent { event, _ in
                    guard event.verb == .created, inside[event.entity] != nil else { return }
                    let statements = swept.removeValue(forKey: event.entity) ?? []
                    let parents = event.statements(swept, outlivesParent)
                    if try parents.contains(where: { try author.isLate(for: $0, forks, log) }) {
                        swept[event.entity] = statements.isEmpty ? nil : statements
                    } else {
                        areConcerned = areConcerned || !statements.isEmpty
                        others.insert(event.entity)
                    }
                }
                return true
            }
        }
    }

    /// Finds the events after a position that belong to some entities.
    private mutating func read(
        _ log: borrowing LogSnapshot, after start: Position, _ entities: SweepingStatements
    ) throws {
        try log.asStored().forEachCommit(after: start) { commit in
            guard commit.header.isErasable, verdicts.mayErase(own, commitsOf: commit.header.replica) else {
                return true
            }
            let hiding = erasing?.fates[commit.name]?.fitting(commit.view.leafCount) ?? []
            let stated = hiding.filter { erasers.contains($0.eraser) }
            // What was taken back of what this replica erased stays; and no author has it use up the statements that
            // count about one commit.
            guard stated.count < Self.mostStatements, stated.allSatisfy(\.takenBackBy.isEmpty) else { return true }
            let hidden = hiding.map { (leaves: $0.standing, causes: Set($0.fact.causes)) }
            var author = CommitAuthor(of: commit)
            try commit.asCounting.forEachEvent { event, index in
                guard event.concerns({ entities[$0] != nil }) else { return }
                let statements = try event.statements(entities, outlivesParent).filter { statement in
                    try author.isLate(for: statement, forks, log)
                }
                guard !statements.isEmpty else { return }
                let causes = Set(statements.flatMap(\.causes))
                let listed = Self.listed(causes)
                // Hidden for at least as long as one of the causes stands.
                let isHidden = hidden.contains {
                    $0.leaves.contains(event: index) && ($0.causes.isEmpty || $0.causes.isSuperset(of: listed))
                }
                if isHidden { return }
                found[commit.name, default: [:]][index, default: []].formUnion(causes)
                guard event.verb == .created, swept[event.entity] == nil, !others.contains(event.entity) else { return }
                creations[commit.name, default: [:]][index] = event.entity
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
        created.formUnion(candidates.keys)
        return candidates
    }
}
