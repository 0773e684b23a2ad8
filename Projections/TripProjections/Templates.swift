public import Events
import Foundation
import LMDB
public import ProjectionEngine
public import Trips

/// The templates: trips that no list of trips has.
///
/// Key: id (16). No value.
public struct Templates: Projection {
    public let name = "templates"
    public let version: UInt32 = 1
    public let source = RowSource.entities

    public init() {}

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard let id = Trip.ID(entity), try record.isPresent(), try TripFiling(record).isTemplate else { return }
        sink.put(id.uuid.bytes)
    }

    /// The templates that are there, in the order of their ids. O(templates).
    public static func all(in views: borrowing ViewSnapshot) throws -> [Trip.ID] {
        var found: [Trip.ID] = []
        let scan = try views.scan("templates", KeyBounds(prefix: []))
        while let row = try scan.next() {
            if row.key.count == 16 { found.append(Trip.ID(row.key.uuid())) }
        }
        return found
    }
}
