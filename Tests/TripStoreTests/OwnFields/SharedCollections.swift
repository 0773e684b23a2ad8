import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

extension Trip {
    static let labels = OwnSet<Trip, String>("org.example.shared", 1, "labels") { $0 != "bad" }
    static let packed = OwnMap<Trip, String, Bool>("org.example.shared", 2, "packed")
    static let visits = OwnCounter<Trip>("org.example.shared", 3, "visits")
    static let stops = OwnList<Trip, String>("org.example.shared", 4, "stops")
    static let plan = OwnList<Trip, Int>("org.example.shared", 5, "plan")
}

/// Stores that share a trip with collections.
enum SharedCollections {
    /// The fields that the stores know.
    static let all: [any SchemaPart] = [Trip.labels, Trip.packed, Trip.visits, Trip.stops, Trip.plan]

    /// Two stores of one journal that both have a trip.
    static func pair(
        _ clock: ManualClock = ManualClock(), _ change: (inout Trip) -> Void
    ) async throws -> (TripStore, TripStore, Trip.ID) {
        let ana = try await TripStore.test(clock: clock, schema: all)
        var trip = Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8))
        change(&trip)
        let lisbon = try await ana.create(trip)
        let ben = try await TripStore.test(journal: ana.journal, clock: clock, schema: all)
        try await ana.exchange(with: .store(ben))
        return (ana, ben, lisbon)
    }

    static func expectEqual(_ stores: [TripStore], _ trip: Trip.ID) async throws {
        for store in stores.dropFirst() { try await stores[0].exchange(with: .store(store)) }
        for store in stores.dropFirst() { try await stores[0].exchange(with: .store(store)) }
        for store in stores {
            #expect(try store.trip(trip) == stores[0].trip(trip))
            try await store.expectInvariants()
        }
    }
}
