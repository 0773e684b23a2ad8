import Testing
import TripStore

@testable import TripFormats

@Suite("The words of what an export loses")
struct SnailsLossWordsTests {
    @Test(
        "The verb agrees with the name of the field, however many items there are",
        arguments: [
            ("parts", 1, "The parts of 1 activity are left out"),
            ("category", 2, "The category of 2 activities is left out"),
            ("address", 1, "The address of 1 activity is left out"),
        ])
    func fields(name: String, count: Int, start: String) {
        let loss = SnailsLoss(what: .field(name, of: .activity), count: count, example: "'Dinner'")
        #expect(loss.description == "\(start), as of 'Dinner': the format has no such field.")
    }
}
