import TripFormats
import TripStore

/// What people should look at once more in an item that they wrote.
struct ItemWarnings {
    private let trip: Trip

    /// Warns if an item was put, or its times were set, outside of its trip's days.
    static func warn(of entity: some TripEntity, given: [FieldOption], in store: TripStore) throws {
        guard given.contains(where: { $0.theme == .when || $0.name == "trip" }), let id = TripItem.ID(entity.reference),
            let item = try store.item(id), let trip = try item.trip.flatMap({ try store.trip($0) }),
            let warning = ItemWarnings(trip: trip).outside(
                ItemCourse(item, TripClocks(try store.items(of: trip.id).rows)))
        else { return }
        Console.current.warn(warning)
    }

    /// Nil if no day of the item is outside.
    private func outside(_ course: ItemCourse) -> String? {
        guard let day = trip.dayOutside(course) else { return nil }
        let days =
            switch (trip.startDay, trip.effectiveEndDay) {
            case (let first?, let last?): DayText.words(first...last)
            case (let first?, nil): "which begins on \(DayText.words(first))"
            case (nil, let last): "which ends\(last.map { " on \(DayText.words($0))" } ?? "")"
            }
        return "\(DayText.words(day)) is outside of the days of the trip '\(trip.name)', \(days)."
    }
}
