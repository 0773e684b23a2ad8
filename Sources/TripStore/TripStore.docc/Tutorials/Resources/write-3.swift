import Foundation
import TripStore

let store = try await TripStore.temporary()
let lisbon = try await store.create(
    Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
let start = Moment(milliseconds: 1_809_259_200_000, zone: "Europe/Lisbon")
try await store.create(Activity(name: "Tram 28", in: lisbon, from: start, cost: Money("3.10", "EUR")))
try await store.edit(lisbon) { $0.name = "Lisbon and Porto" }

for row in try store.trips(.starting(in: Day(2027, 5, 1)..<Day(2027, 6, 1))).rows {
    print(row.trip.name, row.itemCount, row.costs.map(\.minorUnits))
}
for item in try store.items(of: lisbon) {
    print(item.name, item.start?.date ?? .distantFuture)
}
