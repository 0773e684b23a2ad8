import TripFormats
import TripStore

/// What people should look at once more in an item that they wrote.
struct ItemWarnings {
    let trip: Trip

    /// Warns if an item was put, or its times were set, outside of its trip's days.
    static func warn(of entity: some TripEntity, given: [String], in store: TripStore) throws {
        let placing: Set = [
            "--trip", "--start", "--start-time-zone", "--end", "--end-time-zone", "--start-day", "--end-day",
        ]
        guard !placing.isDisjoint(with: given), let item = entity as? any ItemEntity,
            let trip = try item.trip.flatMap({ try store.trip($0) }),
            let warning = ItemWarnings(trip: trip).outside(
                item.start?.localDay ?? item.startDay, item.effectiveEnd?.localDay ?? item.effectiveEndDay)
        else { return }
        Console.current.warn(warning)
    }

    /// Nothing if the item lies within the days of its trip, or these are open.
    func outside(_ start: Day?, _ end: Day?) -> String? {
        guard let first = trip.startDay, let last = trip.effectiveEndDay else { return nil }
        let days = [start, end].compactMap { $0 }.filter { !(first...last).contains($0) }
        guard let day = days.first else { return nil }
        return
            "\(DayText.words(day)) is outside of the days of the trip '\(trip.name)', \(DayText.words(first...last))."
    }
}
