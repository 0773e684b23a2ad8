import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Moments on other days")
struct ShiftedMomentTests {
    private static func moment(_ text: String, _ zone: String = "Europe/Lisbon") throws -> Moment {
        try Moment(parsing: text, in: zone)
    }

    @Test(
        "Local time stays over a change of clocks, in both directions",
        arguments: [
            ("2027-03-27T09:30", 1, "2027-03-28T09:30:00+01:00"), ("2027-03-28T09:30", -1, "2027-03-27T09:30:00Z"),
            ("2027-10-30T23:15", 1, "2027-10-31T23:15:00Z"), ("2027-05-01T10:05", 366, "2028-05-01T10:05:00+01:00"),
            ("2027-05-01T10:05:07.250", 0, "2027-05-01T10:05:07.250+01:00"),
        ])
    func localTime(start: String, days: Int, end: String) throws {
        #expect(try Self.moment(start).advanced(byDays: days).localISO8601 == end)
    }

    @Test("A time that clocks skip is counted from before the gap; of one that they show twice the offset stays")
    func changes() throws {
        // Lisbon skips 01:00 to 02:00 on 28 March, and shows 01:00 to 02:00 twice on 31 October.
        #expect(try Self.moment("2027-03-27T01:30").advanced(byDays: 1).localISO8601 == "2027-03-28T02:30:00+01:00")
        #expect(try Self.moment("2027-10-30T01:30").advanced(byDays: 1).localISO8601 == "2027-10-31T01:30:00+01:00")
        #expect(try Self.moment("2027-11-01T01:30").advanced(byDays: -1).localISO8601 == "2027-10-31T01:30:00Z")
    }

    @Test("Where the zone is not known, a day has 24 hours; beyond the calendar nothing traps")
    func extremes() {
        let unknown = Moment(milliseconds: 1000, zone: "Atlantis/Capital")
        #expect(unknown.advanced(byDays: 2).milliseconds == 2 * 86_400_000 + 1000)
        for milliseconds in [Int64.min, .max, 0] {
            for days in [Int.min, .max, -1, 1] {
                for zone in ["UTC", "Pacific/Apia", "Atlantis/Capital"] {
                    _ = Moment(milliseconds: milliseconds, zone: zone).advanced(byDays: days)
                }
            }
        }
    }

    @Test("Shifting there and back is nothing, unless clocks skip the time", arguments: Seeds.some(10))
    func thereAndBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let zones = ["Europe/Lisbon", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo"]
        for _ in 0..<300 {
            let moment = Moment(
                milliseconds: Int64.random(in: 1_700_000_000...1_900_000_000, using: &generator) * 1000,
                zone: zones.randomElement(using: &generator) ?? "UTC")
            let days = Int.random(in: -800...800, using: &generator)
            let moved = moment.advanced(byDays: days)
            #expect(moment.localDay.advanced(by: days) == moved.localDay)
            let clock = { (moment: Moment) in moment.localISO8601.dropFirst(11).prefix(8) }
            if clock(moved) == clock(moment) {
                #expect(clock(moved.advanced(byDays: -days)) == clock(moment))
            }
        }
    }
}
