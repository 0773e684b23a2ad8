import Events
import ProjectionEngine
public import Trips

/// The items of a trip of the past, from their own events alone.
extension TripStore {
    /// The items of a trip as they were, in the order of time; empty if the trip was missing. O(events of all items
    /// that were ever in the trip).
    public func items(of trip: Trip.ID, asOf horizon: Horizon) throws -> Rows<TripItem> {
        try check(horizon)
        return try withAuditor { auditor, _ in
            guard try auditor.timeline(of: trip.reference).record(asOf: horizon).isPresent else {
                return try auditor.listed([])
            }
            var items: [TripItem] = []
            for reference in try auditor.children(everOf: trip.reference) {
                let record = try auditor.timeline(of: reference).record(asOf: horizon)
                guard record.isPresent, var item = TripItem(reference, record: record), item.trip == trip else {
                    continue
                }
                try item.nullify { try auditor.isDeleted($0, asOf: horizon) }
                items.append(item)
            }
            return try auditor.listed(items.sorted { TripItem.precedes($0, $1) })
        }
    }
}

extension TripItem {
    /// The order of a trip's items, as `ChildrenByParent` has it: by start, those without one last, then by kind and id.
    fileprivate static func precedes(_ a: TripItem, _ b: TripItem) -> Bool {
        let (start, other) = (a.filedStart ?? .max, b.filedStart ?? .max)
        if start != other { return start < other }
        if a.kind != b.kind { return a.kind < b.kind }
        return a.id.uuid < b.id.uuid
    }
}
