import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Text of days")
struct DayTextTests {
    @Test("A day is written with all its digits", arguments: [("0005-01-02", 5, 1, 2), ("2027-11-30", 2027, 11, 30)])
    func writing(text: String, year: Int, month: Int, day: Int) {
        #expect(Day(year, month, day).description == text)
        #expect(Day(text) == Day(year, month, day))
    }

    @Test("Any day comes back from its text and from JSON", arguments: Seeds.some(5))
    func comingBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var days = [Day.first, .last]
        for _ in 0..<200 { days.append(Day.first.advanced(by: .random(in: 0...3_652_058, using: &generator))) }
        for day in days {
            #expect(Day(day.description) == day)
            #expect(try Day(parsing: day.description) == day)
        }
        #expect(try JSONDecoder().decode([Day].self, from: JSONEncoder().encode(days)) == days)
    }

    static let wrong = [
        "", "2027", "2027-05", "2027-05-1", "2027-5-01", "27-05-01", "02027-05-01", "2027/05/01", "20270501",
        "2027-05-01 ", " 2027-05-01", "2027-05-01T00:00", "2027-05-01\n", "-027-05-01", "+027-05-01", "2027--5-01",
        "2027-02-29", "2027-04-31", "2027-13-01", "2027-00-01", "2027-01-00", "0000-01-01", "10000-01-01",
        "２０２７-05-01", "2027-05-01\u{301}", "2027-05-0١", "tomorrow",
    ]

    @Test("Text that names no day is refused, quoted, with the form that is wanted", arguments: wrong)
    func refusals(text: String) {
        #expect(Day(text) == nil)
        expectRefusal(.invalidDay, naming: "\"\(text)\"", advising: "Write it as in 2027-05-01") {
            _ = try Day(parsing: text)
        }
    }

    @Test("JSON that holds no day does not decode, and says which text it was")
    func wrongJSON() throws {
        #expect(try JSONEncoder().encode([Day(2027, 5, 1)]) == Data(#"["2027-05-01"]"#.utf8))
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Day].self, from: Data(#"["2027-05-32"]"#.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription.contains("2027-05-32"))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Day].self, from: Data("[20939]".utf8)) }
    }

    @Test("A refusal quotes only the start of long text")
    func longText() throws {
        let error = #expect(throws: ValidationError.self) {
            try Day(parsing: String(repeating: "2027-05-01", count: 1_000))
        }
        #expect(try #require(error).message.count < 300)
    }
}
