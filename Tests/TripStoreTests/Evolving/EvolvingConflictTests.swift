import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

extension Trip {
    fileprivate static let grade = OwnField<Trip, String>("org.example.graded", 1, "grade") { $0.count <= 5 }
    fileprivate static let points = OwnField<Trip, Int>(
        "org.example.graded", 2, "points",
        replacing: Upcaster(
            grade, upgrade: { $0.count * 2 },
            downgrade: { points in
                // The rule of the field comes first.
                precondition(0...20 ~= points)
                return String(repeating: "*", count: points / 2)
            })
    ) { 0...20 ~= $0 }

    fileprivate static let graded: [any SchemaPart] = [grade, points] + evolving
}

@Suite("Conflicts and rules of fields that replace others")
struct EvolvingConflictTests {
    /// Two stores with a trip, of which both have a grade.
    private static func pair(_ clock: ManualClock) async throws -> (TripStore, TripStore, Trip.ID) {
        let ana = try await TripStore.test(clock: clock, schema: Trip.graded)
        let lisbon = try await ana.create(Trip(name: "Lisbon"))
        try await ana.edit(lisbon) { $0[Trip.grade] = "***" }
        let ben = try await TripStore.test(journal: ana.journal, clock: clock, schema: Trip.graded)
        try await ana.exchange(with: .store(ben))
        clock.advance(by: 1_000)
        return (ana, ben, lisbon)
    }

    @Test("One author's edits in a row are no conflict, whichever of the fields they write")
    func sequential() async throws {
        let store = try await TripStore.test(schema: Trip.graded)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0[Trip.points] = 4 }
        try await store.edit(lisbon) { $0[Trip.grade] = "*****" }
        try await store.edit(lisbon) { $0[Trip.points] = 7 }
        try await store.edit(lisbon) { $0[Trip.points] = 9 }
        try await store.edit(lisbon) { $0[Trip.limit] = 40 }
        try await store.edit(lisbon) { $0[Trip.budgetText] = "30" }
        try await store.edit(lisbon) { $0[Trip.limit] = 50 }
        #expect(try store.conflicts(includingResolved: true).rows.isEmpty)
        try await store.expectInvariants()
    }

    @Test("Old values that do not come back as they were are seen by the author of a new one")
    func lossy() async throws {
        let store = try await TripStore.test(schema: Trip.graded)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { ($0[Trip.grade], $0[Trip.budgetText]) = ("hard", "30") }
        #expect(try store.trip(lisbon)?[Trip.points] == 8)
        try await store.edit(lisbon) { ($0[Trip.points], $0[Trip.budget]) = (10, Money("40.00", "EUR")) }
        try await store.edit(lisbon) { $0[Trip.budgetText] = "about 50" }
        #expect(try store.trip(lisbon)?[Trip.budget] == nil)
        try await store.edit(lisbon) { $0[Trip.budget] = Money("60.00", "EUR") }
        #expect(try store.conflicts(includingResolved: true).rows.isEmpty)
        try await store.expectInvariants()
    }

    @Test("An old value is hidden only where all fields that replace it hide it")
    func splitHidden() async throws {
        let store = try await TripStore.test(schema: Trip.graded)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0[Trip.budgetText] = "30" }
        let form = try #require(try store.trip(lisbon))
        // A field is known from its first use on.
        #expect(form[Trip.budget] == Money("30", "EUR"))
        var draft = form
        draft[Trip.budgetText] = "70"
        try await store.edit(lisbon) { $0[Trip.budgetText] = "50" }
        try await store.edit(lisbon) { $0[Trip.limit] = 60 }
        try await store.save(draft, from: form)
        #expect(try store.conflicts().rows.map(\.superseded.value.text) == ["50"])
        try await store.expectInvariants()
    }

    @Test("A form that was opened before another wrote the old field is in conflict over that")
    func staleForm() async throws {
        let store = try await TripStore.test(schema: Trip.graded)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0[Trip.grade] = "***" }
        let form = try #require(try store.trip(lisbon))
        var draft = form
        draft[Trip.points] = 10
        try await store.edit(lisbon) { $0[Trip.grade] = "*" }
        try await store.save(draft, from: form)
        #expect(try store.trip(lisbon)?[Trip.points] == 10)
        #expect(try store.conflicts().rows.map(\.superseded.value.text) == ["*"])
        try await store.expectInvariants()
    }

    @Test("What a write implies is left out with it where it changes nothing")
    func unchanged() async throws {
        let store = try await TripStore.test(schema: Trip.graded)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { ($0[Trip.points], $0[Trip.grade]) = (7, "*") }
        #expect(try store.trip(lisbon)?[Trip.points] == 7)
        let receipt = try await store.commit { $0.edit(lisbon, [.set(Trip.points, 7)]) }
        #expect(try receipt.isUnchanged && store.trip(lisbon)?[Trip.points] == 7)
        #expect(try store.trip(lisbon)?[Trip.grade] == "*")
        // A retry is compared with what was proposed.
        let authorship = Authorship(appendID: AppendID())
        for isRepeat in [false, true] {
            let receipt = try await store.commit(by: authorship) {
                $0.edit(lisbon, [.set(Trip.points, 7), .set(\.name, "Porto")])
            }
            #expect(receipt.isRepeat == isRepeat)
        }
        #expect(try store.trip(lisbon)?[Trip.grade] == "*")
        // What was proposed itself is written.
        try await store.commit { $0.edit(lisbon, [.set(Trip.points, 7), .set(Trip.grade, "***")]) }
        #expect(try store.trip(lisbon)?[Trip.grade] == "***")
        try await store.expectInvariants()
    }

    @Test("The old field has what follows from the write that won, also where that was there before")
    func implied() async throws {
        let clock = ManualClock()
        let (ana, ben, lisbon) = try await Self.pair(clock)
        try await ben.edit(lisbon) { $0[Trip.points] = 5 }
        clock.advance(by: 1_000)
        // The grade stays the same.
        try await ana.edit(lisbon) { $0[Trip.points] = 7 }
        try await ana.exchange(with: .store(ben))
        for store in [ana, ben] {
            #expect(try store.trip(lisbon)?[Trip.points] == 7 && store.trip(lisbon)?[Trip.grade] == "***")
            try await store.expectInvariants()
        }
    }

    @Test("Two concurrent writes are one conflict, and taking a side writes both fields")
    func resolving() async throws {
        let clock = ManualClock()
        let (ana, ben, lisbon) = try await Self.pair(clock)
        try await ben.edit(lisbon) { $0[Trip.points] = 5 }
        clock.advance(by: 1_000)
        try await ana.edit(lisbon) { $0[Trip.points] = 9 }
        try await ana.exchange(with: .store(ben))
        let conflicts = try ana.conflicts().rows
        #expect(conflicts.map(\.superseded.value.name) == ["points"])
        try await ana.resolve(try #require(conflicts.first), taking: .superseded)
        #expect(try ana.trip(lisbon)?[Trip.points] == 5 && ana.trip(lisbon)?[Trip.grade] == "**")
        #expect(try ana.conflicts().rows.isEmpty)
        try await ana.exchange(with: .store(ben))
        #expect(try ben.trip(lisbon) == ana.trip(lisbon))
        for store in [ana, ben] { try await store.expectInvariants() }
    }

    @Test("Keeping what won over an old version's write keeps what is shown", arguments: [true, false])
    func keeping(isWinner: Bool) async throws {
        let clock = ManualClock()
        let (ana, ben, lisbon) = try await Self.pair(clock)
        // As the old version.
        try await ben.edit(lisbon) { $0[Trip.grade] = "*" }
        clock.advance(by: 1_000)
        try await ana.edit(lisbon) { $0[Trip.points] = 9 }
        try await ana.exchange(with: .store(ben))
        let conflict = try #require(try ana.conflicts().rows.first)
        #expect(conflict.superseded.value.name == "grade")
        try await ana.resolve(conflict, taking: isWinner ? .winner : .superseded)
        #expect(try ana.trip(lisbon)?[Trip.points] == (isWinner ? 9 : 2))
        #expect(try ana.trip(lisbon)?[Trip.grade] == (isWinner ? "****" : "*"))
        for store in [ana, ben] { try await store.expectInvariants() }
    }

    @Test(
        "A value that breaks the rule is refused before it becomes an old one, and an old one that breaks its rule is cleared"
    )
    func rules() async throws {
        let store = try await TripStore.test(schema: Trip.graded)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        for points in [-2, 21, Int.max] {
            await #expect(throws: TripStoreError.self) { try await store.edit(lisbon) { $0[Trip.points] = points } }
        }
        #expect(try store.trip(lisbon)?[Trip.points] == nil)
        try await store.edit(lisbon) { $0[Trip.points] = 6 }
        #expect(try store.trip(lisbon)?[Trip.grade] == "***")
        try await store.edit(lisbon) { $0[Trip.points] = 20 }
        #expect(try store.trip(lisbon)?[Trip.points] == 20 && store.trip(lisbon)?[Trip.grade] == nil)
        try await store.expectInvariants()
    }

    @Test("Upserts, loads and attempts that are repeated write the old field too")
    func otherWrites() async throws {
        let store = try await TripStore.test(schema: Trip.graded)
        let id = Trip.ID.derived(from: "example", "1")
        try await store.upsert(id) { ($0.name, $0[Trip.points]) = ("Lisbon", 8) }
        #expect(try store.trip(id)?[Trip.grade] == "****")
        var porto = Trip(name: "Porto")
        porto[Trip.points] = 4
        let created = porto
        try await store.load { try await $0.append([.created(created)]) }
        #expect(try store.trip(porto.id)?[Trip.grade] == "**")
        let authorship = Authorship(appendID: AppendID())
        let event = TripEvent(.edited, porto.id, [.set(Trip.points, 10)])
        try await store.append([event], by: authorship)
        #expect(try await store.append([event], by: authorship).isRepeat)
        #expect(try store.trip(porto.id)?[Trip.grade] == "*****")
        try await store.expectInvariants()
    }
}
