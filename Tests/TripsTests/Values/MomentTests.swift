import Foundation
import Testing

@testable import Trips

@Suite("Moments")
struct MomentTests {
    private static func milliseconds(_ day: Day, _ hour: Int = 0, _ minute: Int = 0) -> Int64 {
        Int64((day.daysSince1970 * 24 + hour) * 60 + minute) * 60_000
    }

    @Test(
        "The text of a moment is the time that clocks show there, with its offset",
        arguments: [
            ("Europe/Lisbon", "2027-05-01T09:30:00+01:00"), ("UTC", "2027-05-01T08:30:00Z"),
            ("America/New_York", "2027-05-01T04:30:00-04:00"), ("America/St_Johns", "2027-05-01T06:00:00-02:30"),
            ("Asia/Kathmandu", "2027-05-01T14:15:00+05:45"), ("Pacific/Kiritimati", "2027-05-01T22:30:00+14:00"),
            ("Pacific/Pago_Pago", "2027-04-30T21:30:00-11:00"), ("Asia/Tokyo", "2027-05-01T17:30:00+09:00"),
        ])
    func text(zone: String, text: String) {
        let moment = Moment(milliseconds: Self.milliseconds(Day(2027, 5, 1), 8, 30), zone: zone)
        #expect(moment.localISO8601 == text)
        #expect(moment.description == "\(text) \(zone)")
        #expect(moment.timeZone != nil)
    }

    @Test(
        "Milliseconds are written if there are any, before 1970 too",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (5, "1970-01-01T00:00:00.005Z"), (1_500, "1970-01-01T00:00:01.500Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (-1_000, "1969-12-31T23:59:59Z"),
            (-86_400_001, "1969-12-30T23:59:59.999Z"),
            (.max, "292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
        ] as [(Int64, String)])
    func fractions(milliseconds: Int64, text: String) {
        #expect(Moment(milliseconds: milliseconds, zone: "UTC").localISO8601 == text)
    }

    @Test(
        "In a zone that this platform does not know, a moment shows UTC and keeps the zone's name",
        arguments: ["Mars/Olympus", "", "Europe/Lisbon ", "Asia/\u{212A}olkata", "Asia/Kolkata\0"])
    func unknownZones(zone: String) {
        // Queried first: Foundation accepts more names for a zone that it has used.
        #expect(Moment(milliseconds: 0, zone: "Asia/Kolkata").timeZone != nil)
        let moment = Moment(milliseconds: Self.milliseconds(Day(2027, 5, 1), 23, 59), zone: zone)
        #expect(moment.timeZone == nil)
        #expect(moment.localISO8601 == "2027-05-01T23:59:00Z")
        #expect(moment.description == "2027-05-01T23:59:00Z \(zone)")
        #expect(moment.localDay == Day(2027, 5, 1))
        #expect(Moment.decoded(moment.encodedValue ?? []) == moment)
    }

    @Test(
        "The local day is the one of the calendar on the wall there",
        arguments: [
            ("UTC", Day(2027, 5, 1)), ("Europe/Lisbon", Day(2027, 5, 2)), ("America/New_York", Day(2027, 5, 1)),
            ("Pacific/Kiritimati", Day(2027, 5, 2)), ("Pacific/Pago_Pago", Day(2027, 5, 1)),
        ])
    func localDays(zone: String, day: Day) {
        #expect(Moment(milliseconds: Self.milliseconds(Day(2027, 5, 1), 23, 30), zone: zone).localDay == day)
    }

    @Test("Beyond the range of days, the local day is its nearest end")
    func farLocalDays() {
        #expect(Moment(milliseconds: .min, zone: "UTC").localDay == .first)
        #expect(Moment(milliseconds: .max, zone: "UTC").localDay == .last)
        let end = Moment.representable.upperBound
        #expect(Moment(milliseconds: end, zone: "Pacific/Kiritimati").localDay == .last)
    }

    @Test("What can be represented is the years 1 to 9999 to the millisecond")
    func representable() {
        #expect(Moment.representable.lowerBound == Self.milliseconds(.first))
        #expect(Moment.representable.upperBound == Self.milliseconds(.last) + 86_399_999)
    }

    @Test(
        "A date is rounded to the nearest millisecond, and its far ends are those of 64 bits",
        arguments: [
            (0.0014, 1), (0.0016, 2), (-0.0014, -1), (-0.0016, -2), (1_809_160_200.25, 1_809_160_200_250),
            (.nan, 0), (.infinity, .max), (-.infinity, .min), (1e30, .max), (-1e30, .min),
        ] as [(Double, Int64)])
    func dates(seconds: Double, milliseconds: Int64) {
        #expect(Moment(Date(timeIntervalSince1970: seconds), "UTC").milliseconds == milliseconds)
    }

    @Test("A moment's date is its instant, whatever the zone", arguments: ["UTC", "Asia/Tokyo", "Mars/Olympus"])
    func instants(zone: String) {
        let moment = Moment(milliseconds: 1_809_160_200_250, zone: zone)
        #expect(moment.date == Date(timeIntervalSince1970: 1_809_160_200.25))
        #expect(Moment(moment.date, zone) == moment)
    }

    @Test("The same instant in two zones is two moments")
    func equality() {
        #expect(Moment(milliseconds: 1, zone: "UTC") != Moment(milliseconds: 1, zone: "Europe/Lisbon"))
        #expect(Moment(milliseconds: 1, zone: "UTC") != Moment(milliseconds: 2, zone: "UTC"))
    }
}
