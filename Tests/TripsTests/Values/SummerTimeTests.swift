import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Times when clocks change")
struct SummerTimeTests {
    @Test(
        "A time that clocks skip is counted from before the gap",
        arguments: [
            ("2027-03-28T01:00", "Europe/Lisbon", "2027-03-28T02:00:00+01:00"),
            ("2027-03-28T01:30", "Europe/Lisbon", "2027-03-28T02:30:00+01:00"),
            ("2027-03-28T01:59:59.999", "Europe/Lisbon", "2027-03-28T02:59:59.999+01:00"),
            ("2027-03-14T02:30", "America/New_York", "2027-03-14T03:30:00-04:00"),
            ("2027-10-03T02:15", "Australia/Lord_Howe", "2027-10-03T02:45:00+11:00"),
            // The day that Samoa left out when it changed sides.
            ("2011-12-30T12:00", "Pacific/Apia", "2011-12-31T12:00:00+14:00"),
        ])
    func gaps(text: String, zone: String, expected: String) throws {
        #expect(try Moment(parsing: text, in: zone).localISO8601 == expected)
    }

    @Test(
        "Right before and right after a gap clocks show what is written",
        arguments: [
            ("2027-03-28T00:59:59.999", "Europe/Lisbon", "2027-03-28T00:59:59.999Z"),
            ("2027-03-28T02:00", "Europe/Lisbon", "2027-03-28T02:00:00+01:00"),
            ("2027-03-14T01:59", "America/New_York", "2027-03-14T01:59:00-05:00"),
            ("2027-03-14T03:00", "America/New_York", "2027-03-14T03:00:00-04:00"),
            ("2011-12-29T23:59", "Pacific/Apia", "2011-12-29T23:59:00-10:00"),
            ("2011-12-31T00:00", "Pacific/Apia", "2011-12-31T00:00:00+14:00"),
        ])
    func edges(text: String, zone: String, expected: String) throws {
        #expect(try Moment(parsing: text, in: zone).localISO8601 == expected)
    }

    @Test(
        "Of a time that clocks show twice the first is taken, and an offset names the second",
        arguments: [
            ("2027-10-31T01:30:00", "Europe/Lisbon", "+01:00", "+00:00"),
            ("2027-10-31T01:00:00", "Europe/Lisbon", "+01:00", "+00:00"),
            ("2027-11-07T01:30:00", "America/New_York", "-04:00", "-05:00"),
            ("2027-04-04T01:45:00", "Australia/Lord_Howe", "+11:00", "+10:30"),
        ])
    func twice(text: String, zone: String, first: String, second: String) throws {
        let moment = try Moment(parsing: text, in: zone)
        #expect(moment == (try Moment(parsing: text + first, in: zone)))
        let later = try Moment(parsing: text + second, in: zone)
        #expect(later.milliseconds > moment.milliseconds)
        #expect(later.localISO8601.hasPrefix(text) && moment.localISO8601.hasPrefix(text))
    }

    @Test("The hour after the one that clocks show twice is there once")
    func afterTwice() throws {
        #expect(try Moment(parsing: "2027-10-31T02:00", in: "Europe/Lisbon").localISO8601 == "2027-10-31T02:00:00Z")
        #expect(
            try Moment(parsing: "2027-10-31T00:59", in: "Europe/Lisbon").localISO8601 == "2027-10-31T00:59:00+01:00")
    }

    @Test("Any instant comes back from its text with the offset, in any zone", arguments: Zones.all)
    func offsetTextComesBack(zone: String) throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let moment = Moment(milliseconds: .random(in: Zones.span, using: &generator), zone: zone)
            #expect(try Moment(parsing: moment.localISO8601, in: zone) == moment)
        }
    }

    /// Instants around each change of the clocks, and random ones.
    private static func instants(_ zone: TimeZone, _ generator: inout SeededGenerator) -> [Int64] {
        var instants = (0..<100).map { _ in Int64.random(in: Zones.span, using: &generator) }
        var date = Date(milliseconds: Zones.span.lowerBound)
        while let next = zone.nextDaylightSavingTimeTransition(after: date), next.milliseconds < Zones.span.upperBound {
            let around: [Int64] = [0, -1, .random(in: -10_800_000...10_800_000, using: &generator)]
            instants += around.map { next.milliseconds + $0 }
            date = next
        }
        return instants
    }

    @Test("Local time that clocks show comes back as the first instant at which they do", arguments: Zones.all)
    func localTextComesBack(zone: String) throws {
        var generator = SeededGenerator(seed: 2)
        let timeZone = try #require(TimeZone(identifier: zone))
        for milliseconds in Self.instants(timeZone, &generator) {
            let (days, ofDay, offset) = Moment(milliseconds: milliseconds, zone: zone).local(in: timeZone)
            let shown = Moment(milliseconds: days * 86_400_000 + ofDay, zone: "UTC").localISO8601.dropLast()
            let parsed = try Moment(parsing: String(shown), in: zone)
            #expect(parsed.localISO8601.hasPrefix(shown), "\(milliseconds)")
            #expect(parsed.milliseconds <= milliseconds, "\(milliseconds)")
            // Times within the repeated interval after the clocks went back occur twice.
            let isTwice = parsed.milliseconds < milliseconds
            let before = Moment(milliseconds: parsed.milliseconds, zone: zone).local(in: timeZone).offset
            #expect(isTwice == (before > offset), "\(milliseconds)")
        }
    }
}
