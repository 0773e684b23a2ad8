import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("What a form changed")
struct DifferenceTests {
    @Test("Only fields that differ are changed, each as having seen the value that it had")
    func minimal() {
        var draft = Samples.trip
        draft.name = "Porto"
        draft.notes = ""
        draft.endDay = nil
        let changes = Trip.changes(from: Samples.trip, to: draft)
        #expect(
            changes == [
                FieldChange(field: 1, value: Array("Porto".utf8), saw: .value(Array("Lisbon".utf8))),
                FieldChange(field: 3, value: nil, saw: .value(Array("By train".utf8))),
                FieldChange(field: 5, value: nil, saw: .value(Samples.trip.encoded(\.endDay))),
            ])
        #expect(TripEvent.edited(from: Samples.trip, to: draft) == TripEvent(.edited, draft.id, changes))
    }

    @Test("A field that was cleared before was seen so")
    func seenCleared() {
        let original = Trip(id: Samples.trip.id, name: "Lisbon")
        var draft = original
        draft.destination = "Lisboa"
        #expect(
            Trip.changes(from: original, to: draft) == [
                FieldChange(field: 8, value: Array("Lisboa".utf8), saw: .value(nil))
            ])
    }

    @Test("Where nothing differs there is no event, and ids and times do not count")
    func nothing() {
        #expect(TripEvent.edited(from: Samples.trip, to: Samples.trip) == nil)
        var stored = Samples.activity
        stored.setTimes(created: .distantPast, updated: .distantFuture)
        #expect(TripEvent.edited(from: Samples.activity, to: stored) == nil)
        #expect(Activity.changes(from: stored, to: Samples.activity).isEmpty)
    }

    @Test("Text of the same letters in other bytes is a change")
    func bytesCount() {
        let (composed, decomposed) = (Trip(id: Samples.trip.id, name: "\u{E9}"), "e\u{301}")
        var draft = composed
        draft.name = decomposed
        #expect(draft.name == composed.name, "to Swift they are equal")
        #expect(Trip.changes(from: composed, to: draft).map(\.value) == [Array(decomposed.utf8)])
    }

    @Test("The changes from one state to another lead from one to the other", arguments: Seeds.some(50))
    func sufficient(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func random() -> Activity {
            func some<Value>(_ values: Value...) -> Value { values.randomElement(using: &generator) ?? values[0] }
            return Activity(
                id: Samples.activity.id, name: some("", "a", "b"), in: some(nil, Trip.ID(Samples.uuid)),
                from: some(nil, Samples.morning, Samples.noon), until: some(nil, Samples.noon),
                cost: some(nil, Money(minorUnits: 0, "EUR"), Money(minorUnits: -5, "USD")), paid: some(.none, .inFull),
                reservation: some("", "x"), notes: some("", "y"), hidesLocation: some(true, false),
                address: some(nil, Address(city: "Porto"), Samples.address))
        }
        let (original, draft) = (random(), random())
        let changes = Activity.changes(from: original, to: draft)
        var changed = original
        changed.apply(TripEvent(.edited, draft.id, changes))
        #expect(changed == draft)
        #expect(changes.map(\.field) == Activity.fieldNumbers.filter { original.encoded($0) != draft.encoded($0) })
    }

    private static let later: Money = {
        var money = Money(minorUnits: 310, "EUR")
        money.unknownFields = UnknownParts.bytes
        return money
    }()

    @Test("A new value keeps parts that this version does not know")
    func unknownParts() throws {
        var original = Samples.activity
        original.cost = Self.later
        var draft = original
        draft.cost = Money(minorUnits: 400, "USD")
        let change = try #require(Activity.changes(from: original, to: draft).first)
        let written = try #require(Money.decoded(change.value ?? []))
        #expect((written.minorUnits, written.currency) == (400, "USD"))
        #expect(written.unknownFields == UnknownParts.bytes)
        #expect(change.saw == .value(original.encoded(\.cost)))
    }

    @Test("A value that is the same but for those parts is no change")
    func sameButForUnknownParts() {
        var original = Samples.activity
        original.cost = Self.later
        #expect(TripEvent.edited(from: original, to: Samples.activity) == nil)
    }

    @Test("A value that is cleared takes nothing over")
    func clearing() {
        var original = Samples.activity
        original.cost = Self.later
        var draft = original
        draft.cost = nil
        #expect(Activity.changes(from: original, to: draft).map(\.value) == [nil])
    }
}
