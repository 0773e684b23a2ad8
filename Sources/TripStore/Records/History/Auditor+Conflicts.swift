import EventLog
import Events
import LMDB
import ProjectionEngine
import TripProjections
import Trips

extension Auditor {
    /// The conflicts of an entity, with those of its deletion and what was put under it.
    mutating func conflicts(of entity: EntityReference) throws -> [Conflict] {
        let timeline = try timeline(of: entity)
        var found = try conflicts(ofAlone: entity)
        guard var deletions = timeline.deletions else { return found }
        for child in try children(everOf: entity) {
            found += try conflicts(of: timeline, with: self.timeline(of: child), &deletions)
        }
        return found
    }

    /// The parents that an entity ever had.
    mutating func parents(everOf entity: EntityReference) throws -> Set<EntityReference> {
        guard entity.kind.mayHaveParent else { return [] }
        let writes = try timeline(of: entity).writes[FieldPath.parent] ?? []
        return Set(
            writes.compactMap { write in
                write.value?.withUnsafeBytes { entity.kind.parent(in: $0) }
            })
    }

    /// The conflicts of an entity without those of its children.
    mutating func conflicts(ofAlone entity: EntityReference) throws -> [Conflict] {
        try timeline(of: entity).conflicts { try newest(of: $1, heldAt: $0) }
    }

    /// The conflicts of an entity, with the deletions of its parents.
    private mutating func conflictsWithParents(of entity: EntityReference) throws -> [Conflict] {
        var found: [Conflict] = []
        for parent in try parents(everOf: entity) {
            let parent = try timeline(of: parent)
            guard var deletions = parent.deletions else { continue }
            found += try conflicts(of: parent, with: timeline(of: entity), &deletions)
        }
        return found
    }

    /// The conflicts in which an entity, a child of it or its parent was deleted.
    mutating func conflictsWithDeletions(of entity: EntityReference) throws -> [Conflict] {
        try (conflicts(of: entity) + conflictsWithParents(of: entity)).filter { conflict in
            if case .field = conflict.subject { false } else { true }
        }
    }

    private mutating func conflicts(
        of parent: EntityTimeline, with child: EntityTimeline, _ deletions: inout UnseenDeletions
    ) throws -> [Conflict] {
        try parent.conflicts(with: child, &deletions) { try newest(of: $1, heldAt: $0) }
    }

    /// The conflict with that name, or nil.
    mutating func conflict(_ id: Conflict.ID) throws -> Conflict? {
        guard let position = try log.position(of: id.commit), let commit = try log.commit(at: position),
            commit.counts, let event = try commit.view.payload?.event(at: id.event)
        else { return nil }
        let found = try conflicts(ofAlone: event.entity) + conflictsWithParents(of: event.entity)
        return found.first { $0.id == id }
    }

    /// The conflicts of an entity and of all that were ever under it; without one those of all of the log.
    mutating func conflicts(under root: EntityReference?) throws -> [Conflict] {
        guard let root else {
            let edited = try editedEntities()
            return try conflicts(of: log.contested(among: edited))
        }
        guard try !timeline(of: root).entries.isEmpty else {
            throw TripStoreError.unknown(root, in: known)
        }
        var found = try conflicts(of: root)
        for child in try children(everOf: root) { found += try conflicts(ofAlone: child) }
        return found
    }

    mutating func conflicts(of entities: Set<EntityReference>) throws -> [Conflict] {
        var found: [Conflict] = []
        for entity in entities { found += try conflicts(of: entity) }
        return found
    }

    /// The entities with more than one event, and perhaps some with one.
    mutating func editedEntities() throws -> Set<EntityReference> {
        var entities = try entitiesBeyondViews()
        var cursor = try views.cursor(on: "entity-history")
        var row = try cursor.first()
        var previous: EntityReference?
        while let current = row {
            guard current.key.count == EntityHistory.keySize else { throw ProjectionError.damaged("the history") }
            let kind = EntityKind(rawValue: current.key.bigEndian(UInt16.self, at: 16))
            let entity = EntityReference(kind: kind, id: current.key.uuid())
            if entity == previous { entities.insert(entity) }
            previous = entity
            row = try cursor.next()
        }
        return entities
    }
}
