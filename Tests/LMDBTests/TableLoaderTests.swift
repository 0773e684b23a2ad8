import Foundation
import TestSupport
import Testing

@testable import LMDB

@Suite("Filling tables at once")
struct TableLoaderTests {
    private typealias Rows = [(key: [UInt8], value: [UInt8])]

    /// What LMDB finds from the first row to the last, and back.
    private static func rows(of table: Table, in environment: Environment) throws -> Rows {
        try environment.read { transaction in
            var rows: Rows = []
            var cursor = try transaction.cursor(on: table)
            while let row = try cursor.next() { rows.append((Array(row.key), Array(row.value))) }
            #expect(try transaction.count(of: table) == rows.count)
            for (key, value) in rows {
                #expect(try transaction.get(key, in: table).map { Array($0) } == value)
            }
            return rows
        }
    }

    /// Rows with keys of 1 to 511 bytes, most of them short, and values from none to several pages.
    private static func someRows(_ count: Int, _ generator: inout SeededGenerator) -> Rows {
        var rows: [[UInt8]: [UInt8]] = [:]
        while rows.count < count {
            let keySize = Int.random(
                in: 1...(Int.random(in: 0..<5, using: &generator) == 0 ? 511 : 40), using: &generator)
            let valueSize =
                switch Int.random(in: 0..<20, using: &generator) {
                // Around what a page has room for, and what it has not.
                case 0: Int.random(in: 0...20_000, using: &generator)
                case 1...3: Int.random(in: 1_400...2_100, using: &generator)
                case 4: Int.random(in: 4_060...4_100, using: &generator)
                case 5: 0
                default: Int.random(in: 0...90, using: &generator)
                }
            let key = (0..<keySize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            rows[key] = (0..<valueSize).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ keySize) }
        }
        return rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
    }

    @Test(
        "Whatever the rows, LMDB finds them, and goes on to change them as it does its own",
        arguments: Seeds.some(6))
    func contents(seed: UInt64) throws {
        try withEnvironment(Environment.Options(maxTables: 8, syncsCommits: false)) { environment, first in
            var generator = SeededGenerator(seed: seed)
            let tables = [first] + (try environment.tables(["second", "third", "untouched"]))
            try environment.put([7], [7], in: tables[3])
            var expected = (0..<3).map { _ in
                Self.someRows(Int.random(in: 0...1_500, using: &generator), &generator)
            }
            let loader = try TableLoader(environment)
            // In turn, as they come from a rebuild.
            var rest = expected.map { $0[...] }
            while rest.contains(where: { !$0.isEmpty }) {
                let index = Int.random(in: 0..<3, using: &generator)
                let count = min(rest[index].count, Int.random(in: 0...200, using: &generator))
                try loader.tree(of: tables[index]).append(rows: Array(rest[index].prefix(count)))
                rest[index].removeFirst(count)
            }
            for table in tables[..<3] { #expect(try environment.count(of: table) == 0) }
            try loader.finish()
            for index in 0..<3 {
                let found = try Self.rows(of: tables[index], in: environment)
                #expect(found.elementsEqual(expected[index], by: ==), "table \(index)")
            }
            #expect(try environment.value([7], in: tables[3]) == [7])
            #expect(try environment.checkStructure() == [])
            // Every other row goes, and others come between.
            let more = Self.someRows(300, &generator)
            try environment.write { transaction in
                for (number, row) in expected[0].enumerated() where number % 2 == 0 {
                    #expect(try transaction.delete(row.key, in: first))
                }
                for row in more { try transaction.put(row.key, row.value, in: first) }
            }
            var changed: [[UInt8]: [UInt8]] = [:]
            for (number, row) in expected[0].enumerated() where number % 2 == 1 { changed[row.key] = row.value }
            for row in more { changed[row.key] = row.value }
            #expect(try environment.rows(of: first) == changed)
            expected = []
        }
    }

    @Test("A tree has every number of rows, and so every shape that the end of a level can have")
    func shapes() throws {
        // Two rows a leaf and seven pages a branch: four levels with a few hundred rows.
        let most = 260
        let options = Environment.Options(mapSize: 1 << 30, maxTables: most + 8, syncsCommits: false)
        try withEnvironment(options) { environment, _ in
            // Names long enough for a table of tables of several pages.
            let padding = String(repeating: "x", count: 60)
            let tables = try environment.tables((0...most).map { "\(padding) \($0)" })
            let loader = try TableLoader(environment)
            func row(_ number: Int) -> (key: [UInt8], value: [UInt8]) {
                let key = bytes(UInt64(number)) + [UInt8](repeating: 1, count: 503)
                return (key, [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1_300))
            }
            for (count, table) in tables.enumerated() {
                try loader.tree(of: table).append(rows: (0..<count).map(row))
            }
            try loader.finish()
            #expect(try environment.checkStructure() == [])
            for (count, table) in tables.enumerated() {
                #expect(try environment.count(of: table) == count)
                guard count % 13 == 0 else { continue }
                #expect(try Self.rows(of: table, in: environment).elementsEqual((0..<count).map(row), by: ==))
            }
        }
    }

    @Test("A map that is too small grows, and what is filled is there after closing")
    func growth() throws {
        let sandbox = try Sandbox()
        var generator = SeededGenerator(seed: 1)
        let rows = Self.someRows(2_000, &generator)
        try autoclosed {
            let environment = try Environment.open(at: sandbox.path, options: .map(64 << 10))
            let table = try environment.tables(["rows"])[0]
            let loader = try TableLoader(environment)
            try loader.tree(of: table).append(rows: rows)
            try loader.finish()
            #expect(try environment.information().mapSize > 64 << 10)
            try environment.sync()
        }
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
        try autoclosed {
            let environment = try Environment.open(at: sandbox.path, options: .inPlace)
            let table = try environment.tables(["rows"])[0]
            #expect(try Self.rows(of: table, in: environment).elementsEqual(rows, by: ==))
        }
        withExtendedLifetime(sandbox) {}
    }

    @Test("What cannot be kept is refused, with its place or its size, and nothing is filled")
    func refusals() throws {
        try withEnvironment { environment, table in
            let loader = try TableLoader(environment)
            let tree = try loader.tree(of: table)
            try tree.append(rows: [([1, 2], [3]), ([1, 3], [])])
            for key in [[1, 3], [1, 2], [1], [0, 9]] as [[UInt8]] {
                #expect {
                    try tree.append(rows: [(key, [])])
                } throws: {
                    "\($0)".contains("Row 2 ")
                }
            }
            for size in [0, 512] {
                #expect {
                    try tree.append(rows: [([UInt8](repeating: 9, count: size), [])])
                } throws: {
                    "\($0)".contains("A key has \(size) bytes")
                }
            }
            #expect(try environment.count(of: table) == 0)
        }
    }

    @Test("A table with rows is not filled, whether they were there before or came meanwhile")
    func occupied() throws {
        try withEnvironment { environment, table in
            try environment.put([1], [1], in: table)
            let loader = try TableLoader(environment)
            #expect {
                _ = try loader.tree(of: table)
            } throws: {
                "\($0)".contains("is not empty")
            }
            #expect(try environment.rows(of: table) == [[1]: [1]])
        }
    }

    @Test("The filling is ended once")
    func twice() throws {
        try withEnvironment { environment, table in
            let loader = try TableLoader(environment)
            try loader.tree(of: table).append(rows: [([1], [1])])
            try loader.finish()
            #expect {
                try loader.finish()
            } throws: {
                "\($0)".contains("was ended before")
            }
            #expect(try environment.rows(of: table) == [[1]: [1]])
        }
    }

    @Test(
        "Without room on the disk nothing is filled, even if there is room again",
        .enabled(if: MemoryFileSystem.isAvailable))
    func fullDisk() throws {
        let system = try MemoryFileSystem(kibibytes: 16_384)
        let (path, ballast) = (system.path + "/store", system.path + "/ballast")
        #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 14 << 20)))
        try autoclosed {
            let environment = try Environment.open(at: path, options: .quick)
            let table = try environment.tables(["rows"])[0]
            let loader = try TableLoader(environment)
            let tree = try loader.tree(of: table)
            // Small ones, and some whose pages are written in the midst of a value.
            var failures = 0
            for number in 0..<30_000 {
                let value = [UInt8](repeating: 1, count: number.isMultiple(of: 500) ? 100_000 : 100)
                let code = code { try tree.append(rows: [(bytes(UInt64(number)), value)]) }
                #expect(code == nil || code == .diskFull)
                guard code != nil else { continue }
                failures += 1
                // With room again it goes on to fail: what was to be written is not there.
                if failures == 1 { try FileManager.default.removeItem(atPath: ballast) }
            }
            #expect(failures > 1)
            #expect(code { try loader.finish() } == .diskFull)
            #expect(try environment.count(of: table) == 0)
            #expect(try environment.checkStructure() == [])
        }
        #expect(try Environment.checkStructure(at: path) == [])
        withExtendedLifetime(system) {}
    }

    @Test("A table of tables that cannot be read is damage, and a name that is not in it is none")
    func records() throws {
        let sandbox = try Sandbox()
        try autoclosed {
            let environment = try Environment.open(at: sandbox.path, options: .quick)
            _ = try environment.tables(["b", "d"])
        }
        let path = sandbox.path + "/data.mdb"
        func offset(_ name: String) throws -> Int? {
            let file = try DataFile(path: path)
            guard case .success(let metas?) = try file.readMetaPages() else { return nil }
            return try file.recordOffset(of: name, metas.newest)
        }
        let offsets = try ["a", "b", "c", "d", "e"].map { try offset($0) != nil }
        #expect(offsets == [false, true, false, true, false])
        var bytes = try #require(FileManager.default.contents(atPath: path))
        let root = try #require(try offset("b")) / 4096 * 4096
        // Its own number, its flags, and the bounds of the free room.
        for place in [root, root + 10, root + 12] {
            let before = bytes[place]
            bytes[place] = before ^ 0x55
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(code { _ = try offset("b") } == .damaged)
            bytes[place] = before
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }

    @Test(
        "Beside somebody who writes nothing is filled, soon or late, and what was written stays",
        arguments: [1, 60_000])
    func writtenTo(rows: Int) throws {
        try withEnvironment { environment, table in
            let other = try environment.tables(["other"])[0]
            let loader = try TableLoader(environment)
            try environment.put([1], [1], in: other)
            #expect {
                let rows = (0..<rows).map { (key: bytes(UInt64($0)), value: bytes(UInt64($0))) }
                try loader.tree(of: table).append(rows: rows)
                try loader.finish()
            } throws: {
                "\($0)".contains("was written to")
            }
            #expect(try environment.rows(of: table) == [:])
            #expect(try environment.rows(of: other) == [[1]: [1]])
        }
    }

    @Test(
        "An environment that syncs its commits, or writes in place, is not filled at once",
        arguments: [Environment.Options(), .inPlace])
    func kinds(options: Environment.Options) throws {
        try withEnvironment(options) { environment, _ in
            #expect(code { _ = try TableLoader(environment) } == .other)
        }
    }

    @Test("A loader that is given up leaves nothing, and writing goes on over what it left")
    func givenUp() throws {
        try withEnvironment { environment, table in
            let rows = (0..<100_000).map { (key: bytes(UInt64($0)), value: bytes(UInt64($0))) }
            try autoclosed {
                let loader = try TableLoader(environment)
                try loader.tree(of: table).append(rows: rows)
            }
            for number in 0..<50 {
                try environment.put(bytes(UInt64(number)), [UInt8](repeating: 3, count: 5_000), in: table)
            }
            #expect(try environment.count(of: table) == 50)
        }
    }

    /// Lets go of what `body` opens before it returns.
    private func autoclosed(_ body: () throws -> Void) throws { try body() }
}
