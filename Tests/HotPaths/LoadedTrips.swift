import Foundation
import TripStore

/// Commits for a load: of equal size, and almost free to make.
enum LoadedTrips {
    private static let trip = TripEvent.created(
        Trip(
            id: id(0), name: "Lisbon and the coast", destination: "Lisbon, Portugal", startDay: Day(2027, 5, 1),
            endDay: Day(2027, 5, 9)))
    private static let item = TripEvent.created(
        Activity(
            id: id(0), name: "Museum of modern art", in: id(0),
            from: Moment(milliseconds: 1_809_252_000_000, zone: "Europe/Lisbon"),
            until: Moment(milliseconds: 1_809_259_200_000, zone: "Europe/Lisbon"),
            cost: Money(minorUnits: 1200, Currency(unchecked: "EUR"))))

    /// 100 events: ten trips, each with four items and five edits.
    static func commit(_ number: Int) -> [TripEvent] {
        var events: [TripEvent] = []
        events.reserveCapacity(100)
        for place in 0..<10 {
            let trip: Trip.ID = id(UInt64(number * 10 + place + 1) << 8)
            events.append(Self.trip.on(trip.reference))
            let belongs = TripEvent(.edited, Activity.ID.new(), [.set(\.trip, trip)]).writes[0]
            for item in UInt64(1)...4 {
                let id: Activity.ID = id(UInt64(number * 10 + place + 1) << 8 | item)
                var event = Self.item.on(id.reference)
                for index in event.writes.indices where event.writes[index].field == belongs.field {
                    event.writes[index] = belongs
                }
                events.append(event)
                events.append(TripEvent(.edited, id, [.set(\.notes, "Closed on Mondays")]))
            }
            events.append(TripEvent(.edited, trip, [.set(\.notes, "By train, if it runs")]))
        }
        return events
    }

    private static func id<Entity: TripEntity>(_ number: UInt64) -> Identifier<Entity> {
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for index in bytes.indices { bytes[index] = 0 }
            // As in UUIDs of version 7: the time first, then the distinguishing bits.
            bytes.storeBytes(of: (0x0190_0000_0000_0000 + number << 16 | 0x7000).bigEndian, as: UInt64.self)
            bytes.storeBytes(of: (0x8000_0000_0000_0000 | number).bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return Identifier(UUID(uuid: bytes))
    }
}

extension TripEvent {
    fileprivate func on(_ entity: EntityReference) -> TripEvent {
        var event = self
        event.entity = entity
        return event
    }
}
