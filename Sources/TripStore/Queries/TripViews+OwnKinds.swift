import Events
import Foundation
import ProjectionEngine
import TripProjections
public import Trips

/// Entities of kinds that apps add.
extension Question {
    /// The entities of an app's kind that are there, in the order of their creation.
    public static func entities<Entity: OwnEntity>(_ type: Entity.Type) -> Question where Answer == Rows<Entity> {
        Question(rows: Asked.entities(ObjectIdentifier(type), in: nil), readsDeclarations: true) { views, _ in
            guard let kind = Entity.schema.ownKind else { return try views.listed([]) }
            var found: [Entity] = []
            let scan = try views.snapshot.scan("entities", KeyBounds(prefix: kind.prefix))
            while let row = try scan.next(), row.key.count == 18 {
                guard let reference = EntityReference(row.key), let id = Identifier<Entity>(reference) else { continue }
                if let entity = try views.entity(id) { found.append(entity) }
            }
            return try views.listed(views.inOrder(found))
        }
    }

    /// The entities of an app's kind under a parent, in the order of their creation; empty if the parent is not there.
    public static func entities<Entity: OwnEntity, Parent: TripEntity>(
        _ type: Entity.Type, in parent: Identifier<Parent>
    ) -> Question where Answer == Rows<Entity> {
        Question(rows: Asked.entities(ObjectIdentifier(type), in: parent.reference), readsDeclarations: true) {
            views, _ in
            guard let kind = Entity.schema.ownKind, try views.entity(parent) != nil else { return try views.listed([]) }
            let children = try OwnByParent.children(of: parent.reference, kind: kind, in: views.snapshot)
            views.snapshot.expect(parts: children.count)
            var found: [Entity] = []
            for child in children where try !views.isCut(child, from: parent.reference) {
                guard let id = Identifier<Entity>(child), let record = try views.snapshot.record(of: child) else {
                    continue
                }
                var entity = try Entity(id: id, record: record)
                try entity.nullify { try views.isDeleted($0) }
                found.append(entity)
            }
            return try views.listed(views.inOrder(found))
        }
    }
}

extension TripQuerying where Self: ~Copyable {
    /// The entities of an app's kind that are there, in the order of their creation. O(entities of the kind).
    public func entities<Entity: OwnEntity>(_ type: Entity.Type) throws -> Rows<Entity> { try ask(.entities(type)) }

    /// The entities of an app's kind under a parent, in the order of their creation; empty if the parent is not there. O(entities of the kind there).
    public func entities<Entity: OwnEntity, Parent: TripEntity>(
        _ type: Entity.Type, in parent: Identifier<Parent>
    ) throws -> Rows<Entity> {
        try ask(.entities(type, in: parent))
    }

    /// The entities of an app's kind whose parent is not there: it never arrived here, or it is deleted and the rule is not to cascade. And of those that replicas
    /// concurrently put under each other, the one that was moved last, which counts as one without a parent. O(entities of the kind).
    public func unfiled<Entity: OwnEntity>(_ type: Entity.Type) throws -> Rows<Entity> {
        try read { views in
            let found = try views.entities(type).filter { entity in
                guard let record = try views.snapshot.record(of: entity.reference),
                    let parent = try OwnByParent.parent(record)
                else { return false }
                if try views.snapshot.record(of: parent)?.isCreated != true || views.isDeleted(parent) { return true }
                return try views.ancestry(of: entity.reference).isCut
            }
            return try views.listed(found)
        }
    }
}

extension TripViews {
    /// The entities of one app's kind, or of all, that are there, whether their app is here or not: for tools. O(entities).
    package func ownEntities(_ kind: OwnKind? = nil) throws -> [DescribedEntity] {
        try inOrder(OwnByParent.all(kind, in: snapshot).compactMap { try entity(DescribedEntity.ID($0.id)) })
    }

    /// Those of all kinds that are there under a parent.
    package func ownEntities(in parent: EntityReference) throws -> [DescribedEntity] {
        try inOrder(
            OwnByParent.children(of: parent, in: snapshot).filter { try !ancestry(of: $0).isCut }
                .compactMap { try entity(DescribedEntity.ID($0.id)) })
    }

    /// The entities of all apps' kinds and of the store's that are written and not deleted themselves. O(entities).
    package func ownReferences() throws -> [EntityReference] { try OwnByParent.all(in: snapshot) }

    /// One of them, if it is there, and the parent that it names.
    package func described(_ entity: EntityReference) throws -> (DescribedEntity, parent: EntityReference?)? {
        guard let found = try self.entity(DescribedEntity.ID(entity.id)), let record = try snapshot.record(of: entity)
        else { return nil }
        return (found, try OwnByParent.parent(record))
    }

    /// How many ancestors an entity has, deleted ones included.
    package func level(of entity: EntityReference) throws -> Int { try ancestors(of: entity).count }

    /// Whether an entity is hidden because an ancestor is deleted.
    func isHidden(_ entity: EntityReference) throws -> Bool {
        try ancestry(of: entity).hides(entity) { ancestor in
            guard let record = try snapshot.record(of: ancestor), record.isCreated else { return false }
            return try !record.isPresent()
        }
    }

    /// Whether an entity was created, and it or an ancestor is deleted.
    func isDeleted(_ entity: EntityReference) throws -> Bool {
        guard let record = try snapshot.record(of: entity), record.isCreated else { return false }
        return try !record.isPresent() || isHidden(entity)
    }

    /// How many entities that are not deleted themselves are hidden while some others are deleted.
    func followers(of roots: [EntityReference]) throws -> Int {
        var seen = Set(roots)
        var (rest, count) = (roots, 0)
        while let parent = rest.popLast() {
            for child in try snapshot.children(of: parent)
            where try isHidden(with: parent, child) && seen.insert(child).inserted {
                count += 1
                rest.append(child)
            }
        }
        return count
    }

    /// Whether a child is hidden while its parent is deleted.
    private func isHidden(with parent: EntityReference, _ child: EntityReference) throws -> Bool {
        try child.parentRule == .cascade && !isCut(child, from: parent)
    }

    /// Whether an entity counts as one without the parent that it names: replicas concurrently put entities under each other, and that ring is
    /// cut there.
    func isCut(_ child: EntityReference, from parent: EntityReference) throws -> Bool {
        // Only apps' kinds can lie under each other.
        try child.kind == .own && parent.kind == .own && ancestry(of: child).isCut
    }

    /// In the order of their creation, of which `createdAt` has the milliseconds alone.
    fileprivate func inOrder<Entity: OwnEntity>(_ entities: [Entity]) throws -> [Entity] {
        let timed = try entities.map { entity in
            (try snapshot.record(of: entity.reference)?.creationTimestamp() ?? .zero, entity)
        }
        return timed.sorted { $0.0 == $1.0 ? $0.1.id < $1.1.id : $0.0 < $1.0 }.map(\.1)
    }

    // MARK: Ancestors

    package func ancestors(of entity: EntityReference) throws -> ArraySlice<EntityReference> {
        try ancestry(of: entity).ancestors
    }

    fileprivate func ancestry(of entity: EntityReference) throws -> Ancestry {
        try Ancestry(of: entity) { entity in
            guard let record = try snapshot.record(of: entity) else { return nil }
            return try EventRules.stampedParent(record, of: entity.kind)
        }
    }
}
