import Foundation
import LMDBFormat
import LMDBSupport
import Platform
import TestSupport
import Testing

@testable import LMDB

@Suite("Data files that are built whole")
struct DataFileBuilderTests {
    private typealias Rows = [(key: [UInt8], value: [UInt8])]

    /// The rows that LMDB finds from first to last.
    private static func rows(of table: Table, in environment: Environment) throws -> Rows {
        try environment.read { transaction in
            var rows: Rows = []
            var cursor = try transaction.cursor(on: table)
            while let row = try cursor.next() { rows.append((Array(row.key), Array(row.value))) }
            for (key, value) in rows {
                #expect(try transaction.get(key, in: table).map { Array($0) } == value)
            }
            return rows
        }
    }

    /// Rows with keys of 1 to 510 bytes, most of them short, and values from none to several pages.
    private static func someRows(_ count: Int, _ generator: inout SeededGenerator) -> Rows {
        var rows: [[UInt8]: [UInt8]] = [:]
        while rows.count < count {
            let keySize = Int.random(
                in: 1...(Int.random(in: 0..<5, using: &generator) == 0 ? 510 : 40), using: &generator)
            let valueSize =
                switch Int.random(in: 0..<20, using: &generator) {
                // Around the room in a page.
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

    private static func parts(_ environment: Environment, _ count: Int = 4) throws -> [Table] {
        try environment.parts((0..<count).map { "part \($0)" })
    }

    @Test(
        "LMDB finds any rows, and changes them like its own",
        arguments: Seeds.some(6))
    func contents(seed: UInt64) throws {
        let sandbox = try Sandbox()
        var generator = SeededGenerator(seed: seed)
        let expected = (0..<3).map { _ in Self.someRows(Int.random(in: 0...1_500, using: &generator), &generator) }
        let file = try DataFileBuilder(in: sandbox.path)
        // Alternating, as in a rebuild.
        var rest = expected.map { $0[...] }
        while rest.contains(where: { !$0.isEmpty }) {
            let index = Int.random(in: 0..<3, using: &generator)
            let count = min(rest[index].count, Int.random(in: 0...200, using: &generator))
            try file.part(UInt8(index)).append(rows: Array(rest[index].prefix(count)))
            rest[index].removeFirst(count)
        }
        for index in 0..<3 { #expect(file.count(ofPart: UInt8(index)) == expected[index].count) }
        try file.finish()
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        let tables = try Self.parts(environment)
        for index in 0..<3 {
            let found = try Self.rows(of: tables[index], in: environment)
            #expect(found.elementsEqual(expected[index], by: ==), "part \(index)")
        }
        // Every other row is deleted, and others are inserted between.
        let more = Self.someRows(300, &generator)
        try environment.write { transaction in
            for (number, row) in expected[0].enumerated() where number % 2 == 0 {
                #expect(try transaction.delete(row.key, in: tables[0]))
            }
            for row in more { try transaction.put(row.key, row.value, in: tables[0]) }
            try transaction.put([7], [7], in: tables[3])
        }
        var changed: [[UInt8]: [UInt8]] = [:]
        for (number, row) in expected[0].enumerated() where number % 2 == 1 { changed[row.key] = row.value }
        for row in more { changed[row.key] = row.value }
        #expect(try environment.rows(of: tables[0]) == changed)
        #expect(try environment.rows(of: tables[3]) == [[7]: [7]])
        #expect(try environment.checkStructure() == [])
    }

    @Test("A tree has every number of rows, and so every shape that the end of a level can have")
    func shapes() throws {
        // Two rows a leaf and seven pages a branch: four levels with a few hundred rows.
        func row(_ number: Int) -> (key: [UInt8], value: [UInt8]) {
            let key = bytes(UInt64(number)) + [UInt8](repeating: 1, count: 502)
            return (key, [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1_300))
        }
        for count in 0...260 {
            let sandbox = try Sandbox()
            let file = try DataFileBuilder(in: sandbox.path)
            // In two parts, so that some end in the middle of a level.
            try file.part(3).append(rows: (count / 3..<count).map(row))
            try file.part(1).append(rows: (0..<count / 3).map(row))
            try file.finish()
            #expect(try Environment.checkStructure(at: sandbox.path) == [], "\(count) rows")
            guard count < 20 || count % 13 == 0 else { continue }
            let environment = try Environment.open(at: sandbox.path, options: .quick)
            let tables = try Self.parts(environment)
            #expect(try Self.rows(of: tables[1], in: environment).elementsEqual((0..<count / 3).map(row), by: ==))
            #expect(try Self.rows(of: tables[3], in: environment).elementsEqual((count / 3..<count).map(row), by: ==))
        }
    }

    @Test("Pages of other sizes are filled as well", arguments: [2_048, 16_384, 32_768])
    func pageSizes(pageSize: Int) throws {
        for keySize in [8, 100, 510] {
            var generator = SeededGenerator(seed: UInt64(pageSize + keySize))
            for count in Array(0...40) + [1_000] {
                let sandbox = try Sandbox()
                let file = try DataFileBuilder(in: sandbox.path, pageSize: pageSize)
                for number in 0..<count {
                    let size =
                        number.isMultiple(of: 9) ? Int.random(in: 0...3 * pageSize, using: &generator) : pageSize / 5
                    let key = bytes(UInt64(number)) + [UInt8](repeating: 2, count: keySize - 8)
                    try file.part(0).append(key, [UInt8](repeating: 1, count: size))
                }
                try file.finish()
                let faults = try Environment.checkStructure(at: sandbox.path)
                #expect(faults == [], "\(count) rows, keys of \(keySize)")
            }
        }
    }

    @Test("An invalid row is refused, with its order or its size, and later rows are kept")
    func refusals() throws {
        let sandbox = try Sandbox()
        let file = try DataFileBuilder(in: sandbox.path)
        let part = file.part(2)
        try part.append(rows: [([1, 2], [3]), ([1, 3], [])])
        for key in [[1, 3], [1, 2], [1], [0, 9]] as [[UInt8]] {
            #expect {
                try part.append(key, [])
            } throws: {
                "\($0)".contains("Row 2 ")
            }
        }
        for size in [0, 511] {
            #expect {
                try part.append([UInt8](repeating: 9, count: size), [])
            } throws: {
                "\($0)".contains("A key has \(size) bytes")
            }
        }
        try part.append([9], [9])
        try file.finish()
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        #expect(try environment.rows(of: Self.parts(environment)[2]) == [[1, 2]: [3], [1, 3]: [], [9]: [9]])
        #expect(try environment.checkStructure() == [])
    }

    @Test("A file is finished once, and not made where one is")
    func twice() throws {
        let sandbox = try Sandbox()
        let file = try DataFileBuilder(in: sandbox.path)
        try file.part(0).append([1], [1])
        try file.finish()
        #expect {
            try file.finish()
        } throws: {
            "\($0)".contains("was finished before")
        }
        #expect(throws: StorageError.self) { _ = try DataFileBuilder(in: sandbox.path) }
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        #expect(try environment.rows(of: Self.parts(environment)[0]) == [[1]: [1]])
        #expect(try environment.checkStructure() == [])
    }

    @Test(
        "Without room on the disk it is not finished, even if there is room again",
        .enabled(if: MemoryFileSystem.isAvailable))
    func fullDisk() throws {
        let system = try MemoryFileSystem(kibibytes: 16_384)
        let (path, ballast) = (system.path + "/store", system.path + "/ballast")
        try Folder.create(path)
        #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 14 << 20)))
        let file = try DataFileBuilder(in: path)
        // Small ones, and some whose pages are written in the middle of a value.
        var failures = 0
        for number in 0..<30_000 {
            let value = [UInt8](repeating: 1, count: number.isMultiple(of: 500) ? 100_000 : 100)
            let code = code { try file.part(0).append(bytes(UInt64(number)), value) }
            #expect(code == nil || code == .diskFull)
            guard code != nil else { continue }
            failures += 1
            // With room again it still fails: bytes that were to be written are missing.
            if failures == 1 { try FileManager.default.removeItem(atPath: ballast) }
        }
        #expect(failures > 1)
        #expect(code { try file.finish() } == .diskFull)
        #expect(code { _ = try Environment.open(at: path, options: Environment.Options(.reading)) } != nil)
        withExtendedLifetime(system) {}
    }

    @Test("One that is given up is no data file", arguments: [10, 100_000])
    func givenUp(rows: Int) throws {
        let sandbox = try Sandbox()
        let file = try DataFileBuilder(in: sandbox.path)
        for row in 0..<rows { try file.part(0).append(bytes(UInt64(row)), bytes(UInt64(row))) }
        let code = code { _ = try Environment.open(at: sandbox.path, options: Environment.Options(.reading)) }
        #expect(code == (rows == 10 ? .unfinished : .damaged))
    }
}

extension PartWriter {
    func append(rows: [(key: [UInt8], value: [UInt8])]) throws {
        for (key, value) in rows { try append(key, value) }
    }
}
