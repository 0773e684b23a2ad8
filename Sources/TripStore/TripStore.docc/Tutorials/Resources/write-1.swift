import TripStore

let store = try await TripStore.temporary()
let lisbon = try await store.create(
    Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
let start = Moment(milliseconds: 1_809_259_200_000, zone: "Europe/Lisbon")
try await store.create(Activity(name: "Tram 28", in: lisbon, from: start, cost: Money("3.10", "EUR")))
