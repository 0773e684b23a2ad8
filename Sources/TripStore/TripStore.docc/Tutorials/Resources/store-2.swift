import Foundation
import TripStore

let folder = URL.temporaryDirectory.appending(path: "tutorial-trips")
let store = try await TripStore.open(at: folder)
print("A store in", store.folder.path, "at position", try store.status().position)
