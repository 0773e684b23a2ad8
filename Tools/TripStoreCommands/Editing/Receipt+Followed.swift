import TripFormats
import TripStore

extension Receipt {
    /// Tells people of the trips whose days followed the items that were written.
    func noteFollowed(in store: TripStore) throws {
        for trip in try followed.compactMap({ Trip.ID($0) }).compactMap({ try store.trip($0) }) {
            guard let first = trip.startDay, let last = trip.effectiveEndDay else { continue }
            Console.current.note("The trip '\(trip.name)' follows its items: \(DayText.words(first...last)).")
        }
    }
}
