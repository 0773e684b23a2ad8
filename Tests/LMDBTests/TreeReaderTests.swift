import Foundation
import TestSupport
import Testing

@testable import LMDB

@Suite("Finding rows without LMDB")
struct TreeReaderTests {
    private typealias Rows = [[UInt8]: [UInt8]]

    /// Keys of 1 to 511 bytes, many of which begin with the same ones; values from none to several pages.
    private static func someRows(_ count: Int, _ generator: inout SeededGenerator) -> Rows {
        let starts = (0..<6).map { _ in (0..<Int.random(in: 0...24, using: &generator)).map { UInt8($0) } }
        var rows: Rows = [:]
        while rows.count < count {
            let start = starts[Int.random(in: 0..<starts.count, using: &generator)]
            let most = Int.random(in: 0..<8, using: &generator) == 0 ? 480 : 12
            let rest = Int.random(in: 1...most, using: &generator)
            let key = start + (0..<rest).map { _ in UInt8.random(in: 0...3, using: &generator) }
            let size = Int.random(in: 0..<30, using: &generator) == 0 ? 9_000 : 200
            rows[key] = (0..<Int.random(in: 0...size, using: &generator)).map { UInt8(truncatingIfNeeded: $0) }
        }
        return rows
    }

    /// Keys that are there and keys that are not: shorter, longer and beside them.
    private static func keys(_ rows: Rows, _ generator: inout SeededGenerator) -> [[UInt8]] {
        let there = rows.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let beside = there.flatMap { key -> [[UInt8]] in
            let start = Array(key.dropLast())
            return [start, key + [0], start + [key[key.count - 1] &+ 1]]
        }
        return (there + beside.filter { 1...511 ~= $0.count } + [[0], [255], Array(repeating: 255, count: 511)])
            .shuffled(using: &generator)
    }

    @Test(
        "Keys are found as LMDB finds them, one by one and near each other, and as often as rows change",
        arguments: Seeds.some(6))
    func agrees(seed: UInt64) throws {
        try withEnvironment { environment, table in
            var generator = SeededGenerator(seed: seed)
            var model: Rows = [:]
            for count in [1, 3, 60, 900] {
                let more = Self.someRows(count, &generator)
                let fewer = model.keys.filter { _ in Bool.random(using: &generator) }
                try environment.write { transaction in
                    for key in fewer { try transaction.delete(key, in: table) }
                    for (key, value) in more { try transaction.put(key, value, in: table) }
                    // What is not committed lies in pages of LMDB's own.
                    for key in more.keys {
                        #expect(try transaction.reading.get(key, in: table).map { Array($0) } == more[key])
                    }
                }
                for key in fewer { model[key] = nil }
                model.merge(more) { $1 }
                let keys = Self.keys(model, &generator)
                try environment.read { transaction in
                    var finder = transaction.finder(in: table)
                    let ordered = keys.sorted { $0.lexicographicallyPrecedes($1) }
                    for key in keys + ordered + ordered.reversed() {
                        #expect(try transaction.get(key, in: table).map { Array($0) } == model[key], "seed \(seed)")
                        let found = try key.withUnsafeBytes { try finder.value(of: $0).map { Array($0) } }
                        #expect(found == model[key], "seed \(seed)")
                        // It is this that found it, or found that it is not there, and not LMDB.
                        let tree = TreeReader(transaction, table)
                        let answer = key.withUnsafeBytes { bytes in tree.flatMap { $0.value(of: bytes) } }
                        #expect(answer != nil, "seed \(seed)")
                    }
                }
            }
        }
    }

    @Test("Rows under a prefix are shown in order, within a page and beyond it", arguments: Seeds.some(4))
    func prefixes(seed: UInt64) throws {
        try withEnvironment { environment, table in
            var generator = SeededGenerator(seed: seed)
            let model = Self.someRows(1_200, &generator)
            try environment.write { for (key, value) in model { try $0.put(key, value, in: table) } }
            let sorted = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
            let prefixes = Self.keys(model, &generator).prefix(600).map { key in
                Array(key.prefix(Int.random(in: 0...key.count, using: &generator)))
            }
            try environment.read { transaction in
                var finder = transaction.finder(in: table)
                for prefix in prefixes + [[], [255]] {
                    var found: [[UInt8]] = []
                    try prefix.withUnsafeBytes { prefix in
                        try finder.forEachRow(withPrefix: prefix) { row in
                            found.append(Array(row.key))
                            #expect(Array(row.value) == model[found[found.count - 1]], "seed \(seed)")
                        }
                    }
                    #expect(found == sorted.filter { $0.starts(with: prefix) }, "seed \(seed), prefix \(prefix)")
                }
            }
        }
    }

    private struct Enough: Error {}

    @Test("Who has seen enough rows under a prefix ends it by an error, and goes on with the next")
    func stopping() throws {
        try withEnvironment { environment, table in
            try environment.write { for number in UInt64(0)..<500 { try $0.put(number, number, in: table) } }
            try environment.read { transaction in
                var finder = transaction.finder(in: table)
                for _ in 0..<2 {
                    var rows = 0
                    #expect(throws: Enough.self) {
                        try bytes(0)[..<6].withUnsafeBytes { prefix in
                            try finder.forEachRow(withPrefix: prefix) { _ in
                                rows += 1
                                if rows == 300 { throw Enough() }
                            }
                        }
                    }
                    #expect(rows == 300)
                    let next = try bytes(7).withUnsafeBytes { try finder.value(of: $0).map { Array($0) } }
                    #expect(next == bytes(7))
                }
            }
        }
    }

    @Test(
        "A snapshot shows what it did while others write, in as many tables as there are", arguments: [false, true])
    func snapshots(writesInPlace: Bool) throws {
        let options = Environment.Options(maxTables: 48, syncsCommits: false, writesInPlace: writesInPlace)
        try withEnvironment(options) { environment, first in
            let tables = [first] + (try environment.tables((0..<40).map { "table \($0)" }))
            @Sendable func fill(_ value: UInt64) throws {
                try environment.write { transaction in
                    for table in tables { for key in UInt64(0)..<50 { try transaction.put(key, value, in: table) } }
                }
            }
            @Sendable func found(_ transaction: borrowing ReadTransaction) throws -> Set<[UInt8]?> {
                var found: Set<[UInt8]?> = []
                for table in tables {
                    for key in UInt64(0)..<50 { found.insert(try transaction.get(key, in: table).map { Array($0) }) }
                }
                return found
            }
            let nothing = try environment.read { try found($0) }
            #expect(nothing == [nil])
            for value in UInt64(1)..<6 {
                try fill(value)
                try environment.read { transaction in
                    let before = try found(transaction)
                    #expect(before == [bytes(value)])
                    let failures = concurrently(1) { _ in
                        try fill(value * 100)
                        let new = try environment.read { try found($0) }
                        #expect(new == [bytes(value * 100)])
                    }
                    #expect(failures == [])
                    let after = try found(transaction)
                    #expect(after == [bytes(value)])
                }
            }
        }
    }

    @Test("A table that is cleared and filled again shows what is in it now")
    func cleared() throws {
        try withEnvironment { environment, table in
            for round in UInt64(1)..<5 {
                try environment.write { for key in UInt64(0)..<200 { try $0.put(key, round, in: table) } }
                #expect(try environment.value(UInt64(7), in: table) == bytes(round))
                try environment.write { try $0.clear(table) }
                #expect(try environment.value(UInt64(7), in: table) == nil)
            }
        }
    }

    @Test("Readers find both rows of a commit or neither, while others commit")
    func wholeCommits() throws {
        try withEnvironment { environment, table in
            try environment.put([1], [0], in: table)
            let failures = concurrently(4) { number in
                for round in 0..<300 {
                    if number == 0 {
                        try environment.write { transaction in
                            let next = (try transaction.reading.get([1], in: table)?.first ?? 0) &+ 1
                            try transaction.put([1], [next], in: table)
                            try transaction.put([2], [next], in: table)
                        }
                        continue
                    }
                    try environment.read { transaction in
                        let one = try transaction.get([1], in: table)?.first
                        var cursor = try transaction.cursor(on: table)
                        let two = try cursor.last()?.value.first
                        #expect(one == two, "round \(round)")
                    }
                }
            }
            #expect(failures == [])
        }
    }

    @Test("More readers at once than there are places each see what was committed when they began")
    func crowd() throws {
        try withEnvironment { environment, table in
            @Sendable func read(_ depth: UInt64) throws {
                try environment.put([1], depth, in: table)
                try environment.read { transaction in
                    if depth < 20 { #expect(concurrently(1) { _ in try read(depth + 1) } == []) }
                    let found = try transaction.get([1], in: table).map { Array($0) }
                    #expect(found == bytes(depth))
                    var finder = transaction.finder(in: table)
                    let again = try [UInt8(1)].withUnsafeBytes { try finder.value(of: $0).map { Array($0) } }
                    #expect(again == bytes(depth))
                }
            }
            try read(1)
        }
    }

    @Test("A store that is open is read though its folder is gone")
    func deleted() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        let table = try environment.tables(["rows"])[0]
        try environment.put([1], [2], in: table)
        try FileManager.default.removeItem(atPath: sandbox.path)
        #expect(try environment.value([1], in: table) == [2])
    }

    @Test("An empty table that is filled without a transaction is not taken for empty")
    func filled() throws {
        try withEnvironment { environment, table in
            #expect(try environment.value([1], in: table) == nil)
            let loader = try TableLoader(environment)
            try loader.tree(of: table).append(rows: [(key: [1], value: [2])])
            #expect(try environment.value([1], in: table) == nil)
            try loader.finish()
            #expect(try environment.value([1], in: table) == [2])
        }
    }
}
