import Observation
import TripStore

@MainActor
final class TripPrinter {
    let list: LiveModel<LiveRows<TripRow>>

    init(_ list: LiveModel<LiveRows<TripRow>>) { self.list = list }

    func follow() {
        withObservationTracking {
            print(list.rows.map(\.trip.name))
        } onChange: { [weak self] in
            // Told once, just before the new value is there: so look again a moment later.
            Task { @MainActor in self?.follow() }
        }
    }
}

let store = try await TripStore.temporary()
let printer = TripPrinter(LiveModel(store.live(.trips())))
printer.follow()

for city in ["Lisbon", "Porto", "Faro"] {
    try await store.create(Trip(name: city, days: Day(2027, 5, 1)...Day(2027, 5, 8)))
}
while printer.list.rows.count < 3 { try await Task.sleep(for: .milliseconds(10)) }
