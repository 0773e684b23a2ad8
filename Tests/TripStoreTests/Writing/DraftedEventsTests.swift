import Events
import Foundation
import TestSupport
import Testing
import Trips

@testable import TripStore

/// A draft reports the same of an event as the event itself.
@Suite("Drafts of events")
struct DraftedEventsTests {
    private func events(in draft: DraftedEvents) throws -> [Event] {
        try draft.entries.map { entry in try draft.withMessage(of: entry) { try EventView($0).copy(SeenReplicas()) } }
    }

    @Test("Its messages are the events, in their order and without what was seen")
    func messages() throws {
        let trip = Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8))
        let item = Activity(name: "Überfahrt", in: trip.id, from: Moment(milliseconds: 0, zone: "Europe/Lisbon"))
        let proposed = [
            .created(trip), .created(item),
            TripEvent(.edited, trip.id, [.set(\.notes, "By train"), .clear(\.destination)]),
            .deleted(item.id), .restored(item.id),
        ]
        let draft = DraftedEvents(proposed, in: nil)
        let events = try events(in: draft)
        #expect(events.map(\.verb) == proposed.map(\.verb) && events.map(\.entity) == proposed.map(\.entity))
        for (event, proposed) in zip(events, proposed) {
            #expect(event.changes == proposed.writes.map { Change(path: FieldPath(field: $0.field), value: $0.value) })
            #expect(event.seen == nil)
        }
        #expect(draft.entries.map { $0.proof != nil } == [true, true, true, false, false])
    }

    @Test("It knows which trip an event names, what it leaves of start and end, and whether it names what was seen")
    func facts() throws {
        let (trip, item) = (Trip.ID.new(), Activity.ID.new())
        let start = Moment(milliseconds: 0, zone: "Europe/Lisbon")
        func entry(_ event: TripEvent) throws -> DraftedEvents.Entry {
            try #require(DraftedEvents([event], in: nil).entries.first)
        }
        #expect(try entry(TripEvent(.edited, item, [.set(\.trip, trip)])).parent == .some(trip.reference))
        #expect(try entry(TripEvent(.edited, item, [.set(\.trip, nil)])).parent == .some(nil))
        #expect(try entry(TripEvent(.edited, item, [.set(\.name, "Walk")])).parent == nil)

        #expect(try entry(TripEvent(.edited, item, [.set(\.start, start)])).proof?.other == 4)
        for changes in [[.set(\.start, start), .set(\.end, start)], [.clear(\.end)]] as [[FieldChange<Activity>]] {
            #expect(try #require(try entry(TripEvent(.edited, item, changes)).proof).other == nil)
        }

        let named = TripEvent(
            .edited, trip.reference, writes: [.init(field: 1, value: [65], saw: .value(nil))])
        #expect(try entry(named).namesSeen)
        #expect(try !entry(TripEvent(.edited, trip, [.set(\.name, "A")])).namesSeen)
    }

    @Test("Faults are known for each event, and for the first that has one")
    func wrong() {
        let tooLong = TripEvent(.edited, Trip.ID.new(), [.set(\.notes, String(repeating: "x", count: 2 << 20))])
        let draft = DraftedEvents([.created(Trip(name: "Fine")), .created(Trip(name: "")), tooLong], in: nil)
        #expect(draft.fault(at: 0) == nil)
        #expect(draft.fault(at: 1)?.code == .emptyName && draft.firstFault?.code == .emptyName)
        // An edit is checked against the rules once its changes are known.
        #expect(draft.fault(at: 2) == nil)
        #expect(DraftedEvents([.created(Trip(name: "Fine"))], in: nil).firstFault == nil)
        let odd = TripEvent(.edited, Trip.ID.new().reference, writes: [.init(field: 900, value: [1])])
        #expect(DraftedEvents([tooLong, odd], in: nil).firstFault?.code == .unknownField)
    }
}
