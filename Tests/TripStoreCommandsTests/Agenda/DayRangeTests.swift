import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("Ranges of days as people write them")
struct DayRangeTests {
    /// The days that a text means on a day; for a text that is refused, a part of the reason.
    private static func meaning(_ text: String, on today: Day) -> String {
        var console = Console(out: { _ in }, error: { _ in })
        console.now = { Date(timeIntervalSince1970: Double(today.daysSince1970) * 86_400 + 43_200) }
        console.timeZone = TimeZone(identifier: "UTC") ?? console.timeZone
        return Console.$current.withValue(console) {
            do {
                let days = try AgendaDays(parsing: text).days()
                return "\(days.lowerBound)..\(days.upperBound)"
            } catch { return "\(error)" }
        }
    }

    @Test("The end of a range without a year is the next such day from its beginning on, on each day of the year")
    func everyDay() {
        for number in 0..<366 {
            let today = Day(2027, 6, 1).advanced(by: number)
            let year = today <= Day(2027, 12, 30) ? 2027 : 2028
            #expect(Self.meaning("30 dec..2 jan", on: today) == "\(year)-12-30..\(year + 1)-01-02")
            let days = Self.meaning("fri..sun", on: today).components(separatedBy: "..").compactMap { Day($0) }
            guard days.count == 2 else {
                Issue.record("\(today)")
                continue
            }
            #expect(days[0].distance(to: days[1]) == 2 && 0...6 ~= today.distance(to: days[0]), "\(today): \(days)")
        }
    }

    @Test(
        "Each end may be written in another way",
        arguments: [
            ("3 may..+2d", "2027-05-03..2027-05-05"), ("2027-05-03..8 may", "2027-05-03..2027-05-08"),
            ("3 may .. 2027-05-08", "2027-05-03..2027-05-08"), ("2027-05..2027-06", "2027-05-01..2027-06-30"),
            ("+1d..+3d", "2026-12-02..2026-12-04"), ("today..tomorrow", "2026-12-01..2026-12-02"),
            ("fri..3 may", "2026-12-04..2027-05-03"),
            ("8 may..3 may", "2027-05-08..2028-05-03"), ("3 may..3 may", "2027-05-03..2027-05-03"),
        ])
    func mixed(text: String, days: String) { #expect(Self.meaning(text, on: Day(2026, 12, 1)) == days) }

    @Test(
        "A range whose end is before its beginning is refused with the right order, and what is no range with the reason",
        arguments: [
            ("2027-05-08..2027-05-01", "Write the earlier one first: 2027-05-01..2027-05-08."),
            ("fri..yesterday", "is before the first, 2026-12-04"), ("fri..sat..sun", "its first and its last day"),
            ("..fri", "no day"), ("fri..", "no day"), ("soon..fri", "no day and no time"),
        ])
    func refused(text: String, reason: String) {
        #expect(Self.meaning(text, on: Day(2026, 12, 1)).contains(reason))
    }

    @Test("The last day of a list is the next one from its first on")
    func list() async {
        let tool = Tool()
        // The first of January in 2027: the second is to come, and the thirtieth of December after it.
        let outcome = await tool.run("trips", "--from", "30", "dec", "--to", "2", "jan") { console in
            console.now = { Date(timeIntervalSince1970: 1_798_800_000) }
        }
        #expect(outcome.code == 2 && outcome.error.contains("no trip store"), "\(outcome.error)")
    }
}
