import TripStore

/// An entity of an app's own kind, or of the store's, below a trip, an item or an organization.
struct SnailsDescendant: Sendable {
    let entity: DescribedEntity
    let parent: EntityReference
}

extension TripViews {
    /// All that are there below some entities, at any depth. O(those).
    func descendants(of roots: [EntityReference]) throws -> [SnailsDescendant] {
        var found: [SnailsDescendant] = []
        var known: Set<EntityReference> = []
        func add(_ parent: EntityReference) throws {
            for child in try ownEntities(in: parent) where known.insert(child.reference).inserted {
                found.append(SnailsDescendant(entity: child, parent: parent))
            }
        }
        for root in roots { try add(root) }
        var next = 0
        while next < found.count {
            try add(found[next].entity.reference)
            next += 1
        }
        return found
    }
}

extension TripDocument {
    /// The entities of the store's own kinds that it has.
    var ownEntities: Set<EntityReference> {
        var entities: Set<EntityReference> = []
        entities.formUnion(contents.budgets.map(\.reference))
        entities.formUnion(contents.checklists.map(\.reference))
        entities.formUnion(contents.entries.map(\.reference))
        for files in attachments.values { entities.formUnion(files.map(\.reference)) }
        return entities
    }
}

extension DescribedEntity {
    var isAttachment: Bool { AttachedFile.ID(reference) != nil }
}
