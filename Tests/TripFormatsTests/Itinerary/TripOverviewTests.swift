import Testing
import TripStore

@testable import TripFormats

@Suite("The calendar of an itinerary")
struct TripOverviewTests {
    private static func stay(_ name: String, _ days: ClosedRange<Day>) -> TripItem {
        .lodging(Lodging(name: name, in: nil, days: days))
    }

    private static func overview(_ items: [TripItem], _ days: ClosedRange<Day>) throws -> TripOverview {
        let trip = Trip(name: "Portugal", days: days)
        return try #require(TripOverview(trip, Itinerary(trip, items)))
    }

    private static func may(_ days: ClosedRange<Int>) -> ClosedRange<Day> {
        Day(2027, 5, days.lowerBound)...Day(2027, 5, days.upperBound)
    }

    @Test("A stay begins where the one before it ends, in one lane, and goes on in the next row")
    func stays() throws {
        let overview = try Self.overview(
            [Self.stay("A", Self.may(1...4)), Self.stay("B", Self.may(4...8))], Self.may(1...8))
        #expect(overview.columns == 7 && overview.rows.map(\.first) == [Day(2027, 5, 1), Day(2027, 5, 8)])
        let (first, second) = (overview.rows[0].bars, overview.rows[1].bars)
        #expect(first.map(\.halves) == [1...6, 7...13] && first.map(\.lane) == [0, 0])
        #expect(first.map(\.continues) == [false, true] && first.map(\.isContinued) == [false, false])
        #expect(second.map(\.halves) == [0...0] && second.map(\.isContinued) == [true])
    }

    @Test("Whole days take all of theirs, and items of one day are in its list in the order of time")
    func days() throws {
        let walk = Activity(name: "Walk", in: nil, from: try Moment(parsing: "2027-05-02T15:00", in: "Europe/Lisbon"))
        let tram = Activity(name: "Tram", in: nil, from: try Moment(parsing: "2027-05-02T09:00", in: "Europe/Lisbon"))
        let festival = Activity(name: "Festival", in: nil, days: Self.may(2...3))
        let overview = try Self.overview([.activity(walk), .activity(festival), .activity(tram)], Self.may(1...3))
        #expect(overview.columns == 3 && overview.rows.count == 1)
        #expect(overview.rows[0].bars.map(\.halves) == [2...5])
        #expect(overview.rows[0].entries.mapValues { $0.map(\.item.name) } == [1: ["Tram", "Walk"]])
    }

    @Test("A night on the way is a bar from day to day; over the date line to the day before it is none")
    func journeys() throws {
        let out = Transportation(
            name: "NH 224", mode: .plane, in: nil, from: try Moment(parsing: "2027-05-01T13:35", in: "Europe/Berlin"),
            until: try Moment(parsing: "2027-05-02T09:55", in: "Asia/Tokyo"))
        let over = Transportation(
            name: "JL 74", mode: .plane, in: nil, from: try Moment(parsing: "2027-05-04T00:30", in: "Asia/Tokyo"),
            until: try Moment(parsing: "2027-05-03T13:00", in: "Pacific/Honolulu"))
        let overview = try Self.overview([.transportation(out), .transportation(over)], Self.may(1...5))
        #expect(overview.rows[0].bars.map(\.halves) == [1...2])
        #expect(overview.rows[0].entries.mapValues { $0.map(\.item.name) } == [3: ["JL 74"]])
    }

    @Test("Of many stays at one time some lanes are shown, and the others counted")
    func lanes() throws {
        let stays = (0..<9).map { Self.stay("Stay \($0)", Self.may(1...5)) }
        let overview = try Self.overview(stays, Self.may(1...5))
        #expect(overview.rows[0].bars.map(\.lane) == Array(0..<TripOverview.mostLanes) && overview.unlisted == 3)
        #expect(
            OverviewMarkup(overview, level: 2).text("t", link: { _ in nil }).contains(
                "3 other items over several days."))
    }

    @Test("Weeks in which nothing begins or ends are one line, also of centuries, and days before the trip have a row")
    func quiet() throws {
        let visa = Activity(name: "Visa", in: nil, days: Day(2027, 4, 25)...Day(2027, 4, 25))
        let long = Self.stay("House", Day(2027, 5, 2)...Day(2827, 5, 3))
        let overview = try Self.overview([.activity(visa), long], Self.may(1...8))
        #expect(overview.rows.map(\.first) == [Day(2027, 4, 24), Day(2027, 5, 1), Day(2827, 5, 1)])
        let text = OverviewMarkup(overview, level: 2).text("t", link: { "\($0)" })
        #expect(
            text.contains("<p class=\"soft\">Sat 8 May 2027 – ") && text.contains("2827: nothing begins or ends.</p>"))
        #expect(text.contains("<li class=\"b3\"><p class=\"date\"><a href=\"#2027-04-25\">Sun 25 Apr</a></p>"))
        #expect(
            text.contains("<li class=\"stay b4 s11 r1 to\">") && text.contains("<li class=\"stay b1 s5 r1 from\">"))
        // The day before the first one is none of the trip.
        #expect(!text.contains("24 Apr"))
    }

    @Test("A trip of one day, or without anything planned, has no calendar")
    func none() {
        for days in [Self.may(1...1), Self.may(1...9)] {
            let trip = Trip(name: "T", days: days)
            #expect(TripOverview(trip, Itinerary(trip, [])) == nil)
        }
    }

    @Test("Names are text, and what an item is and its days are said without colours")
    func markup() throws {
        var idea = Activity(name: "<b>\" onclick=\"x", in: nil, days: Self.may(2...2))
        idea.stage = .idea
        let overview = try Self.overview([Self.stay("A & <i>", Self.may(1...3)), .activity(idea)], Self.may(1...3))
        let text = OverviewMarkup(overview, level: 2).text("t", link: { _ in nil })
        #expect(text.contains("<div class=\"week n6 l1\">"))
        #expect(
            text.contains(
                "<li class=\"stay b2 s4 r1\"><bdi>A &amp; &lt;i&gt;</bdi><span class=\"spoken\">, Sat 1 – Mon 3 May 2027</span></li>"
            ))
        #expect(text.contains("<li class=\"activity idea\"><bdi>&lt;b&gt;&quot; onclick=&quot;x</bdi></li>"))
        #expect(!text.contains("style=") && text.contains("<h2 class=\"day-title\" id=\"t-overview\">Overview</h2>"))
    }
}
