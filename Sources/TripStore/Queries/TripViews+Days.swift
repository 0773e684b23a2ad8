package import Trips

/// The trips that are on some days, and what else is.
package struct TripsOnDays: Sendable, Hashable {
    /// Those with a day of their own then or an item, but no templates: by their first day; those without days last.
    package let trips: [Trip.ID]
    /// How many items are then whose trip never arrived here.
    package let unfiledItems: Int
}

extension TripViews {
    /// The trips with a day in a range, or with an item on one of its days by the clocks of the item's places.
    ///
    /// O(log n + trips and items near the range).
    package func trips(on days: ClosedRange<Day>) throws -> TripsOnDays {
        var firsts: [Trip.ID: Day?] = [:]
        for trip in try fetch(.overlapping(days)) { firsts[trip.id] = .some(trip.firstDay) }
        var unfiled: Set<TripItem.ID> = []
        // Local time is at most a day and two hours from UTC.
        let widened = days.lowerBound.advanced(by: -2)...days.upperBound.advanced(by: 2)
        for item in try items(reaching: widened) where item.days?.overlaps(days) == true {
            if let trip = item.trip, firsts[trip] != nil { continue }
            guard let id = item.trip, let trip = try entity(id) else {
                unfiled.insert(item.id)
                continue
            }
            if !trip.isTemplate { firsts[id] = .some(trip.firstDay) }
        }
        let sorted = firsts.sorted { ($0.value ?? .last, $0.key) < ($1.value ?? .last, $1.key) }
        return TripsOnDays(trips: sorted.map(\.key), unfiledItems: unfiled.count)
    }
}

extension Trip {
    fileprivate var firstDay: Day? { startDay ?? endDay }
}

extension TripItem {
    /// The days on which it is by the clocks of its places; nil without any.
    fileprivate var days: ClosedRange<Day>? {
        var days = [start?.localDay, effectiveEnd?.localDay, startDay, effectiveEndDay]
        if case .lodging(let stay) = self { days += [stay.checkIn?.localDay, stay.checkOut?.localDay] }
        let known = days.compactMap { $0 }
        guard let first = known.min(), let last = known.max() else { return nil }
        return first...last
    }
}
