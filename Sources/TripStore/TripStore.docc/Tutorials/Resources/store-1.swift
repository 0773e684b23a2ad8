import TripStore

let store = try await TripStore.temporary()
print("A store in", store.folder.path)
