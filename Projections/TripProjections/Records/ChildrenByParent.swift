public import Events
import LMDB
public import ProjectionEngine
package import Trips

/// The entities under each parent. Those whose parents are of one kind are in the order of time, then kind: whole days stand at the beginning of
/// the first one in UTC, what has neither a start nor a first day comes last. The others lie kind by kind.
///
/// Key: the parent's id (16) ‖ its kind (2), or zeros if there is none, ‖ 1 ‖ start (8) ‖ kind (2) ‖ id (16) of what is in the order of time,
/// ‖ 2 ‖ kind (2) ‖ id (16) of others. No value. The query checks whether the parent is present: deleting it writes nothing here.
public struct ChildrenByParent: Projection {
    public let name = "children-by-parent"
    public let version: UInt32 = 1
    public let source = RowSource.entities

    private static let inTime: UInt8 = 1
    private static let byKind: UInt8 = 2
    private static let parentSize = 18
    private static let noParent = [UInt8](repeating: 0, count: parentSize)

    public init() {}

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        switch entity.kind.parents {
        case .none: return
        case .one(let parents):
            guard try record.isPresent() else { return }
            try PlaceSlice.read(record, of: entity.kind) { place in
                sink.put { key in
                    if let parent = place.parentID {
                        key.append(contentsOf: parent)
                        key.append(parents.rawValue)
                    } else {
                        Self.noParent.withUnsafeBytes { key.append(contentsOf: $0) }
                    }
                    key.append(Self.inTime)
                    key.append(KeyPart.ordered(place.start ?? .max))
                    key.append(entity.kind.rawValue)
                    key.append(entity.id)
                }
            }
        case .any:
            guard try record.isPresent() else { return }
            let parent = try record.parent(of: entity.kind)
            sink.put { key in
                if let parent {
                    key.append(parent)
                } else {
                    Self.noParent.withUnsafeBytes { key.append(contentsOf: $0) }
                }
                key.append(Self.byKind)
                key.append(entity.kind.rawValue)
                key.append(entity.id)
            }
        }
    }

    /// The beginning of the keys of a kind's entities under a parent, and of others that are in order with them.
    private static func prefix(of parent: EntityReference, _ kind: ConcreteKind) -> [UInt8] {
        var prefix: [UInt8] = []
        prefix.reserveCapacity(32)
        parent.withBytes { prefix.append(contentsOf: $0) }
        let isInTime = kind.kind.parents.areOfOneKind
        prefix.append(isInTime ? inTime : byKind)
        if !isInTime { prefix += kind.bytes }
        return prefix
    }

    /// The entity of a key.
    private static func entity(_ key: UnsafeRawBufferPointer) -> EntityReference? {
        EntityReference(fieldValue: key.part(from: key.count - EntityReference.valueSize))
    }

    /// The entities of a kind under a parent, and others that are in order with them; of all kinds if it is nil. O(results).
    package static func children(
        of parent: EntityReference, _ kind: ConcreteKind? = nil, in views: borrowing ViewSnapshot
    ) throws -> [EntityReference] {
        var found: [EntityReference] = []
        found.reserveCapacity(16)
        try forEachRow(kind.map { prefix(of: parent, $0) } ?? parent.bytes, views) { child in
            found.append(child)
            return true
        }
        return found
    }

    /// Calls `body` with them until it returns false.
    package static func forEachChild(
        of parent: EntityReference, _ kind: ConcreteKind, in views: borrowing ViewSnapshot,
        _ body: (EntityReference) throws -> Bool
    ) throws {
        try forEachRow(prefix(of: parent, kind), views, body)
    }

    private static func forEachRow(
        _ prefix: [UInt8], _ views: borrowing ViewSnapshot, _ body: (EntityReference) throws -> Bool
    ) throws {
        let rows = try views.lookup(in: "children-by-parent")
        try prefix.withUnsafeBytes { prefix in
            try rows.forEachRow(withPrefix: prefix) { row in try entity(row.key).map(body) ?? true }
        }
    }

    /// Lets a result depend on the entities of a kind under a parent, for a query that reads them by `unrecorded()`.
    package static func depend(on kind: ConcreteKind, of parent: EntityReference, in views: borrowing ViewSnapshot) {
        views.depend(onPrefix: prefix(of: parent, kind), of: "children-by-parent")
    }

    /// The entities in the order of time whose parent was never created here, by parent. O(parents).
    public static func unfiled(in views: borrowing ViewSnapshot) throws -> [EntityReference] {
        var found: [EntityReference] = []
        var cursor = try views.cursor(on: "children-by-parent")
        var row = try cursor.first()
        while let current = row, current.key.count > parentSize,
            let parent = EntityReference(current.key.part(0..<parentSize))
        {
            if current.key[parentSize] == inTime, try views.record(of: parent)?.isCreated != true {
                entity(current.key).map { found.append($0) }
                row = try cursor.next()
            } else {
                guard let next = parent.bytes.afterPrefix else { break }
                row = try cursor.seek(atOrAfter: next)
            }
        }
        return found
    }
}

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
