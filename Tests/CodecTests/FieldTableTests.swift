import Foundation
import TestSupport
import Testing

@Suite("Tables of the documents")
struct FieldTableTests {
    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: SourceFile.path(path), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// The numbers of an enumeration in trips.proto, without 0.
    private static func numbers(of enumeration: String) throws -> [Int] {
        let start = try lines("Sources/Trips/trips.proto").drop { $0 != "enum \(enumeration) {" }
        return start.prefix { $0 != "}" }.compactMap { $0.firstMatch(of: #/= (\d+);/#).flatMap { Int($0.1) } }
            .filter { $0 > 0 }.sorted()
    }

    @Test(
        "The fields of each kind in the log format are those of trips.proto",
        arguments: [
            (["trip"], "TripField"),
            (["activity, lodging, transportation", "lodging, also", "transportation, also"], "ItemField"),
            (["organization"], "OrganizationField"),
        ])
    func fields(rows: [String], enumeration: String) throws {
        let document = try Self.lines("Sources/EventLog/EventLog.docc/LogFormat.md")
        let described = try rows.flatMap { kinds in
            let row = try #require(document.first { $0.hasPrefix("| \(kinds) | ") })
            return row.dropFirst(kinds.count + 3).matches(of: #/[|,] (\d+) /#).compactMap { Int($0.1) }
        }
        #expect(described.sorted() == (try Self.numbers(of: enumeration)))
        #expect(!described.isEmpty)
    }

    @Test("Each kind of fault in the structure of a file has a row in its document")
    func faults() throws {
        let source = try Self.lines("Sources/LMDBFormat/StructureFault.swift")
        let kinds = source.compactMap { $0.firstMatch(of: #/Kind\(rawValue: "(\w+)"\)/#).map { String($0.1) } }
        let rows = try Self.lines("Sources/LMDB/LMDB.docc/WriteAheadFile.md")
        #expect(kinds.count == 15)
        for kind in kinds { #expect(rows.contains { $0.hasPrefix("| `\(kind)` | ") }, "\(kind)") }
    }
}
