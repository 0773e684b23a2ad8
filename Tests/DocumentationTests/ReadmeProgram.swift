import TripStore

/// The program of the README, word for word but for the indentation.
func readmeProgram() async throws {
    // begin
    let store = try await TripStore.temporary()  // or .open(at: folder)
    let lisbon = try await store.create(
        Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
    let start = try Moment(parsing: "2027-05-03T10:00", in: "Europe/Lisbon")
    try await store.create(Activity(name: "Tram 28", in: lisbon, from: start, cost: Money("3.10", "EUR")))
    try await store.edit(lisbon) { $0.name = "Lisbon and Porto" }
    let receipt = try await store.delete(lisbon)
    try await store.undo(receipt)
    for row in try store.trips(.starting(in: Day(2027, 5, 1)..<Day(2027, 6, 1))).rows {
        print(row.trip.name, row.itemCount, row.costs.map(\.minorUnits))
    }
    for entry in try store.history(of: lisbon) {
        print(entry.commit.timestamp.date, entry.event.verb.name, entry.event.changes.map(\.field))
    }
    // end
}
