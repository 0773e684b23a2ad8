import Testing

@testable import Trips

@Suite("By which clocks travellers live")
struct TripClocksTests {
    private static func moment(_ text: String) throws -> Moment {
        let parts = text.split(separator: " ")
        return try Moment(parsing: String(parts[0]), in: String(parts[1]))
    }

    private static func flight(_ name: String, _ start: String, _ end: String) throws -> TripItem {
        .transportation(
            Transportation(name: name, mode: .plane, in: nil, from: try moment(start), until: try moment(end)))
    }

    private static func activity(_ name: String, _ start: String, at place: String = "") throws -> TripItem {
        var activity = Activity(name: name, in: nil, from: try moment(start))
        activity.customLocationName = place
        return .activity(activity)
    }

    private static func stay(_ name: String, _ start: String, _ end: String) throws -> TripItem {
        .lodging(Lodging(name: name, in: nil, from: try moment(start), until: try moment(end)))
    }

    /// When the first item begins, and when it ends, in their order.
    private static func clocks(_ items: [TripItem]) -> [String] {
        let course = ItemCourse(items[0], TripClocks(items))
        return [course.begins, course.ends].compactMap { $0?.description }
    }

    @Test("A flight with times in UTC leads to an unknown place, and what is noted there has its own clock")
    func feed() throws {
        let items = [
            try Self.activity("Breakfast", "2027-05-04T07:00 Asia/Tokyo"),
            try Self.activity("Farewell", "2027-05-01T20:00 Europe/Berlin"),
            try Self.flight("ZZ 711", "2027-05-02T09:35 UTC", "2027-05-02T23:15 UTC"),
        ]
        #expect(Self.clocks(items) == ["2027-05-04T07:00:00+09:00 Asia/Tokyo"])
        // The train before it leads somewhere, and the flight away from there.
        let train = try Self.flight("Train", "2027-05-01T08:00 Europe/Berlin", "2027-05-01T10:00 Europe/Paris")
        #expect(Self.clocks(items + [train]) == ["2027-05-04T07:00:00+09:00 Asia/Tokyo"])
        #expect(Self.clocks([items[2]]) == ["2027-05-02T09:35:00Z UTC", "2027-05-02T23:15:00Z UTC"])
    }

    @Test("An instant without a place is shown by the clocks of the stay, or of where one gets next")
    func placeless() throws {
        let dinner = try Self.activity("Dinner", "2027-05-04T10:00 UTC")
        let flight = try Self.flight("ZZ 711", "2027-05-02T09:35 Etc/UTC", "2027-05-02T23:15 GMT")
        let stay = try Self.stay("Ryokan", "2027-05-03T15:00 Asia/Tokyo", "2027-05-08T10:00 Asia/Tokyo")
        #expect(Self.clocks([dinner, flight, stay]) == ["2027-05-04T19:00:00+09:00 Asia/Tokyo"])
        #expect(
            Self.clocks([flight, stay]) == [
                "2027-05-02T09:35:00Z Etc/UTC", "2027-05-03T08:15:00+09:00 Asia/Tokyo",
            ])
        #expect(Self.clocks([dinner]) == ["2027-05-04T10:00:00Z UTC"])
    }

    @Test("A journey and a stay have their own clocks, whatever came before")
    func own() throws {
        let first = try Self.flight("SIN", "2027-05-02T09:15 Asia/Singapore", "2027-05-02T08:15 America/Los_Angeles")
        let second = try Self.flight("HND", "2027-05-11T19:53 Asia/Tokyo", "2027-05-11T18:59 America/New_York")
        #expect(
            Self.clocks([second, first]) == [
                "2027-05-11T19:53:00+09:00 Asia/Tokyo", "2027-05-11T18:59:00-04:00 America/New_York",
            ])
        let stay = try Self.stay("Ryokan", "2027-05-08T15:00 Asia/Tokyo", "2027-05-11T10:00 Asia/Tokyo")
        #expect(Self.clocks([stay, first]).first == "2027-05-08T15:00:00+09:00 Asia/Tokyo")
        // The way to Tokyo was not entered. What is noted by the clock there is there, and so is what follows a departure.
        let dinner = try Self.activity("Dinner", "2027-05-09T19:00 Asia/Tokyo")
        #expect(Self.clocks([dinner, first, second]) == ["2027-05-09T19:00:00+09:00 Asia/Tokyo"])
        #expect(Self.clocks([dinner, first]) == ["2027-05-09T03:00:00-07:00 America/Los_Angeles"])
        #expect(Self.clocks([dinner, first, stay]) == ["2027-05-09T19:00:00+09:00 Asia/Tokyo"])
        let onBoard = try Self.activity("Film", "2027-05-11T12:00 UTC")
        #expect(Self.clocks([onBoard, first, second]) == ["2027-05-11T21:00:00+09:00 Asia/Tokyo"])
    }

    @Test("An activity that names its place has the clock there")
    func places() throws {
        let flight = try Self.flight("TP", "2027-05-01T08:00 Europe/Berlin", "2027-05-01T10:00 Europe/Lisbon")
        let dinner = try Self.activity("Dinner", "2027-05-02T21:00 Europe/Madrid", at: "Badajoz")
        #expect(Self.clocks([dinner, flight]) == ["2027-05-02T21:00:00+02:00 Europe/Madrid"])
        let call = try Self.activity("Call", "2027-05-02T21:00 Europe/Madrid")
        #expect(Self.clocks([call, flight]) == ["2027-05-02T20:00:00+01:00 Europe/Lisbon"])
    }

    @Test(
        "A local time without a zone is read where those who travel are then",
        arguments: [
            ("2027-05-03T19:00", "Asia/Tokyo"), ("2027-05-02T07:30", "Asia/Tokyo"),
            ("2027-05-01T08:00", "Europe/Berlin"),
            ("2027-05-08T10:00", "Asia/Tokyo"), ("2027-05-09T12:00", "Europe/Berlin"),
            ("2027-04-01T12:00", "Europe/Berlin"),
            ("noon", nil),
        ] as [(String, String?)])
    func reading(text: String, zone: String?) throws {
        let items = [
            try Self.flight("Out", "2027-05-01T11:00 Europe/Berlin", "2027-05-02T07:00 Asia/Tokyo"),
            try Self.flight("Back", "2027-05-08T11:00 Asia/Tokyo", "2027-05-08T16:00 Europe/Berlin"),
        ]
        #expect(TripClocks(items).zone(reading: text) == zone)
    }

    @Test(
        "Where nothing leads anywhere a local time is read in the zone of the nearest item, and of a trip without any in none"
    )
    func nearest() throws {
        let items = [
            try Self.activity("Fado", "2027-05-02T21:00 Europe/Lisbon"),
            try Self.activity("Tapas", "2027-05-05T21:00 Europe/Madrid"),
            try Self.activity("Feed", "2027-05-04T21:00 UTC"),
        ]
        #expect(TripClocks(items).zone(reading: "2027-05-03T10:00") == "Europe/Lisbon")
        #expect(TripClocks(items).zone(reading: "2027-05-05T10:00") == "Europe/Madrid")
        #expect(TripClocks([items[2]]).zone(reading: "2027-05-05T10:00") == nil)
    }

    @Test("Some alone who journey or stay elsewhere have clocks of their own")
    func people() throws {
        let (ana, ben) = (Traveller.ID.new(), Traveller.ID.new())
        var stay = Lodging(
            name: "Inn", in: nil, from: try Self.moment("2027-05-03T15:00 Asia/Tokyo"),
            until: try Self.moment("2027-05-08T10:00 Asia/Tokyo"))
        stay.participants = [ana]
        let clocks = TripClocks([.lodging(stay)])
        #expect(clocks.zone(reading: "2027-05-05T10:00", of: [ana]) == "Asia/Tokyo")
        var dinner = Activity(name: "Dinner", in: nil, from: try Self.moment("2027-05-04T19:00 Europe/Berlin"))
        dinner.participants = [ben]
        #expect(ItemCourse(.activity(dinner), clocks).begins?.zone == "Europe/Berlin")
        dinner.participants = [ana, ben]
        #expect(ItemCourse(.activity(dinner), clocks).begins?.zone == "Asia/Tokyo")
    }
}
