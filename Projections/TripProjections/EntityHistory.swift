import EventLog
public import Events
import Foundation
import LMDB
public import ProjectionEngine

/// Every event of every entity in the order of the merge.
///
/// Key: entity's id (16) ‖ kind (2) ‖ stamp (32) ‖ index in the commit (4); value: the commit's number in the line of
/// the stamp's replica (8). The events themselves are in the log.
public struct EntityHistory: Projection {
    public let name = "entity-history"
    public let version: UInt32 = 1

    public init() {}

    public func rows(of event: EventView, at place: EventPlace, into sink: inout RowSink) {
        sink.put(
            event.entity.bytes + place.stamp.bytes + UInt32(truncatingIfNeeded: place.index).bigEndianBytes,
            place.sequence.rawValue.bigEndianBytes)
    }

    /// Where the events of an entity are, in the order of the merge. O(events of the entity).
    public static func places(of entity: EntityReference, in views: borrowing ViewSnapshot) throws -> [EventPlace] {
        let prefix = entity.bytes
        var found: [EventPlace] = []
        var cursor = try views.cursor(on: "entity-history")
        var row = try cursor.seek(atOrAfter: prefix)
        while let current = row, current.key.count == 54, current.key.part(0..<18).elementsEqual(prefix) {
            if let stamp = Stamp(current.key, at: 18), current.value.count == 8 {
                found.append(
                    EventPlace(
                        stamp: stamp, sequence: SequenceNumber(current.value.bigEndian(UInt64.self)),
                        index: Int(current.key.bigEndian(UInt32.self, at: 50))))
            }
            row = try cursor.next()
        }
        return found
    }
}
