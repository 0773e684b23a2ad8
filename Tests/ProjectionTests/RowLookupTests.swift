import TestSupport
import Testing

@testable import ProjectionEngine

@Suite("Looking up the rows of an entity")
struct RowLookupTests {
    @Test("Few rows and many are found by their keys, of rows with one key the last", arguments: Seeds.some(8))
    func found(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func key() -> [UInt8] {
            // Many share their first eight bytes, or are the beginning of another.
            let beginning = [UInt8](repeating: 7, count: Int.random(in: 0...10, using: &random))
            return beginning + [UInt8.random(in: 0...3, using: &random), UInt8.random(in: 0...3, using: &random)]
        }
        for count in [0, 1, 8, 9, 200] {
            var (sink, others) = (RowSink(), RowSink())
            for number in 0..<count { sink.put(key(), [UInt8(number % 256)]) }
            for _ in 0..<100 { others.put(key()) }
            let lookup = RowLookup(sink)
            for other in others.rows {
                let expected = sink.rows.last { sink.key($0) == others.key(other) }
                #expect(lookup.row(of: sink, at: others, other)?.offset == expected?.offset)
            }
        }
    }
}
