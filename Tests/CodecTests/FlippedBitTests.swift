import EventLog
import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

/// The rows of a log in memory, with one of them altered.
private struct AlteredRows: LogRows {
    typealias Row = (key: [UInt8], value: [UInt8])
    var tables: [LogTableName: [Row]] = [:]

    init(_ rows: some LogRows) throws {
        for table in LogTableName.allCases {
            var copied: [Row] = []
            try rows.forEachRow(of: table) { copied.append(([UInt8]($0), [UInt8]($1))) }
            tables[table] = copied
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

/// No bit in what proves a log can change undetected.
@Suite("A flipped bit in a log")
struct FlippedBitTests {
    /// A log with statements about members, and with an erasure.
    private static func rowsOfMembers() async throws -> AlteredRows {
        let folder = TemporaryFolder()
        var options = Log.Options(
            environment: Environment.Options(durability: .unsynced, mapSize: 1 << 30),
            dependencies: ManualClock().dependencies)
        options.foundsJournal = true
        let log = try Log.open(at: folder.path("log"), keyPath: folder.path("replica.key"), options: options)
        try await log.grant(.write, to: ReplicaID(publicKey: [9]))
        var generator = SeededGenerator(seed: 1)
        _ = try await log.append(.random(&generator))
        try await log.signHead()
        let newest = try #require(
            try log.read { log in try log.commit(at: log.lastPosition()) }.map {
                CommitID(replica: $0.header.replica, sequence: $0.header.sequence, hash: $0.hash)
            })
        try await log.erase(.some(LeafSet([1])), in: newest)
        return try AlteredRows(EnvironmentRows(at: folder.path("log")))
    }

    @Test("Nor one in statements about members, or in erasures", arguments: [LogTableName.members, .erasures])
    func everyBitOfMembersCounts(table: LogTableName) async throws {
        try Self.expectEveryBitCounts(of: table, in: try await Self.rowsOfMembers())
    }

    private static func rows() async throws -> AlteredRows {
        let folder = TemporaryFolder()
        let log = try Log.open(
            at: folder.path("log"), keyPath: folder.path("replica.key"),
            options: Log.Options(
                deviceName: "test", environment: Environment.Options(durability: .unsynced, mapSize: 1 << 30),
                dependencies: ManualClock().dependencies))
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2 { _ = try await log.append(.random(&generator)) }
        try await log.signHead()
        return try AlteredRows(EnvironmentRows(at: folder.path("log")))
    }

    @Test("Every one is found by the verifier", arguments: [LogTableName.log, .signatures, .runs, .heads, .meta])
    func everyBitCounts(table: LogTableName) async throws {
        try Self.expectEveryBitCounts(of: table, in: try await Self.rows())
    }

    private static func expectEveryBitCounts(of table: LogTableName, in rows: AlteredRows) throws {
        try #require(try LogVerifier.verify(rows).findings == [])
        let table = (name: table, rows: try #require(rows.tables[table]))
        try #require(!table.rows.isEmpty)
        for (number, row) in table.rows.enumerated() {
            // A program's own rows have no meaning here, and a name may be any text.
            if table.name == .meta,
                !["format", "journal", "replica"].contains(String(decoding: row.key, as: UTF8.self))
            {
                continue
            }
            for bit in 0..<(row.key.count + row.value.count) * 8 {
                var altered = rows
                if bit < row.key.count * 8 {
                    altered.tables[table.name]?[number].key[bit / 8] ^= 1 << UInt8(bit % 8)
                } else {
                    altered.tables[table.name]?[number].value[bit / 8 - row.key.count] ^= 1 << UInt8(bit % 8)
                }
                #expect(
                    try !LogVerifier.verify(altered).findings.isEmpty,
                    "bit \(bit) of row \(number + 1) of \(table.name), whose key has \(row.key.count) bytes")
            }
        }
    }

    @Test("Rows damaged at random are found too, and end no process", arguments: Seeds.some(20))
    func damagedRowsAreFound(seed: UInt64) async throws {
        let rows = try await Self.rows()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var altered = rows
            for table in LogTableName.allCases where generator.number(0...1) == 0 {
                for number in (altered.tables[table] ?? []).indices where generator.number(0...1) == 0 {
                    guard let row = altered.tables[table]?[number] else { continue }
                    altered.tables[table]?[number] = (
                        key: generator.number(0...4) == 0 ? generator.damaged(row.key) : row.key,
                        value: generator.damaged(row.value)
                    )
                }
            }
            let isDamaged = [LogTableName.log, .signatures, .runs].contains { table in
                zip(rows.tables[table] ?? [], altered.tables[table] ?? []).contains { $0 != $1 }
            }
            let findings = try LogVerifier.verify(altered).findings
            #expect(!isDamaged || !findings.isEmpty)
        }
    }
}
