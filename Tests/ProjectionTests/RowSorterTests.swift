import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import ProjectionEngine

@Suite("Sorting rows and references")
struct RowSorterTests {
    private func makeFolder() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        return folder
    }

    private struct Rows: Projection {
        let name = "rows"
        let version: UInt32 = 1
        let rowKind: RowKind
    }

    private func drained(_ sorter: inout RowSorter) throws -> [(key: [UInt8], value: [UInt8])] {
        var found: [(key: [UInt8], value: [UInt8])] = []
        try sorter.drain(chunkSize: 10) { found += $0.contents() }
        return found
    }

    /// Few enough to distinguish keys by, many enough for all lengths.
    private func keys(_ count: Int, using generator: inout SeededGenerator) -> Set<[UInt8]> {
        var keys: Set<[UInt8]> = []
        while keys.count < count {
            let start: [UInt8] = [[], [7], [1, 2, 3, 4, 5, 6, 7, 8]].randomElement(using: &generator) ?? []
            let length = Int.random(in: 1...20, using: &generator)
            keys.insert(start + (0..<length).map { _ in UInt8.random(in: 0...3, using: &generator) })
        }
        return keys
    }

    @Test(
        "Unique rows come in the order of their keys, whether they fit into memory or not",
        arguments: [(2_000, 1 << 20), (2_000, 4_000), (1, 4_000), (0, 4_000)])
    func unique(count: Int, memoryLimit: Int) throws {
        let folder = try makeFolder()
        var generator = SeededGenerator(seed: UInt64(count + memoryLimit))
        let keys = keys(count, using: &generator)
        var sorter = RowSorter(Rows(rowKind: .unique), folder: folder.url.path, memoryLimit: memoryLimit)
        for key in keys.shuffled(using: &generator) {
            sorter.sink.put(key, [UInt8(key.count)])
            try sorter.spillIfFull()
        }
        let found = try drained(&sorter)
        #expect(found.map(\.key) == keys.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(found.allSatisfy { $0.value == [UInt8($0.key.count)] })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test("Contributions to one row are summed up, and a zero sum has no row", arguments: [1 << 20, 3_000])
    func sums(memoryLimit: Int) throws {
        let folder = try makeFolder()
        var generator = SeededGenerator(seed: UInt64(memoryLimit))
        let keys = Array(keys(300, using: &generator))
        var sorter = RowSorter(Rows(rowKind: .accumulating), folder: folder.url.path, memoryLimit: memoryLimit)
        var expected: [[UInt8]: Accumulation] = [:]
        for _ in 0..<3_000 {
            let key = keys.randomElement(using: &generator) ?? [1]
            let amount = Accumulation(
                count: .random(in: -1...1, using: &generator),
                amount: Int128(Int64.random(in: -2...2, using: &generator)))
            sorter.sink.add(key, count: amount.count, amount: amount.amount)
            expected[key, default: .zero] += amount
            try sorter.spillIfFull()
        }
        let found = try drained(&sorter)
        let there = expected.filter { $0.value != .zero }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        #expect(found.map(\.key) == there.map(\.key))
        #expect(found.map { row in row.value.withUnsafeBytes { Accumulation($0) } } == there.map(\.value))
        #expect(there.count < expected.count)
    }

    @Test("Parts of one row are summed up each for itself, in the order of their names", arguments: [1 << 20, 2_000])
    func parts(memoryLimit: Int) throws {
        let folder = try makeFolder()
        var generator = SeededGenerator(seed: UInt64(memoryLimit))
        let (keys, names) = (Array(keys(20, using: &generator)), Array(keys(20, using: &generator)) + [[]])
        var sorter = RowSorter(Rows(rowKind: .accumulating), folder: folder.url.path, memoryLimit: memoryLimit)
        var expected: [[UInt8]: [[UInt8]: Accumulation]] = [:]
        for _ in 0..<3_000 {
            let (key, name) = (
                keys.randomElement(using: &generator) ?? [1], names.randomElement(using: &generator) ?? []
            )
            let sum = Accumulation(
                count: .random(in: -1...1, using: &generator), amount: Int128(Int.random(in: -2...2, using: &generator))
            )
            sorter.sink.add(key, part: name, count: sum.count, amount: sum.amount)
            expected[key, default: [:]][name, default: .zero] += sum
            try sorter.spillIfFull()
        }
        let found = try drained(&sorter)
        #expect(found.map(\.key) == keys.sorted { $0.lexicographicallyPrecedes($1) })
        for (key, value) in found {
            let there = expected[key]?.filter { $0.value != .zero } ?? [:]
            let read = try AccumulatedParts.all(value)
            #expect(read.map(\.name) == there.keys.sorted { $0.lexicographicallyPrecedes($1) })
            #expect(Dictionary(uniqueKeysWithValues: read) == there)
        }
        #expect(expected.values.contains { $0.values.contains(.zero) })
    }

    @Test("Two rows of one key are a fault, in memory and across runs", arguments: [1 << 20, 500])
    func sharedKey(memoryLimit: Int) throws {
        let folder = try makeFolder()
        var sorter = RowSorter(Rows(rowKind: .unique), folder: folder.url.path, memoryLimit: memoryLimit)
        #expect(throws: ProjectionFault.self) {
            for number in (0..<100 as Range<UInt8>).map({ $0 }) + [3] {
                sorter.sink.put([9, number])
                try sorter.spillIfFull()
            }
            _ = try drained(&sorter)
        }
    }

    @Test(
        "References come by entity and then in the order of arrival, whether they fit into memory or not",
        arguments: [(50, 1 << 12), (5_000, 1 << 13), (5_000, 700)], [1, 40, 5_000])
    func references(size: (count: Int, blockSize: Int), entities: Int) throws {
        let folder = try makeFolder()
        var generator = SeededGenerator(seed: UInt64(size.count * entities))
        // Times as in UUIDs of version 7, and others that differ late.
        let ids = (0..<entities).map { number in
            let bytes =
                number % 2 == 0
                ? UInt64(1_700_000_000_000 + number * 3).bigEndianBytes
                    + UInt64(number).bigEndianBytes
                : UInt64(7).bigEndianBytes + UInt64(number).bigEndianBytes
            return bytes.withUnsafeBytes { $0.uuid() }
        }
        let events = (0..<size.count).map { _ in
            Event(
                verb: .edited,
                entity: EntityReference(
                    kind: EntityKind(rawValue: .random(in: 1...2, using: &generator)),
                    id: ids.randomElement(using: &generator) ?? UUID()))
        }
        let halves = [
            ReferenceRuns(folder: folder.url.path, blockSize: size.blockSize),
            ReferenceRuns(folder: folder.url.path, blockSize: size.blockSize),
        ]
        try Payload(events: events).encoded().withUnsafeBytes { payload in
            var references: [EventReference] = []
            try PayloadView(payload).forEachEvent { event, index throws(WireError) in
                references.append(EventReference(event, index: index % 10, commit: index / 10, payload: payload))
            }
            for (index, reference) in references.enumerated() {
                try halves[index * 2 / size.count].append(reference)
            }
            for half in halves { half.finish() }
        }
        var merge = ReferenceMerge(try halves.flatMap { try $0.runs() })
        var found: [EventReference] = []
        // A block ends at its bytes as well, whatever events it could have.
        merge.take(64, bytes: 1, into: &found)
        #expect(found.count == 1)
        while true {
            let before = found.count
            merge.take(64, into: &found)
            if found.count == before { break }
        }
        withExtendedLifetime(halves) {}
        let expected = events.enumerated().sorted { a, b in
            a.element.entity.bytes != b.element.entity.bytes
                ? a.element.entity.bytes.lexicographicallyPrecedes(b.element.entity.bytes) : a.offset < b.offset
        }
        #expect(found.map(\.entity) == expected.map(\.element.entity))
        #expect(found.map { Int($0.commit) * 10 + Int($0.index) } == expected.map(\.offset))
    }
}
