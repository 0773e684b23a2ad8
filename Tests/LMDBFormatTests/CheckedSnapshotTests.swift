import Foundation
import LMDBFormat
import LMDBSupport
import TestSupport
import Testing

@testable import LMDB

@Suite("Snapshots that were checked")
struct CheckedSnapshotTests {
    private func rows(_ snapshot: CheckedSnapshot, of table: String) throws -> [[UInt8]: [UInt8]] {
        var rows: [[UInt8]: [UInt8]] = [:]
        var last: [UInt8] = []
        try snapshot.forEachRow(of: table) { key, value in
            #expect(last.lexicographicallyPrecedes(key) || rows.isEmpty)
            last = Array(key)
            rows[last] = Array(value)
        }
        return rows
    }

    @Test("Every row is read as LMDB reads it, in order, with values of several pages", arguments: [0, 1, 50, 4000])
    func agrees(count: Int) throws {
        try withEnvironment { environment, table in
            var random = SeededGenerator(seed: UInt64(count))
            try environment.write { transaction in
                for _ in 0..<count {
                    let key = (0..<Int.random(in: 1...300, using: &random)).map { _ in
                        UInt8.random(in: 0...3, using: &random)
                    }
                    let size = Int.random(in: 0..<10, using: &random) == 0 ? 9000 : 40
                    try transaction.put(
                        key, [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size), in: table)
                }
            }
            let expected = try environment.rows(of: table)
            let (tables, found, none) = try environment.readChecked { snapshot in
                (try snapshot.tables(), try rows(snapshot, of: "rows"), try rows(snapshot, of: "none"))
            }
            #expect(tables == ["rows"] && found == expected && none.isEmpty)
        }
    }

    @Test("It stays what it was while others write")
    func besideWriter() throws {
        try withEnvironment(Environment.Options()) { environment, table in
            for row in UInt64(0)..<300 { try environment.put(bytes(row), bytes(row), in: table) }
            let expected = try environment.rows(of: table)
            let seen = try environment.readChecked { snapshot in
                // A read transaction of this thread is open, and writes are another thread's.
                #expect(
                    concurrently(1) { _ in
                        for row in UInt64(0)..<600 { try environment.put(bytes(row), bytes(row + 1), in: table) }
                    } == [])
                return try rows(snapshot, of: "rows")
            }
            #expect(seen == expected)
            #expect(try environment.count(of: table) == 600)
        }
    }

    @Test("What is damaged is not read")
    func damaged() throws {
        let sandbox = try Sandbox()
        do {
            let environment = try Environment.open(at: sandbox.path, options: .quick)
            let table = try environment.tables(["rows"])[0]
            for row in UInt64(0)..<500 { try environment.put(bytes(row), [UInt8](repeating: 1, count: 100), in: table) }
        }
        let environment = try Environment.openUnchecked(at: sandbox.path)
        let root = try DataFile(path: sandbox.path("data.mdb")).readMetaPages().get()?.newest.main.root
        let file = try FileHandle(forUpdating: URL(filePath: sandbox.path("data.mdb")))
        try file.seek(toOffset: UInt64(try #require(root)) * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        #expect(throws: StructureDamage.self) { try environment.readChecked { _ in Issue.record("it was read") } }
    }
}
