import TripStore

let store = try await TripStore.temporary()
let ana: Authorship = "ana"
let lisbon = try await store.create(Trip(name: "Lisbon"), by: ana)
try await store.edit(lisbon, by: ana) { $0.name = "Porto" }

try await store.undo(.last(by: "ana"), by: ana)
print(try store.trip(lisbon)?.name ?? "gone")  // Lisbon
try await store.redo(by: ana)
print(try store.trip(lisbon)?.name ?? "gone")  // Porto
