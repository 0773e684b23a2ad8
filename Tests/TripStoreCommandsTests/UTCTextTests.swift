import Foundation
import Testing

@testable import TripStoreCommands

@Suite("Times in the tool's output")
struct UTCTextTests {
    @Test(
        "They have milliseconds, before 1970 as after it",
        arguments: [
            (-1500, "1969-12-31T23:59:58.500Z"), (-1, "1969-12-31T23:59:59.999Z"), (0, "1970-01-01T00:00:00.000Z"),
            (1, "1970-01-01T00:00:00.001Z"), (-1000, "1969-12-31T23:59:59.000Z"), (2_500, "1970-01-01T00:00:02.500Z"),
        ])
    func milliseconds(milliseconds: Int, text: String) {
        #expect(Date(timeIntervalSince1970: Double(milliseconds) / 1000).utcText == text)
    }
}
