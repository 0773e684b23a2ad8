import EventLog
public import Events
public import ProjectionEngine

/// Every event of every entity in merge order.
///
/// Key: entity's id (16) ‖ kind (2) ‖ stamp (56) ‖ index in the commit (4); value: the commit's number in the line of
/// the stamp's replica (8). The events themselves are in the log.
public struct EntityHistory: Projection {
    public let name = "entity-history"
    public let version: UInt32 = 2
    public let source = RowSource.events

    public let keysBeginWithEntity = true

    /// The bytes of a key.
    package static let keySize = 18 + Stamp.encodedSize + 4

    public init() {}

    public func rows(of event: borrowing EventView, at position: EventPosition, into sink: inout RowSink) {
        sink.put(
            key: { key in
                key.append(event.entity)
                key.append(position.stamp)
                key.append(UInt32(truncatingIfNeeded: position.index))
            }, value: { $0.append(position.sequence.rawValue) })
    }

    /// The positions of an entity's events, in merge order. O(events of the entity).
    public static func positions(
        of entity: EntityReference, in views: borrowing ViewSnapshot
    ) throws -> [EventPosition] {
        var found: [EventPosition] = []
        let scan = try views.scan("entity-history", KeyBounds(prefix: entity.bytes))
        while let row = try scan.next() {
            guard row.key.count == keySize, row.value.count == 8, let stamp = Stamp(row.key, at: 18) else { continue }
            found.append(
                EventPosition(
                    stamp: stamp, sequence: SequenceNumber(row.value.bigEndian(UInt64.self)),
                    index: Int(row.key.bigEndian(UInt32.self, at: keySize - 4))))
        }
        return found
    }
}
