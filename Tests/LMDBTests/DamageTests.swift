import Foundation
import LMDBFormat
import LMDBSupport
import Platform
import TestSupport
import Testing

@testable import LMDB

@Suite("Damaged files")
struct DamageTests {
    /// Which bytes are changed: every one of a meta page, in the short form every fourth of those that say nothing; random ones of the whole file, most of which lie in values
    /// and free room; random ones that LMDB navigates by.
    enum Series: CustomTestStringConvertible {
        case metaPage(Int)
        case anywhere(seed: UInt64, count: Int)
        case structure(seed: UInt64, count: Int)

        var testDescription: String {
            switch self {
            case .metaPage(let number): "bytes of page \(number)"
            case .anywhere(let seed, let count): "\(count) random bytes, seed \(seed)"
            case .structure(let seed, let count): "\(count) random bytes of structure, seed \(seed)"
            }
        }

        func cases(_ file: String) throws -> [UInt8] {
            switch self {
            case .metaPage(let number):
                // All bits of most bytes; where LMDB looks, single bits too.
                let (start, end) = (number * 4096, (number + 1) * 4096)
                let rest = stride(from: start + 152, to: end, by: 4096 / Extent.of(4096))
                let whole = (Array(start..<start + 152) + rest).map { ($0, UInt8(0xFF)) }
                let single = (start..<start + 152).flatMap { place in [0x01, 0x10, 0x80].map { (place, UInt8($0)) } }
                return Self.encode(whole + single)
            case .anywhere(let seed, let count):
                return try Self.random(seed, count, Array(0..<DataFile(path: file).size()))
            case .structure(let seed, let count):
                return try Self.random(seed, count, Self.structure(of: file))
            }
        }

        private static func random(_ seed: UInt64, _ count: Int, _ places: [Int]) -> [UInt8] {
            var generator = SeededGenerator(seed: seed)
            return encode(
                (0..<count).map { _ in
                    let place = places[Int.random(in: 0..<places.count, using: &generator)]
                    // One bit, or several.
                    let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
                    return (place, Bool.random(using: &generator) ? bit : .random(in: 1...255, using: &generator))
                })
        }

        /// Headers and offsets of rows, and the first bytes of the rows: in pages that are in use, and some that were.
        private static func structure(of path: String) throws -> [Int] {
            let file = try DataFile(path: path)
            var places: [Int] = []
            for start in stride(from: 8192, to: try file.size(), by: 4096) {
                let page = try file.bytes(4096, at: start)
                places += start..<start + 16
                guard page[10] & 3 != 0, let view = try? PageView(page, isLeaf: page[10] == 2) else { continue }
                for (index, node) in view.nodes.enumerated() {
                    places += start + 16 + 2 * index..<start + 18 + 2 * index
                    // Everything that describes a table, a large value, or free pages; of other rows the header and
                    // some key.
                    let isTelling = node.flags != 0 || node.keySize == 8 && view.nodes.count < 8
                    let size = isTelling ? 8 + node.keySize + 48 : 12
                    places += start + node.offset..<min(start + node.offset + size, start + 4096)
                }
            }
            return places
        }

        private static func encode(_ cases: [(Int, UInt8)]) -> [UInt8] {
            cases.flatMap { bytes(UInt64($0.0)) + [$0.1] }
        }
    }

    @Test(
        "A changed byte is refused, reported or harmless, and never ends the process",
        arguments: [
            Series.metaPage(0), .metaPage(1), .anywhere(seed: 101, count: Extent.of(2000)),
            .structure(seed: 102, count: Extent.of(2500)), .structure(seed: 103, count: Extent.of(2500)),
        ])
    func oneByte(series: Series) throws {
        let sandbox = try Sandbox()
        try populate(sandbox.path("original"))
        let original = sandbox.path("original/data.mdb")
        let cases = try series.cases(original)
        try Data(cases).write(to: URL(fileURLWithPath: sandbox.path("cases")))
        try Folder.create(sandbox.path("store"))
        let process = try SecondProcess(
            "damage", sandbox.path("store"), original, sandbox.path("cases"), sandbox.path("progress"))
        let end = try process.end()
        let last = (try? String(contentsOfFile: sandbox.path("progress"), encoding: .utf8)) ?? "none"
        #expect(end.signal == nil && end.code == 0, "\(end), last case: \(last)")
        let counts = end.output.split(separator: "\n").reduce(into: [String: Int]()) { counts, line in
            let words = line.split(separator: " ")
            if words.count == 2 { counts[String(words[0])] = Int(words[1]) }
        }
        // Each outcome occurs, or the series is not what it is meant to be.
        #expect(counts.values.reduce(0, +) == cases.count / 9, "\(counts)")
        let (refused, reported, clean) = (counts["refused"] ?? 0, counts["reported"] ?? 0, counts["clean"] ?? 0)
        switch series {
        case .metaPage: #expect(refused > 0 && clean > 0, "\(counts)")
        case .anywhere: #expect(reported > Extent.of(10) && clean > reported, "\(counts)")
        case .structure: #expect(reported > Extent.of(500), "\(counts)")
        }
        #expect(try Environment.checkStructure(at: sandbox.path("original")) == [])
    }
}
