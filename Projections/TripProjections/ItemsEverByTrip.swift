public import Events
import Foundation
import LMDB
public import ProjectionEngine
import Trips

/// The items that were ever put into a trip, and the entities of apps' kinds that were ever put under a parent, wherever they are now: the
/// basis of a trip's history and its past states.
///
/// Key: the trip's or the parent's id (16) ‖ item's id (16) ‖ kind (2); its count is the number of writes that put the item there.
public struct ItemsEverByTrip: Projection {
    public let name = "items-ever-by-trip"
    public let version: UInt32 = 3
    public let source = RowSource.events
    public var rowKind: RowKind { .accumulating }

    public init() {}

    public func rows(of event: borrowing EventView, at position: EventPosition, into sink: inout RowSink) {
        guard event.entity.kind.mayHaveParent else { return }
        let isOwn = event.entity.kind == .own
        // A payload is validated before its events are passed on, so this does not fail.
        try? event.forEachChange { change throws(WireError) in
            guard change.field == FieldPath.parent.field, change.key.isEmpty, let value = change.value,
                let parent = EntityReference.idBytes(in: value, of: isOwn ? nil : .trip)
            else { return }
            sink.add { key in
                key.append(contentsOf: parent)
                key.append(event.entity)
            }
        }
    }

    /// What was ever put into a trip or under another parent, in id order. O(results).
    public static func children(of parent: EntityReference, in views: borrowing ViewSnapshot) throws
        -> [EntityReference]
    {
        var found: [EntityReference] = []
        let scan = try views.scan("items-ever-by-trip", KeyBounds(prefix: parent.id.bytes))
        while let row = try scan.next() {
            guard row.key.count == 34 else { continue }
            let kind = EntityKind(rawValue: row.key.bigEndian(UInt16.self, at: 32))
            found.append(EntityReference(kind: kind, id: row.key.uuid(at: 16)))
        }
        return found
    }
}
