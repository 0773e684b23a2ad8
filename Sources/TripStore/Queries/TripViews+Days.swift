package import Trips

/// The trips that are on some days, and what else is.
package struct TripsOnDays: Sendable, Hashable {
    /// Those with a day of their own then or an item, but no templates: by their first day; those without days last.
    package let trips: [Trip.ID]
    /// How many items are then whose trip never arrived here.
    package let unfiledItems: Int
}

extension TripViews {
    /// The trips with a day in a range, or with an item on one of its days by the clocks of those who travel.
    ///
    /// O(log n + items of the trips that have some near the range).
    package func trips(on days: ClosedRange<Day>) throws -> TripsOnDays {
        var firsts: [Trip.ID: Day?] = [:]
        for trip in try fetch(.overlapping(days)) { firsts[trip.id] = .some(trip.startDay ?? trip.endDay) }
        var unfiled: Set<TripItem.ID> = []
        // Local time is at most a day and two hours from UTC.
        let widened = days.lowerBound.advanced(by: -2)...days.upperBound.advanced(by: 2)
        var clocks: [Trip.ID: TripClocks] = [:]
        for item in try items(reaching: widened) {
            if let trip = item.trip, firsts[trip] != nil { continue }
            guard let id = item.trip, let trip = try entity(id) else {
                if ItemCourse(item).span?.overlaps(days) == true { unfiled.insert(item.id) }
                continue
            }
            if trip.isTemplate { continue }
            let known = try clocks[id] ?? TripClocks(self.items(of: id).rows)
            clocks[id] = known
            if ItemCourse(item, known).span?.overlaps(days) == true { firsts[id] = .some(trip.startDay ?? trip.endDay) }
        }
        let sorted = firsts.sorted { ($0.value ?? .last, $0.key) < ($1.value ?? .last, $1.key) }
        return TripsOnDays(trips: sorted.map(\.key), unfiledItems: unfiled.count)
    }
}
