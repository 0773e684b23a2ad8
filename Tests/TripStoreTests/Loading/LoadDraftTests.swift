import Events
import Foundation
import TestSupport
import Testing
import Trips

@testable import TripStore

/// A draft says of an event what the event says.
@Suite("Drafts of a load's commits")
struct LoadDraftTests {
    private func events(in draft: LoadDraft) throws -> [Event] {
        try draft.entries.map { entry in try draft.withMessage(of: entry) { try EventView($0).copy(SeenReplicas()) } }
    }

    @Test("Its messages are the events, in their order and without what was seen")
    func messages() throws {
        let trip = Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8))
        let item = Activity(name: "Überfahrt", in: trip.id, from: Moment(milliseconds: 0, zone: "Europe/Lisbon"))
        let proposed = [
            .created(trip), .created(item), TripEvent(.edited, trip.id, [.notes("By train"), .cleared(.destination)]),
            .deleted(item.id), .restored(item.id),
        ]
        let draft = try LoadDraft(proposed)
        let events = try events(in: draft)
        #expect(events.map(\.verb) == proposed.map(\.verb) && events.map(\.entity) == proposed.map(\.entity))
        for (event, proposed) in zip(events, proposed) {
            #expect(event.changes == proposed.writes.map { Change(path: Path(field: $0.field), value: $0.value) })
            #expect(event.seen == nil)
        }
        #expect(draft.entries.map(\.isValidForSure) == [true, true, true, false, false])
    }

    @Test("It knows which trip an event names, what it leaves of start and end, and whether it names what was seen")
    func facts() throws {
        let (trip, item) = (Trip.ID.new(), Activity.ID.new())
        let start = Moment(milliseconds: 0, zone: "Europe/Lisbon")
        func entry(_ event: TripEvent) throws -> LoadDraft.Entry { try LoadDraft([event]).entries[0] }
        #expect(try entry(TripEvent(.edited, item, [.trip(trip)])).trip == .some(trip.reference))
        #expect(try entry(TripEvent(.edited, item, [.trip(nil)])).trip == .some(nil))
        #expect(try entry(TripEvent(.edited, item, [.name("Walk")])).trip == nil)

        let half = try #require(try entry(TripEvent(.edited, item, [.start(start)])).half)
        #expect(half.written == ItemField.start.rawValue && half.other == ItemField.end.rawValue)
        #expect(try entry(TripEvent(.edited, item, [.start(start), .end(start)])).half == nil)
        #expect(try entry(TripEvent(.edited, item, [.cleared(.end)])).half == nil)

        let named = TripEvent(
            .edited, trip.reference, writes: [.init(field: Trip.Field.name.rawValue, value: [65], saw: .value(nil))])
        #expect(try entry(named).namesSeen)
        #expect(try !entry(TripEvent(.edited, trip, [.name("A")])).namesSeen)
    }

    @Test("What is wrong with an event is said")
    func wrong() {
        #expect(throws: ValidationError.self) {
            try LoadDraft([.created(Trip(name: "Fine")), .created(Trip(name: ""))])
        }
    }
}
