import EventLog
import Events
import Foundation
import StoreSupport
import Testing

@testable import TripStore

@Suite("Upserts")
struct UpsertTests {
    @Test("An id that is derived is that of the kind, the provider and the id there, on every replica")
    func derivedIDs() {
        let id = Trip.ID.derived(from: "airline.example", "QK7TXP")
        // import hashlib; hashlib.sha256(b"\0\x01" b"airline.example" b"\0" b"QK7TXP").hexdigest(), with version and variant.
        #expect("\(id)" == Self.expected)
        #expect(id == .derived(from: "airline.example", "QK7TXP"))
        #expect(id.uuid != Activity.ID.derived(from: "airline.example", "QK7TXP").uuid)
        #expect(id != .derived(from: "airline.exampleQ", "K7TXP"))
    }

    private static let expected = "D036B8AD-769B-8C1E-93CE-55560D85C513"

    @Test("What is not there is created, what is there is edited, and what is there already writes nothing")
    func creatingAndEditing() async throws {
        let store = try await TripStore.test()
        let id = Trip.ID.derived(from: "agency.example", "1")
        let created = try await store.upsert(id, by: "ana") { $0.name = "Lisbon" }
        #expect(try store.history(of: id).map(\.event.verb) == [.created])
        let edited = try await store.upsert(id, by: "ben") {
            #expect($0.name == "Lisbon")
            $0.notes = "by the river"
        }
        #expect(edited.position == created.position + 1)
        #expect(try store.history(of: id).map(\.event.verb) == [.created, .edited])
        #expect(try await store.upsert(id) { $0.name = "Lisbon" }.isUnchanged)
        #expect(try store.trip(id)?.notes == "by the river")
        try await store.expectInvariants()
    }

    @Test("What was deleted stays deleted, and what breaks a rule is refused")
    func refused() async throws {
        let store = try await TripStore.test()
        let id = Trip.ID.derived(from: "agency.example", "1")
        let empty = await #expect(throws: TripStoreError.self) { try await store.upsert(id) { $0.notes = "n" } }
        #expect(empty?.code == .invalidValue)
        try await store.upsert(id) { $0.name = "Lisbon" }
        try await store.delete(id)
        let deleted = await #expect(throws: TripStoreError.self) { try await store.upsert(id) { $0.name = "Porto" } }
        #expect(deleted?.code == .deleted)
        let item = Activity.ID.derived(from: "agency.example", "2")
        let orphan = await #expect(throws: TripStoreError.self) {
            try await store.upsert(item) {
                $0.name = "Tram"
                $0.trip = id
            }
        }
        #expect(orphan?.code == .unknownTrip)
        try await store.expectInvariants()
    }

    @Test("What a deletion names whose creation has not arrived is not created")
    func deletedBeforeCreated() async throws {
        let store = try await TripStore.test()
        let id = Trip.ID.derived(from: "agency.example", "1")
        _ = try await store.log.append(Payload(events: [Event(verb: .deleted, entity: id.reference)]))
        try await store.catchUp()
        let deleted = await #expect(throws: TripStoreError.self) { try await store.upsert(id) { $0.name = "Porto" } }
        #expect(deleted?.code == .deleted)
        try await store.expectInvariants()
    }

    @Test("Two replicas that create the same thing have it once, with the fields of both")
    func concurrently() async throws {
        let clock = ManualClock()
        let ana = try await TripStore.test(clock: clock)
        try await ana.create(Trip(name: "Lisbon"))
        let ben = try await TripStore.test(journal: ana.journal, clock: clock)
        try await ana.exchange(with: .store(ben))
        let id = Organization.ID.derived(from: "airline.example", "TP")
        try await ana.upsert(id, by: "ana") {
            $0.name = "TAP"
            $0.phone = "1"
        }
        try await ben.upsert(id, by: "ben") {
            $0.name = "TAP"
            $0.website = "https://www.flytap.com"
        }
        try await ana.exchange(with: .store(ben))
        for store in [ana, ben] {
            let organizations = try store.organizations(limit: 10).rows
            #expect(organizations.map(\.phone) == ["1"])
            #expect(organizations.map(\.website) == ["https://www.flytap.com"])
            try await store.expectInvariants()
        }
    }

    @Test("At once, on one store, each sees what the one before wrote", arguments: [1, 8])
    func racing(tasks: Int) async throws {
        let store = try await TripStore.test()
        let id = Trip.ID.derived(from: "agency.example", "1")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    try await store.upsert(id, by: Authorship(author: "\(task)")) {
                        $0.name = "Lisbon"
                        $0.notes += "x"
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.trip(id)?.notes.count == tasks)
        #expect(try store.history(of: id).count { $0.event.verb == .created } == 1)
        try await store.expectInvariants()
    }

    @Test("Tried again with its append id, nothing is written twice", arguments: [true, false])
    func tryingAgain(isCreation: Bool) async throws {
        let store = try await TripStore.test()
        let id = Trip.ID.derived(from: "agency.example", "1")
        if !isCreation { try await store.upsert(id) { $0.name = "Porto" } }
        let authorship = Authorship(author: "ana", appendID: AppendID())
        let first = try await store.upsert(id, by: authorship) { $0.name = "Lisbon" }
        let again = try await store.upsert(id, by: authorship) { $0.name += "!" }
        #expect(again.isRepeat && again.position == first.position)
        #expect(try store.trip(id)?.name == "Lisbon")
        try await store.expectInvariants()
    }
}
