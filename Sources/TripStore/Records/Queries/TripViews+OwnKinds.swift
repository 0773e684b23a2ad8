import Events
import ProjectionEngine
import TripProjections
public import Trips

/// Entities of kinds that apps add.
extension FetchRequest {
    /// The entities of an app's kind that are there, in the order of their creation.
    public static func entities<Entity: OwnEntity>(_ type: Entity.Type) -> FetchRequest where Answer == Rows<Entity> {
        FetchRequest(rows: FetchIdentity.entities(ObjectIdentifier(type), in: nil), readsDeclarations: true) {
            views, _ in
            try views.listed(Entity.schema.ownKind.map { try views.entities(type, $0) } ?? [])
        }
    }

    /// The entities of an app's kind under a parent, in the order of their creation; empty if the parent is not there.
    public static func entities<Entity: OwnEntity, Parent: TripEntity>(
        _ type: Entity.Type, in parent: Identifier<Parent>
    ) -> FetchRequest where Answer == Rows<Entity> {
        FetchRequest(
            rows: FetchIdentity.entities(ObjectIdentifier(type), in: parent.reference), readsDeclarations: true
        ) {
            views, _ in
            try views.listed(parent.isOfKind ? views.entities(type, under: parent.reference) : [])
        }
    }
}

extension TripQuerying where Self: ~Copyable {
    /// The entities of an app's kind that are there, in the order of their creation. O(entities of the kind).
    public func entities<Entity: OwnEntity>(_ type: Entity.Type) throws -> Rows<Entity> { try fetch(.entities(type)) }

    /// The entities of an app's kind under a parent, in the order of their creation; empty if the parent is not there. O(entities of the kind there).
    public func entities<Entity: OwnEntity, Parent: TripEntity>(
        _ type: Entity.Type, in parent: Identifier<Parent>
    ) throws -> Rows<Entity> {
        try fetch(.entities(type, in: parent))
    }

    /// The entities of an app's kind whose parent is not there: it never arrived here, or it is deleted and the rule is not to cascade. And of those that replicas
    /// concurrently put under each other, the one that was moved last, which counts as one without a parent. O(entities of the kind).
    public func unfiled<Entity: OwnEntity>(_ type: Entity.Type) throws -> Rows<Entity> {
        try read { views in
            let found = try views.entities(type).filter { entity in
                guard let record = try views.snapshot.record(of: entity.reference),
                    let parent = try record.parent(of: entity.reference.kind)
                else { return false }
                if try views.snapshot.record(of: parent)?.isCreated != true || views.isDeleted(parent) { return true }
                return try views.snapshot.ancestry(of: entity.reference).isCut
            }
            return try views.listed(found)
        }
    }
}

extension TripViews {
    /// The entities of one kind, or of all that have the type's number, in the order of their creation.
    fileprivate func entities<Entity: OwnEntity>(_ type: Entity.Type, _ kind: OwnKind?) throws -> [Entity] {
        var found: [Entity] = []
        try forEachEntity(in: KeyBounds(prefix: kind?.prefix ?? [])) { reference in
            guard kind == nil || kind == OwnKind(of: reference), let id = Identifier<Entity>(reference) else {
                return true
            }
            if let entity = try entity(id) { found.append(entity) }
            return true
        }
        return try inOrder(found)
    }

    /// The entities of an app's kind under a parent of any kind, in the order of their creation; none if the parent is not there.
    package func entities<Entity: OwnEntity>(_ type: Entity.Type, under parent: EntityReference) throws -> [Entity] {
        guard Entity.schema.ownKind != nil, try shownRecord(of: parent) != nil else { return [] }
        let children = try ChildrenByParent.children(of: parent, Entity.concreteKind, in: snapshot)
        snapshot.expect(parts: children.count)
        var found: [Entity] = []
        for child in children where try !isCut(child, from: parent) {
            guard let id = Identifier<Entity>(child), let record = try snapshot.record(of: child) else { continue }
            var entity = try Entity(id: id, record: record)
            try entity.nullify { try isDeleted($0) }
            found.append(entity)
        }
        return try inOrder(found)
    }

    /// The entities of one app's kind, or of all, that are there, whether their app is here or not: for tools. O(entities).
    package func ownEntities(_ kind: OwnKind? = nil) throws -> [DescribedEntity] {
        try entities(DescribedEntity.self, kind)
    }

    /// Those of all kinds that are there under a parent.
    package func ownEntities(in parent: EntityReference) throws -> [DescribedEntity] {
        try inOrder(
            snapshot.children(of: parent).compactMap { DescribedEntity.ID($0) }
                .filter { try !snapshot.ancestry(of: $0.reference).isCut }.compactMap { try entity($0) })
    }

    /// The entities of all apps' kinds and of the store's that are written and not deleted themselves. O(entities).
    package func ownReferences() throws -> [EntityReference] {
        var found: [EntityReference] = []
        try forEachEntity { entity in
            if entity.kind.mayNest, try snapshot.record(of: entity)?.isPresent() == true { found.append(entity) }
            return true
        }
        return found
    }

    /// One of them, if it is there, and the parent that it names.
    package func described(_ entity: EntityReference) throws -> (DescribedEntity, parent: EntityReference?)? {
        guard let found = try self.entity(DescribedEntity.ID(entity.id)), let record = try snapshot.record(of: entity)
        else { return nil }
        return (found, try record.parent(of: entity.kind))
    }

    /// How many ancestors an entity has, deleted ones included.
    package func level(of entity: EntityReference) throws -> Int { try ancestors(of: entity).count }

    /// The record of an entity that is there and not hidden.
    func shownRecord(of entity: EntityReference) throws -> RecordView? {
        guard let record = try snapshot.record(of: entity), try record.isPresent(), try !isHidden(entity, record) else {
            return nil
        }
        return record
    }

    /// Whether an entity with a record is hidden because an ancestor is deleted.
    func isHidden(_ entity: EntityReference, _ record: borrowing RecordView) throws -> Bool {
        switch entity.kind.parents {
        case .none: return false
        case .one:
            // Nothing is above the parent.
            guard entity.kind.parentRule == .cascade, let parent = try record.parent(of: entity.kind) else {
                return false
            }
            return try isGone(parent)
        case .any: return try snapshot.ancestry(of: entity).hides(entity, in: known) { try isGone($0) }
        }
    }

    /// Whether an entity was created and is deleted itself.
    func isGone(_ entity: EntityReference) throws -> Bool {
        guard let record = try snapshot.record(of: entity), record.isCreated else { return false }
        return try !record.isPresent()
    }

    /// Whether an entity was created, and it or an ancestor is deleted.
    func isDeleted(_ entity: EntityReference) throws -> Bool {
        guard let record = try snapshot.record(of: entity), record.isCreated else { return false }
        return try !record.isPresent() || isHidden(entity, record)
    }

    /// How many entities that are not deleted themselves are hidden while some others are deleted.
    func followers(of roots: [EntityReference]) throws -> Int {
        try descendants(of: roots) { child, parent in
            try child.parentRule(in: known) == .cascade && !isCut(child, from: parent)
        }.count
    }

    /// The entities below some others, at any depth, where `isIncluded` accepts each child with its parent. O(those).
    func descendants(
        of roots: [EntityReference],
        where isIncluded: (_ child: EntityReference, _ parent: EntityReference) throws -> Bool = { _, _ in true }
    ) throws -> [EntityReference] {
        var (found, seen, index) = (roots, Set(roots), 0)
        while index < found.count {
            let parent = found[index]
            for child in try snapshot.children(of: parent)
            where try isIncluded(child, parent) && seen.insert(child).inserted { found.append(child) }
            index += 1
        }
        return Array(found[roots.count...])
    }

    /// Whether an entity counts as one without the parent that it names: replicas concurrently put entities under each other, and that ring is
    /// cut there.
    func isCut(_ child: EntityReference, from parent: EntityReference) throws -> Bool {
        try child.kind.mayNest && parent.kind.mayNest && snapshot.ancestry(of: child).isCut
    }

    /// In the order of their creation, of which `createdAt` has the milliseconds alone.
    private func inOrder<Entity: OwnEntity>(_ entities: [Entity]) throws -> [Entity] {
        let timed = try entities.map { entity in
            (try snapshot.record(of: entity.reference)?.creationTimestamp() ?? .zero, entity)
        }
        return timed.sorted { $0.0 == $1.0 ? $0.1.id < $1.1.id : $0.0 < $1.0 }.map(\.1)
    }

    // MARK: Ancestors

    package func ancestors(of entity: EntityReference) throws -> ArraySlice<EntityReference> {
        try snapshot.ancestry(of: entity).ancestors
    }
}

extension ViewSnapshot {
    /// The entities above one.
    func ancestry(of entity: EntityReference) throws -> Ancestry {
        try Ancestry(of: entity) { entity in try record(of: entity)?.stampedParent(of: entity.kind) ?? nil }
    }
}
