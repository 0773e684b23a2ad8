import Foundation
public import TripStore

/// Realistic trips without end, the same for the same seed: each a trip with five items, then four edits of entities
/// created among the last 1,000 trips. Ten events a trip.
public struct TripGenerator: Sendable {
    /// Events of a trip: six creations and four edits.
    public static let eventsPerTrip = 10
    private static let editsPerTrip = 4
    /// The number of newest trips that edits choose from.
    private static let recentTrips = 1_000
    /// The same in events.
    static let recentEvents = recentTrips * eventsPerTrip
    /// 2024-01-01, when the first trip is entered.
    private static let beginning = 1_704_067_200_000

    /// One step: a new trip, and edits of earlier ones.
    public struct Step: Sendable {
        public let plan: TripPlan
        public let edits: [PlannedEdit]

        public var events: [TripEvent] { plan.events + edits.map(\.event) }
    }

    /// What an edit must know of its entity.
    private struct Recent: Sendable {
        let entities: [EntityReference]
        let name: String
        let times: [(start: Moment, end: Moment)]
        let currency: Currency
    }

    private var numbers: SeededNumbers
    private let phrases: Phrases
    private var recent: [Recent] = []
    /// How many trips there are so far.
    public private(set) var tripCount = 0
    /// The airlines of the flights, in the order of their codes: to be created before the first trip.
    public let organizations: [Organization]

    /// The same trips for the same seed. With `tripCount` the ids continue after that many trips of another generator.
    public init(seed: UInt64 = 1, after tripCount: Int = 0) {
        self.tripCount = tripCount
        numbers = SeededNumbers(seed: seed)
        phrases = Phrases(seed: seed)
        let date = Date(timeIntervalSince1970: Double(Self.beginning) / 1000)
        var numbers = SeededNumbers(seed: 77)
        organizations = Phrases.airlines.map { name in
            let site = name.lowercased().filter { $0.isLetter && $0.isASCII }
            return Organization(
                id: .new(at: date, using: &numbers), name: name, phone: "+351 21 843 11 00",
                email: "service@\(site).example", website: "https://www.\(site).example")
        }
        recent.reserveCapacity(Self.recentTrips)
    }

    /// The next trip, and edits.
    public mutating func next() -> Step {
        let city = numbers.pick(City.all)
        var home = numbers.pick(City.all)
        if home.name == city.name { home = City.all[city.name == City.all[0].name ? 1 : 0] }
        // A trip is entered every half minute or so; it takes place in some day of about ten years.
        let date = Date(timeIntervalSince1970: Double(Self.beginning + tripCount * 37_000) / 1000)
        let first = Day(2024, 1, 1).advanced(by: numbers.below(3650))
        let nights = 2 + numbers.below(8)
        let trip = Trip(
            id: .new(at: date, using: &numbers), name: name(of: city, first),
            destination: "\(city.name), \(city.country)", days: first...first.advanced(by: nights), notes: notes())
        let items = items(of: trip, first, nights, from: home, to: city, date)
        remember(trip, items, city)
        tripCount += 1
        return Step(plan: TripPlan(trip: trip, items: items), edits: (0..<Self.editsPerTrip).map { _ in edit() })
    }

    private mutating func notes() -> String { numbers.pick(phrases.notes) }

    private mutating func name(of city: City, _ first: Day) -> String {
        switch numbers.below(4) {
        case 0: city.name
        case 1: "\(city.name) \(first.year)"
        case 2: "Weekend in \(city.name)"
        default: "\(city.name) with the family"
        }
    }

    private mutating func items(
        of trip: Trip, _ first: Day, _ nights: Int, from home: City, to city: City, _ date: Date
    ) -> [TripItem] {
        let start = first.daysSince1970 * 86_400_000
        let end = start + nights * 86_400_000
        let out = start + hours(6, 14)
        let back = end + hours(10, 20)
        return [
            .transportation(flight(trip.id, from: home, to: city, out, date)),
            .lodging(lodging(trip.id, city, start + 15 * 3_600_000, end + 11 * 3_600_000, nights, date)),
            .activity(activity(trip.id, city, start + hours(33, 44), date)),
            .activity(activity(trip.id, city, start + hours(33, nights * 24 - 4), date)),
            .transportation(flight(trip.id, from: city, to: home, back, date)),
        ]
    }

    /// A time of day in steps of five minutes.
    private mutating func hours(_ low: Int, _ high: Int) -> Int {
        (low * 12 + numbers.below((high - low) * 12)) * 300_000
    }

    private mutating func flight(
        _ trip: Trip.ID, from: City, to: City, _ start: Int, _ date: Date
    ) -> Transportation {
        let airline = numbers.below(organizations.count)
        let duration = (8 + numbers.below(100)) * 300_000
        return Transportation(
            id: .new(at: date, using: &numbers),
            name: "\(Phrases.carrierCodes[airline]) \(100 + numbers.below(9_000)) \(from.airport)–\(to.airport)",
            mode: .plane, in: trip, from: Moment(milliseconds: Int64(start), zone: from.zone),
            until: Moment(milliseconds: Int64(start + duration), zone: to.zone), cost: money(60, 900, from.currency),
            paid: .inFull, confirmation: Phrases.code(&numbers), notes: notes(),
            organization: organizations[airline].id)
    }

    private mutating func lodging(
        _ trip: Trip.ID, _ city: City, _ start: Int, _ end: Int, _ nights: Int, _ date: Date
    ) -> Lodging {
        Lodging(
            id: .new(at: date, using: &numbers), name: "\(numbers.pick(Phrases.hotels)) \(city.name)", in: trip,
            from: Moment(milliseconds: Int64(start), zone: city.zone),
            until: Moment(milliseconds: Int64(end), zone: city.zone),
            cost: money(70 * nights, 200 * nights, city.currency),
            paid: numbers.below(2) == 0 ? .none : .deposit, reservation: Phrases.code(&numbers), notes: notes(),
            address: address(city))
    }

    private mutating func activity(_ trip: Trip.ID, _ city: City, _ start: Int, _ date: Date) -> Activity {
        let duration = (12 + numbers.below(36)) * 300_000
        let isPaid = numbers.below(3) > 0
        return Activity(
            id: .new(at: date, using: &numbers), name: numbers.pick(Phrases.activities), in: trip,
            from: Moment(milliseconds: Int64(start), zone: city.zone),
            until: Moment(milliseconds: Int64(start + duration), zone: city.zone),
            cost: isPaid ? money(5, 80, city.currency) : nil, notes: notes(),
            customLocationName: isPaid ? "" : "City centre", address: isPaid ? address(city) : nil)
    }

    private mutating func money(_ low: Int, _ high: Int, _ currency: Currency) -> Money {
        Money(minorUnits: Int64(low * 100 + numbers.below((high - low) * 100)), currency)
    }

    private mutating func address(_ city: City) -> Address {
        let north = Double(numbers.below(1_000) - 500) / 10_000
        let east = Double(numbers.below(1_000) - 500) / 10_000
        return Address(
            street: "\(numbers.pick(Phrases.streets)) \(1 + numbers.below(180))", city: city.name,
            country: city.country,
            postalCode: "\(10_000 + numbers.below(89_999))",
            coordinates: Coordinates(latitude: city.latitude + north, longitude: city.longitude + east))
    }

    // MARK: Edits

    private mutating func remember(_ trip: Trip, _ items: [TripItem], _ city: City) {
        let none = Moment(milliseconds: 0, zone: "UTC")
        let entry = Recent(
            entities: [trip.reference] + items.map(\.reference), name: trip.name,
            times: items.map { ($0.start ?? none, $0.end ?? none) }, currency: city.currency)
        if recent.count < Self.recentTrips {
            recent.append(entry)
        } else {
            recent[tripCount % Self.recentTrips] = entry
        }
    }

    private mutating func edit() -> PlannedEdit {
        let trip = recent[numbers.below(recent.count)]
        let index = numbers.below(TripPlan.entityCount)
        return PlannedEdit(
            entity: trip.entities[index], value: index == 0 ? tripValue(trip) : itemValue(trip, index - 1))
    }

    private mutating func tripValue(_ trip: Recent) -> PlannedEdit.Value {
        numbers.below(2) == 0 ? .tripName("\(trip.name), \(1 + numbers.below(9))") : .tripNotes(notes())
    }

    private mutating func itemValue(_ trip: Recent, _ item: Int) -> PlannedEdit.Value {
        switch numbers.below(10) {
        case 0..<3: return .itemNotes(notes())
        case 3..<6:
            let shift = Int64(numbers.below(24) - 12) * 300_000
            var (start, end) = trip.times[item]
            start.milliseconds += shift
            end.milliseconds += shift
            return .itemTimes(start: start, end: end)
        case 6..<8: return .itemCost(money(10, 600, trip.currency))
        case 8: return .itemPaid(.inFull)
        default: return .itemReservation(Phrases.code(&numbers))
        }
    }
}
