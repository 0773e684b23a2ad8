public import Events
public import ProjectionEngine
import Trips

/// The entities that were ever put under a parent, wherever they are now: the basis of the history and the past states of an entity with all under it.
///
/// Key: the parent's id (16) ‖ the entity's id (16) ‖ its kind (2); its count is the number of writes that put it there.
public struct ChildrenEver: Projection {
    public let name = "children-ever"
    public let version: UInt32 = 1
    public let source = RowSource.events
    public var rowKind: RowKind { .accumulating }

    public init() {}

    public func rows(of event: borrowing EventView, at position: EventPosition, into sink: inout RowSink) {
        let parents = event.entity.kind.parents
        if case .none = parents { return }
        // A payload is validated before its events are passed on, so this does not fail.
        try? event.forEachChange { change throws(WireError) in
            guard change.field == FieldPath.parent.field, change.key.isEmpty, let value = change.value,
                let parent = parents.idBytes(in: value)
            else { return }
            sink.add { key in
                key.append(contentsOf: parent)
                key.append(event.entity)
            }
        }
    }

    /// The entities that were ever put under a parent, in id order. O(results).
    public static func children(
        of parent: EntityReference, in views: borrowing ViewSnapshot
    ) throws -> [EntityReference] {
        var found: [EntityReference] = []
        let scan = try views.scan("children-ever", KeyBounds(prefix: parent.id.bytes))
        while let row = try scan.next() {
            EntityReference(row.key.part(from: 16)).map { found.append($0) }
        }
        return found
    }
}
