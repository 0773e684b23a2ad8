import Events

/// An erasure that counts, with what is left of it after all that was taken back.
struct CountingErasure: Hashable, Sendable {
    let fact: ErasingFact
    let erasure: Erasure
    let part: ErasingRights.Part
    /// The leaves that nothing takes back.
    let left: LeafSelection
    /// The replicas that took back any of it, in order.
    let takenBackBy: [ReplicaID]
    /// The leaves that it hides: those left; none of an erasure with causes of which none stands.
    fileprivate(set) var standing: LeafSelection
    /// The replicas that took back its causes, in order, if none of these stands.
    fileprivate(set) var causesTakenBackBy: [ReplicaID] = []
    /// Since when this log holds it, and one of its causes if it has any, by their own times and by their arrival: in
    /// milliseconds since 1970.
    fileprivate(set) var start: Int64

    var eraser: ReplicaID { erasure.eraser }
}

/// The erasures of one commit that count, in the order of the merge.
struct CommitFate: Equatable, Sendable {
    var erasures: [CountingErasure] = []

    /// The erasures that name no leaf which a commit with that many does not have.
    func fitting(_ leafCount: Int?) -> [CountingErasure] { erasures.filter { $0.erasure.leaves.areWithin(leafCount) } }

    /// The leaves that are hidden in a commit with that many.
    func hidden(_ leafCount: Int?) -> LeafSelection {
        fitting(leafCount).reduce(.none) { $0.union($1.standing) }
    }

    /// Whether it hides the same leaves as another, whatever the number of leaves.
    func hidesLike(_ other: CommitFate?) -> Bool {
        if erasures == other?.erasures ?? [] { return true }
        func parts(_ fate: CommitFate?) -> Set<[LeafSelection]> {
            Set(
                (fate?.erasures ?? []).filter { !$0.standing.isEmpty }.map {
                    [LeafSelection($0.erasure.leaves), $0.standing]
                })
        }
        return parts(self) == parts(other)
    }
}

/// The statements of the held commits about erasing, judged by the members.
struct ResolvedErasing: Sendable {
    let rights: ErasingRights
    /// By the erased commit.
    var fates: [CommitID: CommitFate] = [:]
    /// The erasures with which a replica also erases what arrives later of an entity, whether they stand or not: by the
    /// eraser.
    var sweeping: [ReplicaID: [EntityReference: [CountingErasure]]] = [:]
    /// The commits that state an erasure which stands in any leaf.
    var standing: Set<CommitID> = []
    var period = ErasingPeriod()

    /// Has the erasures with causes stand only if one of these does. Only erasures without causes are causes.
    fileprivate mutating func judgeCauses() {
        var starts: [CommitID: Int64] = [:]
        var takers: [CommitID: Set<ReplicaID>] = [:]
        for erasure in fates.values.lazy.flatMap(\.erasures) where erasure.fact.causes.isEmpty {
            if erasure.left.isEmpty {
                takers[erasure.fact.commit, default: []].formUnion(erasure.takenBackBy)
            } else {
                starts[erasure.fact.commit] = erasure.fact.start
            }
        }
        standing = Set(starts.keys)
        for (commit, fate) in fates {
            for (index, erasure) in fate.erasures.enumerated() where !erasure.fact.causes.isEmpty {
                var judged = erasure
                if let start = erasure.fact.causes.compactMap({ starts[$0] }).min() {
                    judged.start = max(judged.start, start)
                    if !judged.left.isEmpty { standing.insert(judged.fact.commit) }
                } else {
                    judged.standing = .none
                    judged.causesTakenBackBy = Set(erasure.fact.causes.flatMap { takers[$0] ?? [] }).sorted()
                }
                fates[commit]?.erasures[index] = judged
            }
        }
    }
}

/// Decides what is erased of which commit: a pure function of the held commits.
///
/// O(statements), with a bound on those of one replica about one commit.
struct ErasureResolver {
    /// How many erasures of one commit by one replica are judged, of those with causes and of the others, and how many
    /// statements that take back of it: the last ones in the order of the merge. A replica that erases more of a commit
    /// repeats what it erased before, with the same causes.
    static let mostJudged = 64

    private let rights: ErasingRights

    /// `stands` says whether the commit of a statement stands: its author is a member, and the commit is within each
    /// cut and was not replaced.
    static func resolve(
        _ facts: [ErasingFact], _ membership: Membership?, stands: (ErasingFact) throws -> Bool
    ) rethrows -> ResolvedErasing {
        let resolver = ErasureResolver(rights: ErasingRights(membership: membership))
        var resolved = ResolvedErasing(rights: resolver.rights)
        var about: [CommitID: [ErasingFact]] = [:]
        for fact in facts where try stands(fact) {
            if let target = fact.target {
                about[target, default: []].append(fact)
            } else {
                resolved.period.add(fact, resolver.rights)
            }
        }
        for (commit, facts) in about {
            let fate = resolver.fate(of: commit, facts)
            if !fate.erasures.isEmpty { resolved.fates[commit] = fate }
        }
        resolved.judgeCauses()
        for erasure in resolved.fates.values.lazy.flatMap(\.erasures) {
            guard case .erasure(_, let names, _) = erasure.fact.statement else { continue }
            for name in Set(names) where name.field == nil {
                resolved.sweeping[erasure.eraser, default: [:]][name.entity, default: []].append(erasure)
            }
        }
        return resolved
    }

    private func fate(of commit: CommitID, _ facts: [ErasingFact]) -> CommitFate {
        var erasures: [(fact: ErasingFact, erasure: Erasure)] = []
        var takers: [Taker] = []
        for facts in Dictionary(grouping: facts, by: \.author).values {
            var counts = (erasures: 0, late: 0, takeBacks: 0)
            var taker = Taker()
            for fact in facts.sorted(by: { $0.isLater(than: $1) }) {
                switch fact.statement {
                case .erasure(let erasure, _, []) where counts.erasures < Self.mostJudged:
                    counts.erasures += 1
                    erasures.append((fact, erasure))
                case .erasure(let erasure, _, let causes) where !causes.isEmpty && counts.late < Self.mostJudged:
                    counts.late += 1
                    erasures.append((fact, erasure))
                case .takeBack(_, let leaves) where counts.takeBacks < Self.mostJudged:
                    counts.takeBacks += 1
                    taker.add(fact, LeafSelection(leaves))
                default: break
                }
            }
            if !taker.statements.isEmpty { takers.append(taker) }
        }
        let counting = erasures.sorted { $1.fact.isLater(than: $0.fact) }.compactMap { fact, erasure in
            rights.part(of: erasure.eraser, over: commit.replica).map { part in
                judged(fact, erasure, part, takers)
            }
        }
        return CommitFate(erasures: counting)
    }

    private func judged(
        _ fact: ErasingFact, _ erasure: Erasure, _ part: ErasingRights.Part,
        _ takers: [Taker]
    ) -> CountingErasure {
        let named = LeafSelection(erasure.leaves)
        var standing = named
        var takenBackBy: Set<ReplicaID> = []
        for taker in takers {
            let leaves = beaten(by: taker, fact, over: erasure.commit.replica)
            standing = standing.subtracting(leaves)
            if !named.intersection(leaves).isEmpty { takenBackBy.insert(taker.author) }
        }
        return CountingErasure(
            fact: fact, erasure: erasure, part: part, left: standing, takenBackBy: takenBackBy.sorted(),
            standing: standing, start: fact.start)
    }

    /// The leaves that a replica takes back from an erasure.
    private func beaten(by taker: Taker, _ fact: ErasingFact, over author: ReplicaID) -> LeafSelection {
        if rights.overrules(taker.author, fact.author, over: author) { return taker.all }
        return rights.speaks(taker.author, for: fact.author) ? taker.later(than: fact) : .none
    }
}

/// What one replica takes back of one commit, summed up so that an erasure needs one look at each replica.
private struct Taker {
    /// The latest first, each with what it and those before it name.
    private(set) var statements: [(fact: ErasingFact, leaves: LeafSelection)] = []

    /// Adds a statement that is earlier than the others.
    mutating func add(_ fact: ErasingFact, _ leaves: LeafSelection) {
        statements.append((fact, all.union(leaves)))
    }

    var author: ReplicaID { statements[0].fact.author }
    var all: LeafSelection { statements.last?.leaves ?? .none }

    func later(than fact: ErasingFact) -> LeafSelection {
        statements.last { $0.fact.isLater(than: fact) }?.leaves ?? .none
    }
}
