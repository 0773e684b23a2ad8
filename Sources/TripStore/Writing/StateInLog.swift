import EventLog
import Events
import ProjectionEngine
import TripProjections
import Trips

/// The state of every entity for a write: that of the views, and on top of it the commits that they lack.
struct StateInLog: ~Copyable, RecordSource {
    private let views: ViewSnapshot
    private let tail: LogTail

    init(_ views: consuming ViewSnapshot, _ tail: LogTail) {
        self.views = views
        self.tail = tail
    }

    func withRecord<T>(of entity: EntityReference, _ body: (borrowing RecordView) throws -> T) throws -> T? {
        let events = tail.events(of: entity, after: views.position)
        guard !events.isEmpty else { return try views.withRecord(of: entity, body) }
        var record: [UInt8] = []
        try tail.withBytes { bytes in
            // The merger points into these bytes and into the views only within this function.
            var merger = RecordMerger()
            if let found = try views.record(of: entity) { try merger.reset(to: found) }
            for event in events {
                try merger.apply(try EventView(bytes.part(event.message)), index: event.index, stamp: event.stamp)
            }
            merger.encode(into: &record)
        }
        return try record.withUnsafeBytes { try body(RecordView($0)) }
    }

    /// Checks that a trip has no items except the given ones. Items that were moved out a moment ago may count as well.
    ///
    /// Throws `TripStoreError.versionConflict`.
    func checkItems(of trip: Trip.ID, _ known: Set<EntityReference>) throws {
        let items = try ItemsByTrip.items(of: trip, in: views) + tail.items(everOf: trip)
        guard let item = items.first(where: { !known.contains($0) }) else { return }
        throw TripStoreError(
            .versionConflict,
            "The \(item.words) was put into the trip \(trip) meanwhile. Look at the trip again and repeat the change.",
            entity: trip.reference)
    }
}
