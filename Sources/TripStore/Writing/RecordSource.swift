import Events
import ProjectionEngine

/// Where a planner finds what is held of an entity to which its commit has not written yet: the views alone, or the views
/// and what the log has beyond them.
protocol RecordSource: ~Copyable {
    /// Calls `body` with the record of an entity, and returns what that does; nil if nothing is held of the entity.
    func withRecord<T>(of entity: EntityReference, _ body: (borrowing RecordView) throws -> T) throws -> T?
}

extension ViewSnapshot: RecordSource {}
