import Events
import TestSupport
import TripStore
import TripStoreTestSupport

/// Commits of a history, some of which are invalid in various ways, and some change nothing.
struct OddHistory {
    private var history: LoadHistory
    private var numbers: SeededGenerator

    init(seed: UInt64) {
        history = LoadHistory(seed: seed)
        numbers = SeededGenerator(seed: seed &+ 1_000)
    }

    private mutating func draw<T>(_ values: [T]) -> T? { values.randomElement(using: &numbers) }

    /// A commit, valid or with something odd in it.
    mutating func commit(_ name: String) -> [TripEvent] {
        let before = history
        var events = history.commit(name)
        guard Int.random(in: 0..<3, using: &numbers) == 0, let odd = odd() else { return events }
        events.insert(odd, at: Int.random(in: 0...events.count, using: &numbers))
        // Nothing of a refused commit is stored.
        history.trips = before.trips
        history.items = before.items
        history.tripOfItem = before.tripOfItem
        history.deletedItems = before.deletedItems
        history.deletedTrips = before.deletedTrips
        return events
    }

    private mutating func odd() -> TripEvent? {
        guard let trip = draw(history.trips), let item = draw(history.items) else { return nil }
        let odd = [
            .created(Trip(id: trip, name: "Again")), .created(Trip(name: " ")), .restored(trip), .deleted(trip),
            .deleted(item), .restored(item), TripEvent(.edited, item, [.set(\.trip, trip)]),
            TripEvent(.edited, item, [.set(\.trip, nil)]), TripEvent(.edited, item, [.set(\.trip, .new())]),
            TripEvent(.edited, item, [.set(\.end, .sample(0))]), TripEvent(.edited, item, [.set(\.notes, "odd")]),
            TripEvent(.edited, trip, [.set(\.startDay, Day(2027, 5, 19))]),
            TripEvent(.edited, trip, [.set(\.name, "")]),
            TripEvent(.edited, Trip.ID.new(), [.set(\.name, "Nowhere")]),
            TripEvent(.edited, trip.reference, writes: [.init(field: 900, value: [1])]),
            TripEvent(.edited, item.reference, writes: [.init(field: 11, value: [1])]),
            TripEvent(Verb(rawValue: 9), trip.reference),
        ]
        return draw(odd)
    }
}
