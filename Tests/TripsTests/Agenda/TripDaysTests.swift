import Testing

@testable import Trips

@Suite("Days of trips that follow their items")
struct TripDaysTests {
    private static func stay(_ first: Int, _ last: Int, _ stage: PlanningStage = .planned) -> TripItem {
        var stay = Lodging(name: "Inn", in: nil, days: Day(2027, 6, first)...Day(2027, 6, last))
        stay.stage = stage
        return .lodging(stay)
    }

    @Test(
        "An end that follows is that of the items, growing and shrinking, and one that does not stays and bounds it",
        arguments: [
            ([Self.stay(23, 27)], true, true, "23 27"), ([Self.stay(20, 22), Self.stay(28, 30)], true, true, "20 30"),
            ([Self.stay(25, 25)], true, true, "25 25"), ([Self.stay(23, 27)], false, true, "24 27"),
            ([Self.stay(23, 27)], true, false, "23 28"), ([Self.stay(29, 30)], true, false, "28 28"),
            ([Self.stay(20, 22)], false, true, "24 24"),
            ([Self.stay(1, 30, .cancelled), Self.stay(25, 26)], true, true, "25 26"),
            ([Self.stay(1, 30, .idea)], true, true, "24 28"), ([], true, true, "24 28"),
            ([.activity(Activity(name: "Open", in: nil))], true, true, "24 28"),
            ([Self.stay(1, 2)], false, false, "24 28"),
        ] as [([TripItem], Bool, Bool, String)])
    func follow(items: [TripItem], start: Bool, end: Bool, days: String) {
        var trip = Trip(name: "T", days: Day(2027, 6, 24)...Day(2027, 6, 28))
        trip.follow(items, start: start, end: end)
        #expect("\(trip.startDay?.day ?? 0) \(trip.endDay?.day ?? 0)" == days)
    }

    @Test("What ends at midnight ends on its day, and days are those of the travellers' calendar")
    func midnight() throws {
        var trip = Trip(name: "T")
        let concert = Activity(
            name: "Concert", in: nil, from: try Moment(parsing: "2027-06-24T20:00", in: "Asia/Tokyo"),
            until: try Moment(parsing: "2027-06-25T00:00", in: "Asia/Tokyo"))
        trip.follow([.activity(concert)], start: true, end: true)
        #expect(trip.startDay == Day(2027, 6, 24) && trip.endDay == Day(2027, 6, 24) && trip.dayCount == 1)
    }
}

@Suite("The order of a day")
struct CoursePartTests {
    private static func moment(_ text: String) throws -> Moment {
        try Moment(parsing: "2027-05-03T\(text)", in: "Europe/Rome")
    }

    /// The names of the entries of 3 May.
    private static func names(_ items: [TripItem]) throws -> [String] {
        let day = Day(2027, 5, 3)
        return try Agenda(day...day, of: [(nil, items)]).entries.map(\.item.name)
    }

    private static func stay(
        _ name: String, _ first: Int, _ last: Int, _ set: (inout Lodging) throws -> Void = { _ in }
    )
        rethrows -> TripItem
    {
        var stay = Lodging(name: name, in: nil, days: Day(2027, 5, first)...Day(2027, 5, last))
        try set(&stay)
        return .lodging(stay)
    }

    @Test("A check-in without a time comes behind a check-out and an arrival, and before what comes later")
    func untimed() throws {
        let old = try Self.stay("Old", 1, 3) { $0.checkOut = try Self.moment("11:00") }
        let new = try Self.stay("A new", 3, 5)
        let train = TripItem.transportation(
            Transportation(
                name: "Train", mode: .train, in: nil, from: try Self.moment("12:00"), until: try Self.moment("14:00")))
        let dinner = TripItem.activity(Activity(name: "Dinner", in: nil, from: try Self.moment("20:00")))
        #expect(try Self.names([new, old, train, dinner]) == ["Old", "Train", "A new", "Dinner"])
        #expect(try Self.names([new, train, dinner]) == ["Train", "A new", "Dinner"])
        #expect(try Self.names([new, dinner]) == ["A new", "Dinner"])
        #expect(try Self.names([new, Self.stay("Z old", 1, 3), dinner]) == ["Z old", "A new", "Dinner"])
    }

    @Test("A check-in comes behind the check-out of another stay, whatever hours the houses name")
    func hours() throws {
        let old = try Self.stay("Old", 1, 3) { $0.checkOut = try Self.moment("18:00") }
        let new = try Self.stay("New", 3, 5) { $0.checkIn = try Self.moment("14:00") }
        #expect(try Self.names([new, old]) == ["Old", "New"])
        // Of another trip nothing is known.
        var other = Lodging(name: "Other", in: .new(), from: try Self.moment("09:00"))
        other.endDay = Day(2027, 5, 4)
        #expect(try Self.names([.lodging(other), old]) == ["Other", "Old"])
    }
}
