import Events

/// A statement of an eraser about an entity of which it erases what arrives later.
struct SweepingStatement {
    let fact: ErasingFact
    /// The position up to which events arrived before: they were erased by a plan, or spared.
    let after: Position

    init(_ fact: ErasingFact, after: Position) { (self.fact, self.after) = (fact, after) }

    /// The causes of what arrives late for it: its own if it erases itself what arrived late.
    var causes: [CommitID] { fact.causes.isEmpty ? [fact.commit] : fact.causes }
}

typealias SweepingStatements = [EntityReference: [SweepingStatement]]

extension LogSnapshot {
    /// This replica, and those that it was.
    func erasers() throws -> Set<ReplicaID> { Set(try identityChanges().map(\.previous) + [replica()]) }

    /// The standing statements of these, by the entities. One that is later than a position was planned there.
    func ownSweeping(plannedAt planned: Position?) throws -> SweepingStatements {
        guard let erasing = try erasing(), !erasing.sweeping.isEmpty else { return [:] }
        let journal = try journal()
        var positions: [CommitID: Position] = [:]
        var found: SweepingStatements = [:]
        for (entity, erasures) in try erasers().lazy.compactMap({ erasing.sweeping[$0] }).joined() {
            for fact in erasures.lazy.map(\.fact) where erasing.standing.contains(fact.commit) {
                if positions[fact.commit] == nil { positions[fact.commit] = try position(of: fact.commit, in: journal) }
                guard let position = positions[fact.commit] else { continue }
                let after = min(position, planned ?? position)
                found[entity, default: []].append(SweepingStatement(fact, after: after))
            }
        }
        return found
    }
}

extension EventView {
    /// The statements about its entity, and about one that it makes its parent, unless the entity stays without that.
    func statements(
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
