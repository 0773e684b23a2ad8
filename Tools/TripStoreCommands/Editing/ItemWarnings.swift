import TripStore

/// What people should look at once more in an item that they wrote.
struct ItemWarnings {
    let trip: Trip

    /// Nothing if the item lies within the days of its trip, or these are open.
    func outside(_ start: Moment?, _ end: Moment?) -> String? {
        guard let first = trip.startDay, let last = trip.effectiveEndDay else { return nil }
        let days = [start, end].compactMap { $0?.localDay }.filter { !(first...last).contains($0) }
        guard let day = days.first else { return nil }
        return
            "\(DayText.words(day)) is outside of the days of the trip '\(trip.name)', \(DayText.words(first...last))."
    }
}
