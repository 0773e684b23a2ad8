import Events
import Foundation
import TestSupport
import Testing

@testable import ProjectionEngine

extension AccumulatedParts {
    /// Copies of all parts of a value.
    static func all(_ value: [UInt8]) throws -> [(name: [UInt8], sum: Accumulation)] {
        try Accumulation.parts(of: value).map { ($0.part, $0.sum) }
    }
}

@Suite("Values of accumulating rows")
struct AccumulatedPartsTests {
    private func value(_ body: (inout RowSink) -> Void) throws -> [UInt8]? {
        var sink = RowSink()
        body(&sink)
        sink.sort()
        try sink.sumUp()
        #expect(sink.rowCount <= 1)
        return sink.contents().first?.value
    }

    @Test(
        "Counts and amounts of any size come back",
        arguments: [
            0, 1, -1, 63, 64, -64, -65, 1 << 61, 1 << 62, -(1 << 62), 1 << 63, 1 << 90, .max, .min, .max - 1, .min + 1,
        ] as [Int128])
    func sizes(number: Int128) throws {
        for count in [1, -1, 0, 300, Int64.max, .min, Int64(truncatingIfNeeded: number)] {
            let sum = Accumulation(count: count, amount: number)
            let value = try value { $0.add([7], part: [8, 9], count: count, amount: number) }
            guard sum != .zero else {
                #expect(value == nil)
                continue
            }
            let found = try AccumulatedParts.all(try #require(value))
            #expect(found.map(\.name) == [[8, 9]] && found.map(\.sum) == [sum])
        }
    }

    @Test("Names have up to 255 bytes, and a longer one is objected to", arguments: [0, 1, 255, 256, 600])
    func names(size: Int) throws {
        let name = [UInt8](repeating: 3, count: size)
        var sink = RowSink()
        sink.add([7], part: name)
        #expect((sink.objection == nil) == (size <= 255))
        if size <= 255 { #expect(try AccumulatedParts.all(sink.contents()[0].value).map(\.name) == [name]) }
    }

    @Test("Equal sums have equal bytes, however they came about", arguments: Seeds.some(10))
    func canonical(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var contributions: [(part: [UInt8], amount: Int128)] = (0..<20).map { _ in
            (
                [[], [1], [1, 0], [2]].randomElement(using: &generator) ?? [],
                .random(in: -1000...1000, using: &generator)
            )
        }
        let first = try value { sink in for one in contributions { sink.add([7], part: one.part, amount: one.amount) } }
        // With contributions that are removed again, and in another order.
        let passing: [([UInt8], Int128)] = [([3], 5), ([1], -5)]
        contributions.shuffle(using: &generator)
        let second = try value { sink in
            for (part, amount) in passing { sink.add([7], part: part, amount: amount) }
            for one in contributions { sink.add([7], part: one.part, amount: one.amount) }
            for (part, amount) in passing { sink.add([7], part: part, count: -1, amount: -amount) }
        }
        #expect(first == second)
    }

    @Test("A row without parts reads as one sum, a row with parts as what was added to none of them")
    func withoutParts() throws {
        let plain = try #require(try value { $0.add([7], count: 2, amount: -5) })
        #expect(Accumulation(plain) == Accumulation(plain.span.bytes))
        #expect(plain.withUnsafeBytes { Accumulation($0) } == Accumulation(count: 2, amount: -5))
        let parts = try #require(try value { $0.add([7], part: [1], count: 2) })
        #expect(parts.withUnsafeBytes { Accumulation($0) } == nil)
        let both = try #require(
            try value {
                $0.add([7], part: [1], count: 2)
                $0.add([7], count: 3)
            })
        #expect(both.withUnsafeBytes { Accumulation($0) } == Accumulation(count: 3, amount: 0))
        #expect([UInt8]().withUnsafeBytes { Accumulation($0) } == nil)
    }

    @Test(
        "Bytes that are no such value are an error wherever they are cut off, and never a trap",
        arguments: Seeds.some(20))
    func damage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = try #require(
            try value {
                $0.add([7], part: [1, 2], count: 500, amount: .max)
                $0.add([7], part: [4], count: .min, amount: .min)
            })
        let ends = try AccumulatedParts.all(value).count
        #expect(ends == 2)
        for count in 1..<value.count where count != 2 + 1 + 2 + 19 {
            #expect(throws: ProjectionError.self) { try AccumulatedParts.all(Array(value.prefix(count))) }
        }
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            _ = try? AccumulatedParts.all(bytes)
        }
        #expect(throws: ProjectionError.self) {
            try AccumulatedParts.all([0, 2] + [UInt8](repeating: 0xFF, count: 18) + [4])
        }
    }
}
