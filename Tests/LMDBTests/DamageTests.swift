import Foundation
@testable import LMDB
import Testing

@Suite("Damaged files")
struct DamageTests {
    /// Every byte of both meta pages, in parts for two processes at a time, and random bytes of the whole file.
    enum Series: CustomTestStringConvertible {
        case metaPage(Int)
        case random(seed: UInt64, count: Int)

        var testDescription: String {
            switch self {
            case .metaPage(let number): "every byte of page \(number)"
            case .random(let seed, let count): "\(count) random bytes, seed \(seed)"
            }
        }

        func cases(size: Int) -> [UInt8] {
            switch self {
            case .metaPage(let number):
                // All bits of most bytes; where LMDB looks, single bits too.
                let whole = (number * 4096..<(number + 1) * 4096).map { ($0, UInt8(0xFF)) }
                let start = number * 4096
                let single = (start..<start + 152).flatMap { place in [0x01, 0x10, 0x80].map { (place, UInt8($0)) } }
                return Self.encode(whole + single)
            case .random(let seed, let count):
                var generator = SeededGenerator(seed: seed)
                return Self.encode(
                    (0..<count).map { _ in
                        (Int.random(in: 0..<size, using: &generator), UInt8.random(in: 1...255, using: &generator))
                    })
            }
        }

        private static func encode(_ cases: [(Int, UInt8)]) -> [UInt8] {
            cases.flatMap { bytes(UInt64($0.0)) + [$0.1] }
        }
    }

    @Test("A changed byte is refused, reported or harmless, and never ends the process",
        arguments: [
            Series.metaPage(0), .metaPage(1), .random(seed: 101, count: 2500), .random(seed: 102, count: 2500),
        ])
    func oneByte(series: Series) throws {
        let sandbox = try Sandbox()
        try populate(sandbox.path("original"))
        let original = sandbox.path("original/data.mdb")
        let size = try DataFile(path: original).size()
        let cases = series.cases(size: size)
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
        // Each outcome is met, or the series is not what it is meant to be.
        #expect(counts.values.reduce(0, +) == cases.count / 9, "\(counts)")
        #expect((counts["refused"] ?? 0) > 0 && (counts["clean"] ?? 0) > 0, "\(counts)")
        if case .random = series { #expect((counts["reported"] ?? 0) > 100, "\(counts)") }
        #expect(try Environment.checkStructure(at: sandbox.path("original")) == [])
    }
}
