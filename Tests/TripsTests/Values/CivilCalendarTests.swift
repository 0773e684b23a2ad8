import Testing

@testable import Trips

@Suite("The calendar in whole numbers")
struct CivilCalendarTests {
    @Test(
        "Days far beyond the years of trips come back from their dates",
        arguments: [
            -106_751_991_168, -5_000_000, -719_469, -719_468, -1, 0, 59, 60, 11_016, 5_000_000, 106_751_991_167,
        ] as [Int64])
    func comingBack(days: Int64) {
        let (year, month, day) = CivilCalendar.date(days: days)
        #expect(1...12 ~= month && 1...31 ~= day)
        #expect(CivilCalendar.days(year: year, month: month, day: day) == days)
        #expect(CivilCalendar.date(days: days + 1) > (year, month, day))
    }

    @Test(
        "The year before the year 1 is 0, a leap year, and before it the years are negative",
        arguments: [(-719_163, "0000-12-31"), (-719_469, "0000-02-29"), (-719_529, "-0001-12-31")] as [(Int64, String)])
    func yearZero(days: Int64, text: String) { #expect(CivilCalendar.text(days: days) == text) }

    @Test(
        "Numbers get zeros before them, behind the sign, and are never cut",
        arguments: [(0, 2, "00"), (7, 2, "07"), (-7, 2, "-07"), (123, 2, "123"), (5, 4, "0005"), (5, 0, "5")]
            as [(Int64, Int, String)])
    func padding(number: Int64, width: Int, text: String) { #expect(CivilCalendar.padded(number, width) == text) }

    @Test("The least number can be written as well")
    func paddingTheLeast() { #expect(CivilCalendar.padded(.min, 2) == "-9223372036854775808") }

    @Test(
        "Division rounds down on both sides of zero",
        arguments: [(7, 3, 2, 1), (-7, 3, -3, 2), (6, 3, 2, 0), (-6, 3, -2, 0), (-1, 86_400_000, -1, 86_399_999)]
            as [(Int64, Int64, Int64, Int64)])
    func division(number: Int64, divisor: Int64, quotient: Int64, remainder: Int64) {
        #expect(number.flooredDivision(by: divisor) == (quotient, remainder))
    }
}
