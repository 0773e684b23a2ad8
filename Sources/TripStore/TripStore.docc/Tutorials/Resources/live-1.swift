import TripStore

let store = try await TripStore.temporary()
let writer = Task {
    for city in ["Lisbon", "Porto", "Faro"] {
        try await store.create(Trip(name: city, days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        try await Task.sleep(for: .milliseconds(200))
    }
}

for try await update in store.live(.trips()) {
    print(update.rows.map(\.trip.name), "new:", update.changes.inserted.count)
    if update.rows.count == 3 { break }
}
try await writer.value
