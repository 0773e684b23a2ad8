import Events
import ProjectionEngine
import TripProjections

/// The source of a planner for entities to which its commit has not written yet: only the views, or the views and the
/// commits that they lack.
protocol RecordSource: ~Copyable {
    /// Calls `body` with the record of an entity, and returns its result; nil if nothing is held of the entity.
    func withRecord<T>(of entity: EntityReference, _ body: (borrowing RecordView) throws -> T) throws -> T?

    /// The entities that are, or a moment ago were, under a parent.
    func children(of parent: EntityReference) throws -> [EntityReference]
}

extension ViewSnapshot: RecordSource {
    func children(of parent: EntityReference) throws -> [EntityReference] {
        try ChildrenByParent.children(of: parent, in: self)
    }
}
