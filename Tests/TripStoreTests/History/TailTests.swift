import EventLog
import Foundation
import StoreSupport
import Testing

@testable import TripStore

@Suite("What the log holds beyond the views")
struct TailTests {
    @Test("The items that a trip had include those of commits that the views do not show yet")
    func items() async throws {
        let store = try await TripStore.test()
        let (trip, other) = (Trip(name: "Lisbon"), Trip(name: "Porto"))
        let (tram, walk) = (Activity(name: "Tram", in: trip.id), Activity(name: "Walk", in: other.id))
        try await store.append([.created(trip), .created(other), .created(tram), .created(walk)])
        let before = try store.status().position
        let ferry = Activity(name: "Ferry", in: trip.id)
        try await store.load { load in
            try await load.append([.created(ferry), TripEvent(.edited, walk.id, [.set(\.trip, trip.id)])])
            try await load.flush()
            let end = try store.log.read { try $0.lastPosition() }
            #expect(try store.isBehind)
            func names(_ trip: Trip.ID, _ position: Position) throws -> Set<String> {
                Set(try store.items(of: trip, asOf: .position(position)).map(\.name))
            }
            #expect(try names(trip.id, end) == ["Tram", "Ferry", "Walk"])
            #expect(try names(other.id, end) == [])
            #expect(try names(trip.id, before) == ["Tram"])
        }
        try await store.expectInvariants()
    }

    @Test("Conflicts are found also in commits that the views do not show yet")
    func conflicts() async throws {
        let pair = try await ConflictPair()
        let tram = try await pair.ben.create(Activity(name: "Tram", in: pair.lisbon))
        let store = try await TripStore.test(journal: pair.ana.journal, clock: ManualClock(seed: 3))
        try await pair.ana.pass(to: store)
        try await pair.exchange()
        try await pair.ana.edit(tram) { $0.name = "Ferry" }
        try await pair.ben.edit(tram) { $0.name = "Bus" }
        try await pair.exchange()
        let expected = try pair.ana.conflicts(of: pair.lisbon).map(\.id)
        #expect(expected.count == 1)
        store.views.deferUpdates()
        try await pair.ana.pass(to: store)
        #expect(try store.isBehind)
        #expect(try store.conflicts(of: pair.lisbon).map(\.id) == expected)
        #expect(try store.conflicts().map(\.id) == expected)
        try await store.views.resumeUpdates()
        try await pair.expectInvariants()
        try await store.expectInvariants()
    }
}
