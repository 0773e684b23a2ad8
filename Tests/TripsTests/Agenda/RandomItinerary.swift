import Foundation
import TestSupport

@testable import Trips

/// Random trips around the instants at which clocks somewhere do odd things. No coordinates: distances are no matter of the model.
struct RandomItinerary {
    private var generator: SeededGenerator
    /// Who may travel.
    private var people: [Traveller.ID] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A zone, and an instant in seconds near which its clocks change: over the date line, by half an hour, at midnight, twice a day.
    private static let oddities: [(zone: String, seconds: Int64)] = [
        // A day that did not exist.
        ("Pacific/Apia", 1_325_239_200), ("Pacific/Fakaofo", 1_325_242_800), ("Pacific/Kwajalein", 745_934_400),
        // Half an hour.
        ("Australia/Lord_Howe", 1_696_087_800), ("Australia/Lord_Howe", 1_712_415_600),
        ("Asia/Kolkata", 1_711_810_800), ("Asia/Kathmandu", 504_901_800),
        // At midnight, and at a minute past it.
        ("America/Sao_Paulo", 1_541_300_400), ("America/Sao_Paulo", 1_550_368_800), ("America/St_Johns", 1_289_097_060),
        ("Asia/Amman", 1_459_461_600), ("America/Havana", 1_489_294_800),
        // Two hours; and winter time as the exception.
        ("Antarctica/Troll", 1_711_846_800), ("Europe/Dublin", 1_711_846_800), ("Europe/Lisbon", 1_698_541_200),
        ("America/New_York", 1_710_054_000), ("Pacific/Honolulu", 1_325_239_200), ("Asia/Tokyo", 1_325_239_200),
        ("Pacific/Kiritimati", 1_325_239_200), ("Etc/GMT+12", 1_325_239_200),
    ]

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func isLucky(_ of: Int) -> Bool { number(1...of) == 1 }

    /// Some of the people, each with that chance of being left out.
    private mutating func some(_ of: Int) -> Set<Traveller.ID> { Set(people.filter { _ in !isLucky(of) }) }

    /// Trips with their items, and a range of days that holds some of them.
    mutating func plans() -> (plans: [Agenda.Plan], days: ClosedRange<Day>) {
        let anchor = Self.oddities[number(0...Self.oddities.count - 1)]
        let day = Moment(milliseconds: anchor.seconds * 1_000, zone: "UTC").localDay
        let plans = (0..<number(1...3)).map { _ in plan(anchor, day) }
        let first = day.advanced(by: number(-9...3))
        return (plans, first...first.advanced(by: number(0...12)))
    }

    /// Those of a trip: of all kinds of items, of a kind, of a category.
    mutating func budgets(of trip: Trip) -> [Budget] {
        (0..<number(0...3)).map { _ in
            let amount = Money(minorUnits: Int64(number(0...20_000)), isLucky(4) ? "JPY" : "EUR")
            return Budget(amount, for: ["", "food", "Food", "lodging"][number(0...3)], in: trip.id)
        }
    }

    private mutating func plan(_ anchor: (zone: String, seconds: Int64), _ day: Day) -> Agenda.Plan {
        people = (0..<number(0...3)).map { _ in .new(at: .distantPast, using: &generator) }
        let first = day.advanced(by: number(-6...0))
        var trip = Trip(id: .new(at: .distantPast, using: &generator), name: "Trip")
        if !isLucky(4) { trip.startDay = first }
        if !isLucky(4) { trip.endDay = first.advanced(by: number(-1...10)) }
        trip.travellers = some(3)
        let items = (0..<number(0...9)).map { _ in item(anchor, day, in: trip.id) }
        return (isLucky(5) ? nil : trip, items)
    }

    private mutating func moment(_ milliseconds: Int64, _ anchor: (zone: String, seconds: Int64)) -> Moment {
        let zone = isLucky(2) ? anchor.zone : Self.oddities[number(0...Self.oddities.count - 1)].zone
        // As in a feed, which tells no place.
        return Moment(milliseconds: milliseconds, zone: isLucky(6) ? "UTC" : zone)
    }

    private mutating func item(
        _ anchor: (zone: String, seconds: Int64), _ day: Day, in trip: Trip.ID
    ) -> TripItem {
        switch number(0...2) {
        case 0: .activity(filled(anchor, day, trip))
        case 1: .lodging(stay(anchor, day, trip))
        default: .transportation(journey(anchor, day, trip))
        }
    }

    /// Some by car, which for over a day one only has.
    private mutating func journey(
        _ anchor: (zone: String, seconds: Int64), _ day: Day, _ trip: Trip.ID
    ) -> Transportation {
        var journey: Transportation = filled(anchor, day, trip)
        if isLucky(3) { journey.mode = .car }
        return journey
    }

    /// Some have a check-in and a check-out, with times and days of their own or without.
    private mutating func stay(_ anchor: (zone: String, seconds: Int64), _ day: Day, _ trip: Trip.ID) -> Lodging {
        var stay: Lodging = filled(anchor, day, trip)
        if isLucky(2) { return stay }
        if isLucky(2) { (stay.start, stay.startDay) = (nil, nil) }
        if isLucky(2) { (stay.end, stay.endDay) = (nil, nil) }
        let start = anchor.seconds * 1_000 + Int64(number(-6 * 1_440...6 * 1_440)) * 60_000
        if !isLucky(4) { stay.checkIn = moment(start, anchor) }
        if !isLucky(4) { stay.checkOut = moment(start + Int64(number(-100...9_000)) * 60_000, anchor) }
        return stay
    }

    private mutating func filled<Kind>(
        _ anchor: (zone: String, seconds: Int64), _ day: Day, _ trip: Trip.ID
    ) -> Item<Kind> {
        let name = isLucky(9) ? "Rental" : "Item"
        var item = Item<Kind>(id: .new(at: .distantPast, using: &generator), name: name, in: trip)
        // By whole minutes, and often at the very instant or at midnight there.
        var start = anchor.seconds * 1_000 + Int64(number(-6 * 1_440...6 * 1_440)) * 60_000
        if isLucky(4) { start = anchor.seconds * 1_000 + Int64(number(-2...2)) * 1_800_000 }
        let length = [number(0...600), number(0...600), number(0...3_000), number(-100...20_000)][number(0...3)]
        if !isLucky(6) { item.start = moment(start, anchor) }
        if !isLucky(6) { item.end = moment(start + Int64(length) * 60_000, anchor) }
        if isLucky(4) || item.start == nil && isLucky(2) { item.startDay = day.advanced(by: number(-5...5)) }
        if isLucky(4) || item.end == nil && isLucky(2) { item.endDay = day.advanced(by: number(-5...9)) }
        item.stage = [.planned, .planned, .booked, .idea, .cancelled, .done][number(0...5)]
        if !isLucky(5) { item.cost = Money(minorUnits: Int64(number(-500...9_999)), isLucky(4) ? "JPY" : "EUR") }
        item.paid = [.none, .deposit, .inFull][number(0...2)]
        if isLucky(3) { item.paidAmount = Money(minorUnits: Int64(number(0...500)), isLucky(4) ? "USD" : "EUR") }
        item.category = ["", "", "food", "Food", "museums"][number(0...4)]
        share(&item)
        return item
    }

    private mutating func share<Kind>(_ item: inout Item<Kind>) {
        if isLucky(2) { item.participants = some(2) }
        if !isLucky(4) { item.payer = people.randomElement(using: &generator) }
        let some = some(3)
        switch number(0...3) {
        case 0: item.split = .byParts(Dictionary(uniqueKeysWithValues: some.sorted().map { ($0, number(0...4)) }))
        case 1:
            let amounts = some.sorted().map { person in
                (person, Money(minorUnits: Int64(number(-50...6_000)), isLucky(6) ? "JPY" : "EUR"))
            }
            item.split = .byAmounts(Dictionary(uniqueKeysWithValues: amounts))
        default: break
        }
    }
}
