import Events
import Foundation
import TestSupport
import TripStore
import TripStoreTestSupport

/// Trips with items that are created, edited, moved, deleted and restored, in commits that build on one another. All
/// of it is allowed.
struct LoadHistory {
    var numbers: SeededGenerator
    var trips: [Trip.ID] = []
    var deletedTrips: Set<Trip.ID> = []
    var items: [Activity.ID] = []
    var tripOfItem: [Activity.ID: Trip.ID] = [:]
    var deletedItems: Set<Activity.ID> = []

    init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

    private mutating func uuid() -> UUID {
        let words = (numbers.next(), numbers.next())
        return withUnsafeBytes(of: words) { bytes in UUID(uuid: bytes.load(as: uuid_t.self)) }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }

    private mutating func presentTrip() -> Trip.ID? {
        trips.filter { !deletedTrips.contains($0) }.randomElement(using: &numbers)
    }

    /// An item that accepts writes.
    private mutating func item(isDeleted: Bool = false) -> Activity.ID? {
        items.filter { item in
            deletedItems.contains(item) == isDeleted && tripOfItem[item].map { !deletedTrips.contains($0) } == true
        }.randomElement(using: &numbers)
    }

    mutating func commit(_ name: String) -> [TripEvent] {
        let trip = Trip(id: Trip.ID(uuid()), name: name, days: Day(2027, 5, 1)...Day(2027, 5, 8))
        trips.append(trip.id)
        var events: [TripEvent] = [.created(trip)]
        for _ in 0..<number(1...6) { events += more(name) }
        return events
    }

    private mutating func more(_ name: String) -> [TripEvent] {
        switch number(0...12) {
        case 0, 1:
            guard let trip = presentTrip() else { return [] }
            let item = Activity(
                id: Activity.ID(uuid()), name: "Walk", in: trip, from: .sample(number(0...99)),
                address: Address(street: "Rua \(number(1...9))", city: "Lisboa"))
            items.append(item.id)
            tripOfItem[item.id] = trip
            return [.created(item)]
        case 2:
            return item().map { [TripEvent(.edited, $0, [.set(\.notes, "note \(name)")])] } ?? []
        case 3:
            let start = number(0...99)
            return item().map {
                [
                    TripEvent(.edited, $0, [.set(\.end, .sample(start + 200))]),
                    TripEvent(.edited, $0, [.set(\.start, .sample(start))]),
                ]
            } ?? []
        case 4:
            // An unknown part is kept when the address is written again.
            let place = UInt8(number(1...100))
            return item().map {
                let value: [UInt8] = [0x0A, 1, 65, 0xC2, 0x3E, 1, place]
                return [
                    TripEvent(
                        .edited, $0.reference, writes: [.init(field: 11, value: value)]),
                    TripEvent(.edited, $0, [.set(\.address, Address(street: name))]),
                ]
            } ?? []
        case 5:
            guard let item = item(), let trip = presentTrip() else { return [] }
            tripOfItem[item] = trip
            return [TripEvent(.edited, item, [.set(\.trip, trip)])]
        case 6:
            guard let item = item() else { return [] }
            deletedItems.insert(item)
            return [.deleted(item)]
        case 7:
            guard let item = item(isDeleted: true) else { return [] }
            deletedItems.remove(item)
            return [.restored(item)]
        case 8:
            guard let trip = presentTrip() else { return [] }
            deletedTrips.insert(trip)
            return [.deleted(trip)]
        case 9:
            guard let trip = deletedTrips.min(by: { $0.uuid.uuidString < $1.uuid.uuidString }) else { return [] }
            deletedTrips.remove(trip)
            return [.restored(trip)]
        case 10:
            // More events of one entity in a commit than a linear search handles.
            guard let trip = presentTrip() else { return [] }
            return (0..<20).flatMap { round -> [TripEvent] in
                let edit = TripEvent(.edited, trip, [.set(\.destination, "\(name) \(round)")])
                return round % 7 == 3 ? [edit, .deleted(trip), .restored(trip)] : [edit]
            }
        case 11:
            // The author's seen value may have existed, or not.
            guard let trip = presentTrip() else { return [] }
            let texts = [Array("Porto".utf8), Array("Faro".utf8), nil]
            let field: UInt64 = 3
            return (0...number(0...2)).map { _ in
                TripEvent(
                    .edited, trip.reference,
                    writes: [
                        .init(field: field, value: texts[number(0...2)], saw: .value(texts[number(0...2)]))
                    ])
            }
        default:
            guard let trip = presentTrip() else { return [] }
            return [
                TripEvent(
                    .edited, trip, [.set(\.name, "Renamed in \(name)"), .set(\.endDay, Day(2027, 5, number(1...20)))])
            ]
        }
    }
}
