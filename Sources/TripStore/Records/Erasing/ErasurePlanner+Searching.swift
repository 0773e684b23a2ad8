import EventLog
import Events
import Trips

/// Finding the entities that an erasure is of, and the commits with their events.
extension ErasurePlanner {
    /// A commit with events of the entities.
    struct Hit {
        let position: Position
        let events: Set<Int>
        /// Whether the author wrote it to whom the scope is limited.
        let isByAuthor: Bool
    }

    /// Adds an entity in all of its forms and, unless fields are named, everything that was ever under them and goes
    /// with its parent.
    mutating func add(_ entity: EntityReference, to entities: inout Set<EntityReference>) throws {
        var rest = [entity]
        while let next = rest.popLast() {
            for form in try forms(of: next) where entities.insert(form).inserted {
                guard scope.fields == nil else { continue }
                for child in try auditor.children(everOf: form)
                where !entities.contains(child) && child.parentRule(in: auditor.known) != .nullify {
                    rest.append(child)
                }
            }
        }
    }

    mutating func forms(of entity: EntityReference) throws -> Set<EntityReference> {
        guard EntityForms.kinds.contains(entity.kind) else { return [entity] }
        let writes = try auditor.timeline(of: entity).writes[EntityForms.path] ?? []
        let firsts = writes.map { write in write.value.flatMap { EntityReference(fieldValue: $0) } }
        return (firsts + [nil]).reduce(into: [entity]) { found, first in
            found.formUnion(EntityForms(of: entity, superseding: first)?.all ?? [])
        }
    }

    /// The commits with events of entities; and others that were put under one of them.
    func search(
        for entities: Set<EntityReference>
    ) throws -> (hits: [Hit], strays: Set<EntityReference>) {
        var hits: [Hit] = []
        var strays: Set<EntityReference> = []
        let (known, takesChildren) = (auditor.known, scope.fields == nil)
        try auditor.log.forEachCommit(after: .start) { stored in
            guard stored.header.journal == journal else { return true }
            var found: Set<Int> = []
            stored.asCounting.forEachEvent { event, index in
                let entity = event.entity
                if entities.contains(entity) {
                    found.insert(index)
                } else if takesChildren, entity.kind.mayHaveParent, entity.parentRule(in: known) != .nullify,
                    Self.parents(in: event).contains(where: entities.contains)
                {
                    strays.insert(entity)
                }
            }
            if !found.isEmpty {
                let author = (try? stored.view.payload?.authorship())?.author ?? ""
                hits.append(
                    Hit(
                        position: stored.position, events: found,
                        isByAuthor: scope.author.map { $0 == author } ?? true))
            }
            return true
        }
        return (hits, strays)
    }

    private static func parents(in event: borrowing EventView) -> [EntityReference] {
        var found: [EntityReference] = []
        let kind = event.entity.kind
        // The payload was validated as a whole.
        try? event.forEachChange { change in
            guard change.field == FieldPath.parent.field, change.key.isEmpty, let value = change.value else { return }
            if let parent = kind.parent(in: value) { found.append(parent) }
        }
        return found
    }
}
