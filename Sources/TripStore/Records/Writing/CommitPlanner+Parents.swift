import Events
import Trips

/// What a planner checks of the entities above one that is written, and below one that is deleted.
extension CommitPlanner {
    /// Checks that the parent of an entity is there, and all of its ancestors.
    ///
    /// An undo, which writes several parents one by one, may make a ring on the way.
    mutating func checkParent<Source: RecordSource & ~Copyable>(
        of entity: EntityReference, _ verb: Verb, written: EntityReference??, _ number: Int,
        isComputed: Bool = false, on source: borrowing Source
    ) throws {
        guard entity.kind.mayHaveParent, let parent = written ?? memory.parent(of: number) else { return }
        if written == nil, entity.parentRule(in: known) != .cascade { return }
        // Children of one parent are mostly adjacent.
        let parentNumber =
            if let lastParent, lastParent.entity == parent { lastParent.number } else {
                try memory.number(of: parent, in: source)
            }
        lastParent = (parent, parentNumber)
        let isWritten = written != nil
        guard entity.kind.mayNest else {
            return try EventRules.check(
                parent, isWritten: isWritten, by: verb, of: entity, on: memory.presence(of: parentNumber),
                in: known)
        }
        let (chain, presences, ring) = try chain(above: entity, parent, parentNumber, on: source)
        if isWritten, !isComputed, ring == 0 { throw EventRules.unusable(parent, of: entity, isCycle: true, in: known) }
        // Where a ring is cut is not asked: what is in one stays editable.
        let end = ring.map { $0 == 0 ? 1 : $0 + 1 } ?? chain.count
        for place in 1..<end {
            // What is above an entity of another rule hides nothing.
            if place > 1, chain[place - 1].parentRule(in: known) != .cascade { break }
            try EventRules.check(
                chain[place], isWritten: isWritten && place == 1, by: verb, of: entity, on: presences[place], in: known)
        }
        guard isWritten, !isComputed, ring == nil else { return }
        // Nothing is below what is being created.
        let height = verb == .created ? 0 : try height(of: entity, upTo: EventRules.mostAncestors, on: source)
        if chain.count - 1 + height > EventRules.mostAncestors {
            throw EventRules.unusable(parent, of: entity, isCycle: false, in: known)
        }
    }

    /// An entity and what is above it, the presence of each, and the place in the chain to which it leads back, if it does.
    private mutating func chain<Source: RecordSource & ~Copyable>(
        above entity: EntityReference, _ parent: EntityReference, _ number: Int, on source: borrowing Source
    ) throws -> (chain: [EntityReference], presences: [EventRules.Presence], ring: Int?) {
        if parent == entity { return ([entity], [EventRules.Presence()], 0) }
        var chain = [entity, parent]
        var presences = [EventRules.Presence(), memory.presence(of: number)]
        var next = parent.kind.mayHaveParent ? memory.parent(of: number) : nil
        while let ancestor = next, chain.count <= EventRules.mostAncestors + 1 {
            if let ring = chain.firstIndex(of: ancestor) { return (chain, presences, ring) }
            let number = try memory.number(of: ancestor, in: source)
            chain.append(ancestor)
            presences.append(memory.presence(of: number))
            next = ancestor.kind.mayHaveParent ? memory.parent(of: number) : nil
        }
        return (chain, presences, nil)
    }

    /// How many levels of entities are below one. O(entities below it).
    private func height<Source: RecordSource & ~Copyable>(
        of entity: EntityReference, upTo most: Int, on source: borrowing Source
    ) throws -> Int {
        var (level, height) = ([entity], 0)
        var seen: Set = [entity]
        while height <= most {
            level = try level.flatMap { try source.children(of: $0) }.filter { seen.insert($0).inserted }
            if level.isEmpty { break }
            height += 1
        }
        return height
    }

    /// Checks that no entity denies that its parent is deleted.
    ///
    /// Throws `TripStoreError.Code.stillNeeded`.
    mutating func checkDenied<Source: RecordSource & ~Copyable>(
        _ parent: EntityReference, on source: borrowing Source
    ) throws {
        var children: [EntityReference] = []
        let present = try source.children(of: parent).filter { $0.parentRule(in: known) == .deny }
        let listed = Set(present).union(denying[parent] ?? [])
        for child in listed.sorted(by: { $0.id < $1.id }) {
            // The commit may have deleted or moved it already.
            let number = try memory.number(of: child, in: source)
            if memory.presence(of: number).isPresent, memory.parent(of: number) == parent { children.append(child) }
        }
        guard let child = children.first else { return }
        throw TripStoreError(
            .stillNeeded,
            "The \(parent.words(in: known)) cannot be deleted while the \(child.words(in: known)) belongs to it"
                + (children.count > 1 ? ", and \(children.count - 1) more" : "") + ". Delete or move that first.",
            entity: child)
    }
}
