import Foundation
import TestSupport
import Testing

@testable import ProjectionEngine

@Suite("Rows in the making")
struct RowSinkTests {
    private struct Name: Hashable {
        let key: [UInt8]
        let part: [UInt8]
    }

    @Test(
        "Contributions come to their sums, whatever their order, and whatever is refused between them",
        arguments: Seeds.some(60))
    func sums(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var sink = RowSink()
        var expected: [Name: Accumulation] = [:]
        for _ in 0..<Int.random(in: 0...300, using: &generator) {
            // Few keys and parts, so that equal ones follow each other; the first byte of a key may look like a length.
            let key = [UInt8](
                repeating: [3, 200, 255].randomElement(using: &generator) ?? 3,
                count: Int.random(in: 0...2, using: &generator))
            let part = [UInt8](
                repeating: UInt8.random(in: 0...3, using: &generator), count: Int.random(in: 0...3, using: &generator))
            let sum = Accumulation(
                count: Int64.random(in: -1...1, using: &generator), amount: Int128.random(in: -1...1, using: &generator)
            )
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: sink.add(key, part: [UInt8](repeating: 1, count: 300), count: 1)
            case 1:
                // Like a sorter that spills.
                sink.sort()
                try sink.sumUp()
            default:
                sink.add(key, part: part, count: sum.count, amount: sum.amount)
                if !key.isEmpty { expected[Name(key: key, part: part), default: .zero] += sum }
            }
        }
        sink.sort()
        try sink.sumUp()
        var found: [Name: Accumulation] = [:]
        for (key, value) in sink.contents() {
            let parts = try AccumulatedParts.all(value)
            #expect(parts.map(\.name) == parts.map(\.name).sorted { $0.lexicographicallyPrecedes($1) })
            for (name, sum) in parts { found[Name(key: key, part: name)] = sum }
        }
        #expect(found == expected.filter { $0.value != .zero })
        #expect(Set(sink.contents().map(\.key)).count == sink.rowCount)
    }

    @Test("What adds to the parts of one key in their order is one row at once")
    func joined() throws {
        var sink = RowSink()
        for (part, amount) in [([1], 5), ([1, 0], 6), ([2], 7), ([2], 8), ([1], 9)] as [([UInt8], Int128)] {
            sink.add([7], part: part, amount: amount)
        }
        sink.add([8], part: [3])
        sink.put([7], [])
        sink.add([7], part: [4])
        let parts = try sink.contents().map { try AccumulatedParts.all($0.value).map(\.name) }
        #expect(parts == [[[1], [1, 0], [2]], [[2]], [[1]], [[3]], [], [[4]]])
    }

    @Test("The contributions of two calls to one key are not joined, so that they stay distinct")
    func calls() {
        var sink = RowSink()
        sink.add([7], part: [1])
        sink.beginCall()
        sink.add([7], part: [2])
        sink.add([7], part: [3])
        #expect(sink.rowCount == 2)
    }

    @Test(
        "Rows of one entity are ordered, and one is found that is there twice or is another's",
        arguments: [
            ([], nil), ([[5, 5]], nil), ([[5, 5], [5, 5, 1], [5, 5, 2]], nil),
            ([[5, 5, 3], [5, 5], [5, 5, 1]], nil),
            ([[5, 5, 1], [5, 5, 1]], "twice"), ([[5, 5, 1], [5, 5, 2], [5, 5, 1]], "twice"),
            ([[5, 5, 1], [5, 6]], "elsewhere"), ([[5]], "elsewhere"), ([[6, 5, 5], [5, 5]], "elsewhere"),
            ([[5, 5], [4, 5, 5]], "elsewhere"),
        ] as [([[UInt8]], String?)])
    func ordering(keys: [[UInt8]], expected: String?) {
        var sink = RowSink()
        // Of another entity, with later keys: they are left as they are.
        sink.put([9, 9])
        sink.put([8, 8])
        for key in keys { sink.put(key) }
        let beginning: [UInt8] = [5, 5]
        let misfit = beginning.withUnsafeBytes { sink.order(from: 2, under: $0) }
        switch misfit {
        case nil:
            #expect(expected == nil)
            #expect(
                sink.contents(from: 2).map(\.key) == keys.sorted { $0.lexicographicallyPrecedes($1) })
        case .twice(let row):
            #expect(expected == "twice")
            #expect(sink.key(row) == [5, 5, 1])
        case .elsewhere: #expect(expected == "elsewhere")
        }
        #expect(sink.contents().prefix(2).map(\.key) == [[9, 9], [8, 8]])
    }
}
