import Foundation
public import TripStore

/// Writes random events that an app could write, to a store whose entities it knows: the same for the same seed.
public struct RandomWriter {
    public var generator: SeededRandom
    /// The trips that it made, including those deleted since.
    public var trips: [Trip.ID] = []
    public var activities: [Activity.ID] = []
    public var transportations: [Transportation.ID] = []

    public init(seed: UInt64) { generator = SeededRandom(seed: seed) }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func day() -> Day { Day(2027, 1, 1).advanced(by: number(0...120)) }

    /// One commit of one to three changes; a refusal, because of a deleted entity, is ignored.
    public mutating func write(to store: TripStore) async throws {
        var events: [TripEvent] = []
        for _ in 0..<number(1...3) { events.append(event()) }
        do {
            try await store.append(events, by: Authorship(author: ["ana", "ben"][number(0...1)]))
        } catch let error as TripStoreError where error.cause == nil || error.code == .invalidValue {}
    }

    private mutating func event() -> TripEvent {
        switch number(0...11) {
        case 0, 1: return newTrip()
        case 2, 3, 4: return newItem()
        case 5: return edit(trips) { [.set(\.name, "Trip \($0)")] }
        case 6:
            let first = day()
            let last = first.advanced(by: number(0...40))
            return edit(trips) { _ in [.set(\.startDay, first), .set(\.endDay, last)] }
        case 7:
            let cost = Money(minorUnits: Int64(number(-500...5000)), ["EUR", "USD", "JPY"][number(0...2)])
            let stage = PlanningStage(rawValue: UInt32(cost.minorUnits.magnitude % 5))
            return edit(activities) { _ in [.set(\.cost, cost), .set(\.stage, stage)] }
        case 8: return edit(transportations) { [.set(\.start, .sample($0)), .set(\.end, .sample($0 + 60))] }
        case 9:
            let trip = trips.randomElement(using: &generator) ?? .new()
            return edit(activities) { _ in [.set(\.trip, trip)] }
        case 10:
            return number(0...1) == 0 ? remove(trips, .deleted) : remove(activities, .deleted)
        default:
            return number(0...1) == 0 ? remove(trips, .restored) : remove(activities, .restored)
        }
    }

    private mutating func newTrip() -> TripEvent {
        let first = day()
        let days = number(0...4) == 0 ? nil : first...first.advanced(by: number(0...30))
        let trip = Trip(
            id: .new(at: Date(timeIntervalSince1970: 1_798_761_600), using: &generator), name: "Trip",
            startDay: days?.lowerBound, endDay: days?.upperBound)
        trips.append(trip.id)
        return .created(trip)
    }

    private mutating func newItem() -> TripEvent {
        let trip = trips.randomElement(using: &generator) ?? .new()
        let start = number(0...10_000)
        let cost = Money(minorUnits: Int64(number(0...9999)), "EUR")
        if number(0...1) == 0 {
            let activity = Activity(
                id: .new(at: Date(timeIntervalSince1970: 1_798_761_600), using: &generator), name: "Activity", in: trip,
                from: .sample(start),
                until: .sample(start + 30), cost: cost)
            activities.append(activity.id)
            return .created(Self.varied(activity, by: start))
        }
        var flight = Transportation(
            id: .new(at: Date(timeIntervalSince1970: 1_798_761_600), using: &generator), name: "Flight", mode: .plane,
            in: trip, from: .sample(start))
        (flight.departure.code, flight.number) = (start.isMultiple(of: 3) ? "" : "LIS", "\(start)")
        transportations.append(flight.id)
        return .created(flight)
    }

    /// With stages, amounts and whole days, by a number that was drawn already.
    private static func varied(_ activity: Activity, by number: Int) -> Activity {
        var activity = activity
        activity.stage = PlanningStage(rawValue: UInt32(number % 5))
        activity.paid = PaidStatus(rawValue: UInt32(number % 3))
        if number.isMultiple(of: 2) { activity.paidAmount = Money(minorUnits: Int64(number), "USD") }
        if number.isMultiple(of: 7) {
            (activity.start, activity.end) = (nil, nil)
            activity.startDay = Day(2027, 1, 1).advanced(by: number % 300)
        }
        return activity
    }

    private mutating func edit<Entity: TripEntity>(
        _ ids: [Identifier<Entity>], _ changes: (Int) -> [FieldChange<Entity>]
    ) -> TripEvent {
        TripEvent(.edited, ids.randomElement(using: &generator) ?? .new(), changes(number(1...999)))
    }

    private mutating func remove<Entity: TripEntity>(_ ids: [Identifier<Entity>], _ verb: Verb) -> TripEvent {
        TripEvent(verb, ids.randomElement(using: &generator) ?? .new())
    }
}
