import Foundation
import TripStore
import TripStoreTestSupport

/// Draws what a replica imports from another database: trips, each with its activities.
struct LoadedTrips {
    private var random: SeededRandom
    private(set) var trips: [Trip.ID] = []
    private(set) var activities: [Activity.ID] = []

    private static let moment = Date(timeIntervalSince1970: 1_798_761_600)

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// The events of a commit.
    mutating func page() -> [TripEvent] {
        var events: [TripEvent] = []
        for _ in 0..<number(1...12) {
            let first = Day(2027, 1, 1).advanced(by: number(0...300))
            let trip = Trip(
                id: .new(at: Self.moment, using: &random), name: "Loaded",
                days: first...first.advanced(by: number(0...20)))
            trips.append(trip.id)
            events.append(.created(trip))
            for _ in 0..<number(0...8) {
                let activity = Activity(
                    id: .new(at: Self.moment, using: &random), name: "Loaded", in: trip.id,
                    from: .sample(number(0...400_000)), cost: Money(minorUnits: Int64(number(0...9999)), "CHF"))
                activities.append(activity.id)
                events.append(.created(activity))
            }
        }
        return events
    }
}
