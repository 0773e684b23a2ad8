import Foundation
import Testing
import TripStore

@testable import TripFormats

/// A fortnight of two people in three countries, over the date line, with a shared car and times of a feed.
@Suite("One answer to when something is")
struct OneAnswerTests {
    private static func moment(_ text: String, _ zone: String) throws -> Moment { try Moment(parsing: text, in: zone) }

    private static func items() throws -> [TripItem] {
        let (tokyo, honolulu, angeles) = ("Asia/Tokyo", "Pacific/Honolulu", "America/Los_Angeles")
        var inn = Lodging(name: "Inn", in: nil, days: Day(2027, 5, 2)...Day(2027, 5, 6))
        (inn.checkIn, inn.checkOut) = (try moment("2027-05-02T15:00", tokyo), try moment("2027-05-06T10:00", tokyo))
        var car = Transportation(
            name: "Car", mode: .car, in: nil, from: try moment("2027-05-07T12:00", honolulu),
            until: try moment("2027-05-10T09:00", honolulu))
        car.address = Address(city: "Honolulu")
        return [
            .transportation(
                Transportation(
                    name: "Out", mode: .plane, in: nil, from: try moment("2027-05-01T11:00", "Europe/Berlin"),
                    until: try moment("2027-05-02T07:00", tokyo))),
            .lodging(inn),
            .activity(Activity(name: "Feed", in: nil, from: try moment("2027-05-03T22:30", "UTC"))),
            .activity(Activity(name: "Call", in: nil, from: try moment("2027-05-04T20:00", "Europe/Berlin"))),
            .transportation(
                Transportation(
                    name: "East", mode: .plane, in: nil, from: try moment("2027-05-07T00:30", tokyo),
                    until: try moment("2027-05-06T12:30", honolulu))),
            .transportation(car),
            .lodging(Lodging(name: "Beach", in: nil, days: Day(2027, 5, 6)...Day(2027, 5, 10))),
            .activity(
                Activity(
                    name: "Luau", in: nil, from: try moment("2027-05-08T18:00", honolulu),
                    until: try moment("2027-05-09T00:00", honolulu))),
            .transportation(
                Transportation(
                    name: "On", mode: .plane, in: nil, from: try moment("2027-05-10T13:00", honolulu),
                    until: try moment("2027-05-10T21:00", angeles))),
            .activity(Activity(name: "Festival", in: nil, days: Day(2027, 5, 11)...Day(2027, 5, 12))),
        ]
    }

    @Test("The agenda and the itinerary have each beginning and each end on one day, with one clock")
    func sameDays() throws {
        let trip = Trip(name: "World", days: Day(2027, 5, 1)...Day(2027, 5, 14))
        let items = try Self.items()
        var agenda: Set<String> = []
        for entry in Agenda(of: (trip, items)).entries {
            if entry.role != .ends {
                agenda.insert("\(entry.item.name) \(entry.day) begins \(entry.begins?.clock ?? "")")
            }
        }
        for section in Itinerary(trip, items).sections where section.days.count == 1 {
            for entry in section.entries {
                guard [.whole, .checkIn, .pickUp].contains(entry.part) else { continue }
                let line = "\(entry.item.name) \(section.days.lowerBound) begins \(entry.course.begins?.clock ?? "")"
                #expect(agenda.contains(line), "\(line) of \(agenda.sorted())")
            }
        }
        #expect(agenda.contains("Feed 2027-05-04 begins 07:30") && agenda.contains("Call 2027-05-05 begins 03:00"))
        #expect(agenda.contains("Inn 2027-05-02 begins 15:00") && agenda.contains("East 2027-05-07 begins 00:30"))
        #expect(agenda.contains("Luau 2027-05-08 begins 18:00") && !agenda.contains { $0.hasPrefix("Luau 2027-05-09") })
    }

    @Test("Nothing overlaps the car, and only nights without a bed are found")
    func findings() throws {
        let trip = Trip(name: "World", days: Day(2027, 5, 1)...Day(2027, 5, 12))
        let found = Agenda(of: (trip, try Self.items())).findings
        #expect(found.map(\.problem) == [.noBed] && found.first?.days == Day(2027, 5, 10)...Day(2027, 5, 11))
    }

    @Test("A calendar has the instants of the agenda, and days until that of leaving")
    func calendar() throws {
        let document = TripDocument(
            contents: TripContents(trip: Trip(name: "World"), items: try Self.items()))
        var calendar = TripCalendar(name: "World")
        calendar.entries = [TripCalendar.Entry(document: document, sequences: [:])]
        let text = calendar.text().text
        for lines in [
            "DTSTART;TZID=Asia/Tokyo:20270502T150000\r\nDTEND;TZID=Asia/Tokyo:20270506T100000",
            "DTSTART;VALUE=DATE:20270506\r\nDTEND;VALUE=DATE:20270510",
            "DTSTART;VALUE=DATE:20270511\r\nDTEND;VALUE=DATE:20270513", "DTSTART:20270503T223000Z",
        ] { #expect(text.contains(lines + "\r\n"), "\(lines)") }
    }

    @Test("A page picks the car up and gives it back, and names places before zones")
    func page() async throws {
        let document = TripDocument(
            contents: TripContents(trip: Trip(name: "World"), items: try Self.items()))
        let html = try await ItineraryPage.html(document).html
        #expect(html.contains("Pick-up: <bdi>Car</bdi>") && html.contains("Return: <bdi>Car</bdi>"))
        #expect(!html.contains("On the way: <bdi>Car</bdi>") && html.contains("Check-in: <bdi>Inn</bdi>"))
        #expect(html.contains("(20:00 Berlin time)"))
    }

    @Test("A page says once that the times of a feed are in UTC")
    func placeless() async throws {
        let flight = Transportation(
            name: "ZZ 711", mode: .plane, in: nil, from: try Self.moment("2027-05-02T09:35", "UTC"),
            until: try Self.moment("2027-05-02T23:15", "UTC"))
        let contents = TripContents(trip: Trip(name: "Tokyo"), items: [.transportation(flight)])
        let html = try await ItineraryPage.html(TripDocument(contents: contents)).html
        #expect(html.components(separatedBy: "<span class=\"zone\">UTC</span>").count == 2)
        #expect(!html.contains("(UTC)") && !html.contains("UTC time"))
    }
}
