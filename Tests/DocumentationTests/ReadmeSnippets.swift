import Foundation
import Testing
import TripStore

// begin Readme-own-field
extension Trip {
    static let stars = OwnField<Trip, Int>("org.example.readme", 1, "stars") { 1...5 ~= $0 }
}
// end

@Suite("The second program of the README")
struct ReadmeSnippets {
    @Test("Live, undo and the past")
    func more() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        // begin Readme-more
        let follower = Task {
            for try await update in store.live(.trips()) {  // at once, and whenever the result changes
                print(update.rows.map(\.trip.name), update.changes.removed.count)
            }
        }
        let receipt = try await store.delete(lisbon)
        let before = try await store.asOf(receipt.position - 1)  // the same queries, as it was
        print(try before.trips().rows.map(\.trip.name))
        try await store.undo(receipt)  // a new commit; what others wrote since stays
        follower.cancel()
        // end
        #expect(try before.trips().rows.map(\.trip.name) == ["Lisbon"])
        #expect(try store.trips().rows.map(\.trip.name) == ["Lisbon"])
    }

    @Test("Moving in")
    func load() async throws {
        let store = try await TripStore.temporary()
        let years = [[Trip(name: "Lisbon")], [Trip(name: "Porto"), Trip(name: "Berlin")]]
        // begin Readme-load
        try await store.load { load in
            for trips in years { try await load.append(trips.map { .created($0) }) }
        }
        // end
        #expect(try store.trips(.undated).rows.count == 3)
    }

    @Test("Travellers, and a copy of a trip")
    func planning() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        // begin Readme-planning
        let ana = try await store.create(Traveller(name: "Ana"))
        try await store.edit(lisbon) { $0.travellers.insert(ana) }
        let again = try await store.copy(lisbon, startingOn: Day(2028, 5, 1), without: [.payments, .confirmations])
        // end
        #expect(try store.trip(again)?.travellers == [ana])
    }

    @Test("Searching")
    func search() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.create(Activity(name: "Tram 28", in: lisbon, notes: "Through Lisbon"))
        // begin Readme-search
        for hit in try store.search("lis tram") { print(hit.name) }  // words, their beginnings, "phrases"
        // end
        #expect(try store.search("lis tram").map(\.name) == ["Tram 28"])
    }

    @Test("An own field, and an id that follows from another system's")
    func ownField() async throws {
        let store = try await TripStore.temporary()
        // begin Readme-upsert
        let id = Trip.ID.derived(from: "agency.example", "QK7TXP")  // the same id on every replica
        try await store.upsert(id) {
            $0.name = "Lisbon"
            $0[Trip.stars] = 5
        }
        // end
        #expect(try store.trip(id)?[Trip.stars] == 5)
    }

    @Test("Several devices")
    func devices() async throws {
        let (place, other) = (Folder(), Folder())
        let (phoneFolder, laptopFolder) = (place.url, other.url)
        let phone = try await TripStore.open(at: phoneFolder)
        let lisbon = try await phone.create(Trip(name: "Lisbon"))
        let file = place.url.appendingPathExtension("bundle")
        defer { try? FileManager.default.removeItem(at: file) }
        // begin Readme-devices
        let laptop = try await TripStore.clone(.folder(phoneFolder), to: laptopFolder).store
        try await laptop.edit(lisbon) { $0.name = "Porto" }  // offline,
        try await phone.edit(lisbon) { $0.notes = "By train" }  // on both sides

        let report = try await laptop.exchange(with: .folder(phoneFolder))  // now both hold both
        print(report.sent.commits, report.received.commits, try laptop.conflicts(from: report))
        try await phone.write(bundle: file)  // one file for mail, AirDrop or a stick
        // end
        #expect(report.received.commits == 1)
        try await laptop.catchUp()
        #expect(try laptop.trip(lisbon)?.notes == "By train")
        #expect(try await TripStore.summary(ofBundle: file).commits == 6)
    }
}
