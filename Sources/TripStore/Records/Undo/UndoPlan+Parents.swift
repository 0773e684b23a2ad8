import EventLog
import Events
import Trips

/// What is above and below the entities of a plan, once it is carried out.
extension UndoPlan {
    /// How many ancestors an entity has; `parents` are those that it and they are going to have.
    static func level(
        of entity: EntityReference, _ parents: [EntityReference: EntityReference], _ orphans: Set<EntityReference>,
        _ auditor: inout Auditor
    ) throws -> Int {
        var (level, next) = (0, entity)
        while level < EventRules.mostAncestors, next.kind.mayNest, !orphans.contains(next) {
            let value = try parents[next].map(\.fieldValue) ?? auditor.timeline(of: next).current(at: .parent)
            guard let parent = value.flatMap({ EntityReference(fieldValue: $0) }) else { break }
            (level, next) = (level + 1, parent)
        }
        // Where parents are of one kind, every entity counts as having one, so that its history need not be read.
        return level + (next.kind.mayHaveParent && !next.kind.mayNest ? 1 : 0)
    }

    /// The ancestor that an entity would have, if it prevents writing the entity.
    mutating func missingParent(
        _ subject: Subject, _ writes: [(FieldPath, [UInt8]?)], _ auditor: inout Auditor
    ) throws -> EntityReference? {
        let kind = subject.entity.kind
        guard kind.mayHaveParent else { return nil }
        let written = writes.first { $0.0 == .parent }
        let value = written.map(\.1) ?? subject.timeline.current(at: .parent)
        guard let parent = value?.withUnsafeBytes({ kind.parent(in: $0) }) else {
            if written != nil { orphans.insert(subject.entity) }
            return nil
        }
        parents[subject.entity] = parent
        if written == nil, subject.entity.parentRule(in: auditor.known) != .cascade { return nil }
        var (chain, next): ([EntityReference], EntityReference?) = ([subject.entity], parent)
        var missing: EntityReference?
        while let ancestor = next, chain.count <= EventRules.mostAncestors,
            chain.count == 1 || chain.last?.parentRule(in: auditor.known) == .cascade
        {
            // What is in a ring is cut somewhere: it stays.
            if let ring = chain.firstIndex(of: ancestor) {
                let place = missing.flatMap { chain.firstIndex(of: $0) } ?? .max
                return ring > 0 && place <= ring ? missing : nil
            }
            let record = try auditor.timeline(of: ancestor).record(asOf: .position(Position(.max)))
            var state = EventRules.Presence(record)
            if let isThere = isThere[ancestor] {
                state.isDeleted = !isThere
            } else {
                expected[ancestor] = record.version
            }
            chain.append(ancestor)
            do throws(TripStoreError) {
                try EventRules.check(
                    ancestor, isWritten: written != nil && ancestor == parent, by: .edited, of: subject.entity,
                    on: state, in: auditor.known)
            } catch { missing = missing ?? ancestor }
            next = finalParent(of: ancestor, record)
        }
        // The write is kept then.
        if missing != nil, written != nil { parents[subject.entity] = subject.record.stampedParent(of: kind)?.entity }
        return missing
    }

    /// Keeps the parents of entities that would belong to themselves: they have changed places with others since.
    mutating func keepRings(_ auditor: inout Auditor) throws {
        for index in events.indices.reversed() where events[index].entity.kind.mayNest {
            let entity = events[index].entity
            guard let place = events[index].changes.firstIndex(where: { $0.path == .parent }),
                try isAncestor(entity, of: entity, &auditor), let parent = parents[entity]
            else { continue }
            let rendering = FieldRendering(of: entity, .parent, value: nil, in: auditor.known)
            let name = changes.first { $0.entity == entity }?.name ?? ""
            events[index].changes.remove(at: place)
            leaving.remove(entity)
            changes.removeAll { $0.entity == entity && $0.new?.name == rendering.name }
            if events[index].changes.isEmpty { events.remove(at: index) }
            parents[entity] = try auditor.timeline(of: entity).record(asOf: .position(Position(.max)))
                .stampedParent(of: entity.kind)?.entity
            let error = EventRules.unusable(parent, of: entity, isCycle: true, in: auditor.known)
            kept.append(
                KeptChange(entity: entity, name: name, field: rendering.name, reason: .invalid(error.message)))
        }
    }

    /// The parent that an entity has after the plan, as far as that is made.
    private func finalParent(of entity: EntityReference, _ record: EntityRecord) -> EntityReference? {
        guard entity.kind.mayHaveParent, !orphans.contains(entity) else { return nil }
        return parents[entity] ?? record.stampedParent(of: entity.kind)?.entity
    }

    /// Whether an entity is above another after the plan.
    private func isAncestor(
        _ entity: EntityReference, of other: EntityReference, _ auditor: inout Auditor
    ) throws -> Bool {
        var (seen, next): (Set<EntityReference>, EntityReference) = ([], other)
        while seen.insert(next).inserted, next.kind.mayHaveParent {
            let record = try auditor.timeline(of: next).record(asOf: .position(Position(.max)))
            guard let parent = finalParent(of: next, record) else { return false }
            if parent == entity { return true }
            next = parent
        }
        return false
    }
}
