import TripFormats
import TripStore

/// What people should look at once more in an item that they wrote.
struct ItemWarnings {
    let trip: Trip

    private static let placing: Set = [
        "--trip", "--start", "--start-time-zone", "--end", "--end-time-zone", "--start-day", "--end-day", "--check-in",
        "--check-in-time-zone", "--check-out", "--check-out-time-zone",
    ]

    /// Warns if an item was put, or its times were set, outside of its trip's days.
    static func warn(of entity: some TripEntity, given: [String], in store: TripStore) throws {
        guard !placing.isDisjoint(with: given), let id = TripItem.ID(entity.reference),
            let item = try store.item(id), let trip = try item.trip.flatMap({ try store.trip($0) }),
            let warning = ItemWarnings(trip: trip).outside(
                ItemCourse(item, TripClocks(try store.items(of: trip.id).rows)))
        else { return }
        Console.current.warn(warning)
    }

    /// Nothing if the item lies within the days of its trip, or these are open.
    func outside(_ course: ItemCourse) -> String? {
        guard let first = trip.startDay, let last = trip.effectiveEndDay else { return nil }
        guard let day = [course.first, course.last].compactMap({ $0 }).first(where: { !(first...last).contains($0) })
        else { return nil }
        return
            "\(DayText.words(day)) is outside of the days of the trip '\(trip.name)', \(DayText.words(first...last))."
    }
}
