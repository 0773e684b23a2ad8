import TestSupport
import Testing

@testable import Events

@Suite("Lists whose memory is used again")
struct ReusedListTests {
    @Test("They hold what an array holds, however it came and went", arguments: Seeds.some(20))
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Strings are reference-counted: a leak or a double release shows.
        var list = ReusedList<String>()
        var expected: [String] = []
        for number in 0..<400 {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0 where number > 100:
                list.removeAll()
                expected.removeAll()
            case 1..<8:
                let place = Int.random(in: 0...expected.count, using: &generator)
                list.insert("inserted, and long enough to be allocated: \(number)", at: place)
                expected.insert("inserted, and long enough to be allocated: \(number)", at: place)
            case 8..<11 where !expected.isEmpty:
                let place = Int.random(in: 0..<expected.count, using: &generator)
                list[place] = "replaced, and long enough to be allocated: \(number)"
                expected[place] = "replaced, and long enough to be allocated: \(number)"
            default:
                list.append("appended, and long enough to be allocated: \(number)")
                expected.append("appended, and long enough to be allocated: \(number)")
            }
            let count = list.count
            let contents = (0..<count).map { list[$0] }
            #expect(contents == expected)
        }
    }
}
