import Foundation
public import TripStore

/// Trips for tests and previews: cities, flights, hotels and things to do, the same for the same seed.
public struct SampleTrips {
    private var generator: SeededRandom
    private let firstDay: Day
    private var organizations: [Organization] = []

    /// `firstDay` is when the first trip may begin.
    public init(seed: UInt64 = 1, firstDay: Day = Day(2027, 1, 1)) {
        generator = SeededRandom(seed: seed)
        self.firstDay = firstDay
    }

    private static let cities: [(name: String, country: String, zone: String, currency: String)] = [
        ("Lisbon", "Portugal", "Europe/Lisbon", "EUR"), ("Porto", "Portugal", "Europe/Lisbon", "EUR"),
        ("Reykjavík", "Iceland", "Atlantic/Reykjavik", "ISK"), ("Kyōto", "Japan", "Asia/Tokyo", "JPY"),
        ("New York", "United States", "America/New_York", "USD"), ("Zürich", "Switzerland", "Europe/Zurich", "CHF"),
        ("Kathmandu", "Nepal", "Asia/Kathmandu", "NPR"), ("Auckland", "New Zealand", "Pacific/Auckland", "NZD"),
    ]
    private static let sights = [
        "Old town", "Museum of modern art", "Harbour", "Botanical garden", "Market hall", "Castle",
    ]
    private static let carriers = ["TAP Air Portugal", "Icelandair", "Swiss", "Air New Zealand"]

    /// Writes that many trips, each with its items in one commit, and returns their ids in order of days.
    ///
    /// Every trip has a flight there and back, a hotel, and one to four activities. Throws what writing them does.
    @discardableResult
    public mutating func write(_ count: Int, to store: TripStore, by authorship: Authorship = Authorship()) async throws
        -> [Trip.ID]
    {
        if organizations.isEmpty {
            organizations = Self.carriers.map { Organization(id: .new(at: Self.moment, using: &generator), name: $0) }
            // Samples of the same seed may have been written before.
            let missing = try organizations.filter { try store.entity($0.id) == nil }
            if !missing.isEmpty { try await store.append(missing.map { .created($0) }, by: authorship) }
        }
        var trips: [Trip.ID] = []
        for number in 0..<count {
            let (trip, events) = trip(number)
            try await store.append(events, by: authorship)
            trips.append(trip)
        }
        return trips
    }

    private static let moment = Date(timeIntervalSince1970: 1_767_225_600)

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func trip(_ number: Int) -> (Trip.ID, [TripEvent]) {
        let city = Self.cities[self.number(0...Self.cities.count - 1)]
        let first = firstDay.advanced(by: number * 9 + self.number(0...4))
        let last = first.advanced(by: self.number(2...7))
        let trip = Trip(
            id: .new(at: Self.moment, using: &generator), name: city.name, destination: "\(city.name), \(city.country)",
            startDay: first, endDay: last)
        var events: [TripEvent] = [.created(trip)]
        let carrier = organizations.isEmpty ? nil : organizations[self.number(0...organizations.count - 1)].id
        for (day, name) in [(first, "Flight to \(city.name)"), (last, "Flight home")] {
            var flight = Transportation(
                id: .new(at: Self.moment, using: &generator), name: name, mode: .plane, in: trip.id,
                from: moment(day, self.number(6...12), city.zone), until: moment(day, self.number(13...20), city.zone),
                cost: money(20_000...90_000, city.currency))
            flight.organization = carrier
            flight.reservation = String(format: "%06X", self.number(0...0xFFFFFF))
            events.append(.created(flight))
        }
        events.append(
            .created(
                Lodging(
                    id: .new(at: Self.moment, using: &generator), name: "Hotel \(city.name)", in: trip.id,
                    from: moment(first, 21, city.zone), until: moment(last, 5, city.zone),
                    cost: money(30_000...150_000, city.currency))))
        for _ in 0..<self.number(1...4) {
            let day = first.advanced(by: self.number(0...1))
            let hour = self.number(9...17)
            events.append(
                .created(
                    Activity(
                        id: .new(at: Self.moment, using: &generator), name: Self.sights[self.number(0...5)],
                        in: trip.id, from: moment(day, hour, city.zone), until: moment(day, hour + 2, city.zone),
                        cost: money(0...4_000, city.currency))))
        }
        return (trip.id, events)
    }

    private func moment(_ day: Day, _ hour: Int, _ zone: String) -> Moment {
        Moment(milliseconds: (Int64(day.daysSince1970) * 24 + Int64(hour)) * 3_600_000, zone: zone)
    }

    private mutating func money(_ range: ClosedRange<Int>, _ currency: String) -> Money? {
        Money(minorUnits: Int64(number(range)), Currency(unchecked: currency))
    }
}

extension TripStore {
    /// A temporary store with sample trips, for tests and previews. It is removed with the store.
    public static func sample(trips: Int = 12, seed: UInt64 = 1, options: Options = Options()) async throws -> TripStore
    {
        let store = try await temporary(options: options)
        var samples = SampleTrips(seed: seed)
        try await samples.write(trips, to: store)
        return store
    }
}
