import TripStore

let store = try await TripStore.temporary()
let ana: Authorship = "ana"
let lisbon = try await store.create(Trip(name: "Lisbon"), by: ana)
let created = try store.status().position
try await store.edit(lisbon, by: ana) { $0.name = "Porto" }

for entry in try store.history(of: lisbon) {
    print(entry.commit.author, entry.event.verb.name, entry.event.changes.map(\.new.text))
}
print(try store.entity(lisbon, asOf: .position(created))?.name ?? "gone")  // Lisbon
