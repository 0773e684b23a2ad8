import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

/// The rows of a log in memory, for tampering with.
private struct MemoryRows: LogRows {
    var tables: [LogTableName: [(key: [UInt8], value: [UInt8])]] = [:]

    init(_ rows: any LogRows) throws {
        for table in LogTableName.allCases {
            var found: [(key: [UInt8], value: [UInt8])] = []
            try rows.forEachRow(of: table) { found.append(([UInt8]($0), [UInt8]($1))) }
            tables[table] = found
        }
    }

    mutating func alter(_ name: String, _ change: (inout [UInt8]) -> Void) {
        guard let index = tables[.meta]?.firstIndex(where: { $0.key == Array(name.utf8) }) else { return }
        if var value = tables[.meta]?[index].value {
            change(&value)
            tables[.meta]?[index].value = value
        }
    }

    func forEachRow(
        of table: LogTableName, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        for row in tables[table] ?? [] {
            try row.key.withUnsafeBytes { key in try row.value.withUnsafeBytes { try body(key, $0) } }
        }
    }
}

@Suite("Verifying a log")
struct VerifierTests {
    enum Tampering: String, CaseIterable, Sendable {
        case removedCommit = "gap"
        case alteredPayload = "payload"
        case alteredHash = "hash"
        case lostHead = "head"
        case lostRun = "run"
        case alteredSignature = "signature"
        case cutCommit = "malformedCommit"
        case lostSignature = "unsigned"
        case straySignature = "strayRow"
        case newerFormat = "meta"
        case alteredKey = "introduction"
        case lostJournal, alteredJournal, lostReplica, alteredSeen, malformedName, strippedCommit
        case equalLineNumbers, branchOfNothing

        var code: String {
            switch self {
            case .lostJournal, .alteredJournal, .lostReplica, .alteredSeen, .malformedName: "meta"
            case .equalLineNumbers, .branchOfNothing: "head"
            case .strippedCommit: "payloadMissing"
            case .alteredKey: "payload"
            default: rawValue
            }
        }
    }

    @Test("Every kind of tampering is found, and named", arguments: Tampering.allCases)
    func tampering(_ kind: Tampering) async throws {
        let fixture = LogFixture()
        do {
            let log = try fixture.open()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1100 { group.addTask { _ = try await log.append(.sample("\(number)")) } }
                try await group.waitForAll()
            }
        }
        var rows = try MemoryRows(EnvironmentRows(at: fixture.folder.path("log")))
        #expect(try LogVerifier.verify(rows).findings == [])
        let last = (rows.tables[.log]?[500].value.count ?? 1) - 1
        switch kind {
        case .removedCommit: rows.tables[.log]?.remove(at: 500)
        case .alteredPayload: rows.tables[.log]?[500].value[last] ^= 1
        case .alteredHash: rows.tables[.log]?[500].value[3] ^= 1
        case .lostHead: rows.tables[.heads] = []
        case .lostRun: rows.tables[.runs] = []
        case .alteredSignature: rows.tables[.signatures]?[0].value[5] ^= 1
        case .cutCommit: rows.tables[.log]?[500].value = [1, 2, 3]
        case .lostSignature: rows.tables[.signatures] = []
        case .straySignature: rows.tables[.signatures]?.append(([0, 0, 0, 9] + [UInt8](repeating: 0, count: 8), [1]))
        case .newerFormat: rows.tables[.meta]?.removeAll { $0.key == Array("format".utf8) }
        case .alteredKey:
            // Some byte of the key in the first commit.
            let count = rows.tables[.log]?[0].value.count ?? 0
            rows.tables[.log]?[0].value[count - 20] ^= 1
        case .lostJournal: rows.tables[.meta]?.removeAll { $0.key == Array("journal".utf8) }
        case .lostReplica: rows.tables[.meta]?.removeAll { $0.key == Array("replica".utf8) }
        case .alteredJournal: rows.alter("journal") { $0[3] ^= 1 }
        case .alteredSeen:
            rows.tables[.meta]?.append((Array("seen".utf8), [0, 0x44, 0, 0, 0, 0, 0, 0]))
        case .malformedName: rows.alter("name") { $0[0] = 0xFF }
        case .strippedCommit:
            let commit = rows.tables[.log]?[500].value ?? []
            let header = commit.dropFirst(Digest.size).withUnsafeBytes { (try? CommitView($0))?.headerBytes.count ?? 0 }
            rows.tables[.log]?[500].value = Array(commit.prefix(Digest.size + 2 + header))
        case .equalLineNumbers:
            let (key, value) = try #require(rows.tables[.heads]?.first)
            rows.tables[.heads]?.append(
                (key + [UInt8](repeating: 1, count: 32), value + [UInt8](repeating: 0, count: 12)))
        case .branchOfNothing:
            var (key, value) = try #require(rows.tables[.heads]?.first)
            (key, value) = (key + [UInt8](repeating: 1, count: 32), value + [0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 9])
            value[3] = 2
            rows.tables[.heads]?.append((key, value))
        }
        let codes = try LogVerifier.verify(rows).findings.map(\.code)
        #expect(codes.contains(kind.code), "\(codes)")
    }

    @Test("A page of the file that is neither used nor free is named, and the rest is verified all the same")
    func leakedPage() async throws {
        let fixture = LogFixture()
        do {
            let log = try fixture.open()
            _ = try await log.appendSamples(5)
        }
        let file = URL(fileURLWithPath: fixture.folder.path("log/data.mdb"))
        var bytes = try Data(contentsOf: file)
        // Both meta pages say that there is one page more: LMDB's last page, behind the two trees in each.
        for page in [0, 4096] {
            let place = page + 136
            let last = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
            bytes.replaceSubrange(place..<place + 8, with: withUnsafeBytes(of: last + 1) { Data($0) })
        }
        bytes.append(Data(count: 4096))
        try bytes.write(to: file)
        let report = try LogVerifier.verify(EnvironmentRows(at: fixture.folder.path("log")))
        #expect(report.findings.map(\.code) == ["structure"] && report.commits == 6)
        #expect(report.findings.first?.message.contains("neither used nor listed as free") == true)
    }

    /// Bytes at the ends of a number's range.
    private static func extremes<Number: FixedWidthInteger>(_ type: Number.Type) -> [[UInt8]] {
        let half = Number.max >> 1
        let values: [Number] = [.min, 1, half, half + 1, .max - 1, .max]
        return values.map { value in withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) } }
    }

    @Test("Whatever numbers a damaged head has, also one that a branch leaves, it is named and the rest is verified")
    func extremeHeads() async throws {
        let fixture = LogFixture()
        do {
            let log = try fixture.open()
            _ = try await log.appendSamples(3)
            let forger = try ForgedLine(log.journal, seed: 1)
            let first = try forger.commit(Payload())
            let line = [first, try forger.commit(.sample("line"), after: first)]
            try await log.store(forger.segment(line))
            try await log.store(forger.segment([forger.commit(.sample("branch"), after: first)], after: first))
        }
        let rows = try MemoryRows(EnvironmentRows(at: fixture.folder.path("log")))
        #expect(try LogVerifier.verify(rows).findings == [])
        let heads = try #require(rows.tables[.heads])
        try #require(heads.map(\.value.count).sorted() == [76, 76, 88])
        for (index, head) in heads.enumerated() {
            let fields =
                [0, 76].map { ($0, Self.extremes(UInt32.self)) }
                + [4, 44, 52, 60, 68, 80].map { ($0, Self.extremes(UInt64.self)) }
            for (offset, values) in fields where offset < head.value.count {
                for bytes in values where Array(head.value[offset..<offset + bytes.count]) != bytes {
                    var damaged = rows
                    damaged.tables[.heads]?[index].value.replaceSubrange(offset..<offset + bytes.count, with: bytes)
                    let report = try LogVerifier.verify(damaged)
                    #expect(report.findings.contains { $0.code == "head" }, "\(bytes) at \(offset) of head \(index)")
                    #expect(report.commits == 7)
                }
            }
        }
    }

    @Test("A commit at the last position that there can be is named")
    func extremePosition() async throws {
        let fixture = LogFixture()
        do { _ = try await fixture.open().appendSamples(3) }
        var rows = try MemoryRows(EnvironmentRows(at: fixture.folder.path("log")))
        let count = try #require(rows.tables[.log]?.count)
        for index in [count - 1, 1] {
            rows.tables[.log]?[index].key = [UInt8](repeating: 0xFF, count: 8)
            let report = try LogVerifier.verify(rows)
            #expect(report.findings.contains { $0.code == "gap" } && report.commits == count)
        }
    }

    @Test("A fault is named where it is, and not at every commit after it", arguments: [3, 60, 120, 150])
    func faultsAreLocal(byte: Int) async throws {
        let fixture = LogFixture()
        do { _ = try await fixture.open().appendSamples(50) }
        var rows = try MemoryRows(EnvironmentRows(at: fixture.folder.path("log")))
        rows.tables[.log]?[20].value[byte] ^= 1
        let findings = try LogVerifier.verify(rows).findings
        #expect(!findings.isEmpty && findings.count < 10, "\(findings)")
        #expect(Set(findings.compactMap(\.position)).isSubset(of: [Position(21), Position(22)]))
    }
}
