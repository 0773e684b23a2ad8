import Testing
import Trips

@Suite("Ranges of days in text")
struct DayRangeTests {
    @Test(
        "A day, a range, a month and a year are ranges",
        arguments: [
            ("2027-05-01", "2027-05-01", "2027-05-01"), ("2027-05-01..2027-05-08", "2027-05-01", "2027-05-08"),
            ("2028-02", "2028-02-01", "2028-02-29"), ("2027-12", "2027-12-01", "2027-12-31"),
            ("2027", "2027-01-01", "2027-12-31"), ("9999", "9999-01-01", "9999-12-31"),
        ])
    func ranges(text: String, first: String, last: String) throws {
        let range = try ClosedRange<Day>(parsing: text)
        #expect("\(range.lowerBound)" == first && "\(range.upperBound)" == last)
    }

    @Test(
        "A day that the calendar does not have is refused",
        arguments: [
            "2027-02-29", "2027-13", "0000", "", "..", "2027-05-01..", "2027-05-01..2027-04-31", "tuesday", "2027-05-1",
        ])
    func noDays(text: String) {
        expectRefusal(.invalidDay, advising: "as in 2027-05-01") { _ = try ClosedRange<Day>(parsing: text) }
    }

    @Test("A last day before the first is refused, with both")
    func inverted() {
        expectRefusal(
            .invalidRange, naming: "2027-05-08", "2027-05-01", advising: "2027-05-01..2027-05-08"
        ) { _ = try ClosedRange<Day>(parsing: "2027-05-08..2027-05-01") }
    }
}
