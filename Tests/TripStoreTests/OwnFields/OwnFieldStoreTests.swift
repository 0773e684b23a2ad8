import EventLog
import Events
import Foundation
import StoreSupport
import Testing

@testable import TripStore

extension Trip {
    fileprivate static let rating = OwnField<Trip, Int>("org.example.journey", 1, "rating") { 1...5 ~= $0 }
    fileprivate static let companion = OwnField<Trip, String>("org.example.journey", 2, "companion")
}

extension Activity {
    fileprivate static let isIndoors = OwnField<Activity, Bool>("org.example.journey", 1, "isIndoors")
}

private let fields: [any SchemaPart] = [Trip.rating, Trip.companion, Activity.isIndoors]

@Suite("Apps' own fields in a store")
struct OwnFieldStoreTests {
    @Test("They are written, shown, listed, watched and undone like the built-in ones")
    func verbs() async throws {
        let store = try await TripStore.test(schema: fields)
        var trip = Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8))
        trip[Trip.rating] = 3
        let lisbon = try await store.create(trip)
        let receipt = try await store.edit(lisbon, by: "ana") {
            $0[Trip.rating] = ($0[Trip.rating] ?? 0) + 1
            $0[Trip.companion] = "Ben"
        }
        #expect(try store.trip(lisbon)?[Trip.rating] == 4)
        let row = try #require(try store.trips(.starting(in: Day(2027, 5, 1)..<Day(2027, 6, 1))).rows.first)
        #expect(row.trip[Trip.rating] == 4 && row.trip[Trip.companion] == "Ben")
        var activity = Activity(name: "Museum", in: lisbon, from: .sample(1))
        activity[Activity.isIndoors] = true
        let museum = try await store.create(activity)
        #expect(try store.entity(museum)?[Activity.isIndoors] == true)
        #expect(try await store.edit(lisbon) { _ in }.isUnchanged)

        let change = try #require(try store.history(of: lisbon).last?.event.changes.first)
        #expect(change.field == "rating" && change.old?.text == "3" && change.new.text == "4")
        #expect(try store.blame(lisbon).lines.contains { $0.field.name == "companion" && $0.field.text == "Ben" })
        try await store.undo(receipt)
        #expect(try store.trip(lisbon)?[Trip.rating] == 3)
        #expect(try store.trip(lisbon)?[Trip.companion] == nil)
        #expect(try await store.asOf(receipt.position).trip(lisbon)?[Trip.companion] == "Ben")
        try await store.expectInvariants()
    }

    @Test("A value that the app's rule does not allow is refused, and nothing is written")
    func refused() async throws {
        let store = try await TripStore.test(schema: fields)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        // The log has the names from now on.
        try await store.edit(lisbon) { $0[Trip.rating] = 3 }
        let position = try store.status().position
        let error = await #expect(throws: TripStoreError.self) {
            try await store.edit(lisbon) { $0[Trip.rating] = 9 }
        }
        #expect(error?.code == .invalidValue)
        #expect((error?.cause as? ValidationError)?.code == .brokenRule)
        await #expect(throws: TripStoreError.self) {
            var trip = Trip(name: "Porto")
            trip[Trip.rating] = 0
            try await store.create(trip)
        }
        #expect(try store.status().position == position)
        try await store.expectInvariants()
    }

    @Test("An undo puts back a value that the app's rule does not allow, as another version of the app wrote it")
    func undoneRule() async throws {
        let store = try await TripStore.test(schema: fields)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let clock = ManualClock(seed: 2)
        let other = try await TripStore.test(journal: store.journal, clock: clock, schema: fields)
        try await store.exchange(with: .store(other))
        // 9, by events that no rule sees.
        let number = FieldChange<Trip>.set(Trip.rating, nil).field
        let event = Event(
            verb: .edited, entity: lisbon.reference, changes: [Change(path: FieldPath(field: number), value: [18])])
        _ = try await other.log.append(Payload(author: "ben", events: [event]))
        try await store.exchange(with: .store(other))
        #expect(try store.trip(lisbon)?[Trip.rating] == 9)
        let receipt = try await store.edit(lisbon) { $0[Trip.rating] = 5 }
        #expect(try await store.undo(receipt).kept.isEmpty)
        #expect(try store.trip(lisbon)?[Trip.rating] == 9)
        try await store.expectInvariants()
    }

    @Test("Two replicas merge them field by field, those of an app that is not here as well, and a conflict is shown")
    func merging() async throws {
        let clock = ManualClock()
        let ana = try await TripStore.test(clock: clock, schema: fields)
        let lisbon = try await ana.create(Trip(name: "Lisbon"))
        let ben = try await TripStore.test(journal: ana.journal, clock: clock, schema: fields)
        try await ana.exchange(with: .store(ben))
        try await ana.edit(lisbon, by: "ana") { $0[Trip.rating] = 5 }
        try await ben.edit(lisbon, by: "ben") {
            $0[Trip.rating] = 2
            $0[Trip.companion] = "Ana"
        }
        // An app that the stores do not know; its field has the number of one that they do.
        let unknown = Change(path: FieldPath(field: 9 << 16 | 1), value: [1, 2, 3])
        let event = Event(verb: .edited, entity: lisbon.reference, changes: [unknown])
        _ = try await ben.log.append(Payload(author: "ben", events: [event]))
        try await ben.catchUp()
        try await ana.exchange(with: .store(ben))
        for store in [ana, ben] {
            let trip = try #require(try store.trip(lisbon))
            #expect(trip[Trip.rating] == 2 && trip[Trip.companion] == "Ana")
            #expect(try store.conflicts(of: lisbon).rows.map(\.field) == ["rating"])
            // An edit by a replica that does not know it keeps it.
            try await store.edit(lisbon) { $0.notes += "x" }
            #expect(try store.history(of: lisbon).contains { $0.event.changes.contains { $0.field == "0000000009.1" } })
        }
        try await ana.exchange(with: .store(ben))
        #expect(try ana.trip(lisbon) == ben.trip(lisbon))
        #expect(try ana.trip(lisbon)?.own.isEmpty == false)
        try await ana.expectInvariants()
        try await ben.expectInvariants()
    }
}
