public import Events
import Foundation
import LMDB
public import ProjectionEngine
public import Trips

/// The items of each trip ordered by time, then kind. Items of whole days stand at the beginning of their first day in UTC; those without a
/// start or a first day come last.
///
/// Key: trip (16; zeros if none) ‖ start (8) ‖ kind (2) ‖ id (16). No value. The query checks whether the trip is
/// present: deleting it writes nothing here.
public struct ItemsByTrip: Projection {
    public let name = "items-by-trip"
    public let version: UInt32 = 3
    public let source = RowSource.entities

    /// The key's trip for an item that names none.
    static let noTrip = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    public init() {}

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard entity.kind.isItem, try record.isPresent() else { return }
        let item = try ItemFiling(record)
        sink.put { key in
            if let trip = item.tripBytes { key.append(contentsOf: trip) } else { key.append(Self.noTrip) }
            key.append(KeyPart.ordered(item.start ?? .max))
            key.append(entity.kind.rawValue)
            key.append(entity.id)
        }
    }

    /// The items of a trip in order, of one kind or of all. O(items of the trip).
    public static func items(
        of trip: Trip.ID, kind: EntityKind? = nil, in views: borrowing ViewSnapshot
    ) throws -> [EntityReference] {
        var found: [EntityReference] = []
        found.reserveCapacity(16)
        try forEachItem(of: trip, kind: kind, in: views) { item in
            found.append(item)
            return true
        }
        return found
    }

    /// Calls `body` with the items of a trip in order, of one kind or of all, until it returns false. O(items of the trip).
    public static func forEachItem(
        of trip: Trip.ID, kind: EntityKind? = nil, in views: borrowing ViewSnapshot,
        _ body: (EntityReference) throws -> Bool
    ) throws {
        let rows = try views.lookup(in: "items-by-trip")
        try withUnsafeBytes(of: trip.uuid.uuid) { prefix in
            try rows.forEachRow(withPrefix: prefix) { row in
                guard row.key.count == 42 else { return true }
                let item = Self.item(row.key)
                return try kind != nil && kind != item.kind || body(item)
            }
        }
    }

    /// The items whose trip was never created here, in trip order. O(trips with items).
    public static func unfiled(in views: borrowing ViewSnapshot) throws -> [EntityReference] {
        var found: [EntityReference] = []
        var cursor = try views.cursor(on: "items-by-trip")
        var row = try cursor.first()
        while let current = row, current.key.count == 42 {
            let trip = Trip.ID(current.key.uuid())
            if try views.record(of: trip.reference)?.creation() == nil {
                found.append(Self.item(current.key))
                row = try cursor.next()
            } else {
                guard let next = trip.uuid.bytes.afterPrefix else { break }
                row = try cursor.seek(atOrAfter: next)
            }
        }
        return found
    }

    private static func item(_ key: UnsafeRawBufferPointer) -> EntityReference {
        EntityReference(kind: EntityKind(rawValue: key.bigEndian(UInt16.self, at: 24)), id: key.uuid(at: 26))
    }
}
