import Foundation
import LMDBSupport
import Platform
import TestSupport
import Testing

@testable import LMDB

@Suite("Parts of the unnamed table")
struct PartsTests {
    private static let count = 256

    /// Opens an environment with parts, and checks its structure after `body`.
    private func withParts(_ body: (Environment, [Table]) throws -> Void) throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(
            at: sandbox.path, options: Environment.Options(durability: .unsynced, maxTables: 0))
        try body(environment, try environment.parts((0..<Self.count).map { "part \($0)" }))
        #expect(try environment.checkStructure() == [])
    }

    private typealias Model = [UInt8: [[UInt8]: [UInt8]]]

    /// Of up to 3 bytes, or of some more that many have in common: a walk compares the first 8 with its end at once.
    private static func key(_ generator: inout SeededGenerator) -> [UInt8] {
        let common = [UInt8](repeating: 1, count: [0, 0, 6, 8].randomElement(using: &generator) ?? 0)
        return common
            + (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                [0, 1, 255].randomElement(using: &generator) ?? 0
            }
    }

    @Test("They are read and written as before once their environment was suspended and resumed")
    func suspended() throws {
        try withParts { environment, tables in
            try environment.write { try $0.put([1], [2], in: tables[3]) }
            try environment.suspend(by: .now + .seconds(600))
            try environment.resume()
            #expect(try environment.read { try $0.get([1], in: tables[3]).map { [UInt8]($0) } } == [2])
            try environment.write { try $0.put([3], [4], in: tables[3]) }
            #expect(try environment.read { try $0.get([3], in: tables[3]).map { [UInt8]($0) } } == [4])
        }
    }

    @Test("Each behaves like a table of its own, whatever lies beside it", arguments: Seeds.some(4))
    func model(seed: UInt64) throws {
        try withParts { environment, tables in
            var generator = SeededGenerator(seed: seed)
            var model: Model = [:]
            let numbers: [UInt8] = [0, 1, 2, 7, 254, 255]
            for _ in 0..<30 {
                try environment.write { transaction in
                    for _ in 0..<Int.random(in: 1...20, using: &generator) {
                        let number = numbers.randomElement(using: &generator) ?? 0
                        let (key, table) = (Self.key(&generator), tables[Int(number)])
                        switch Int.random(in: 0..<4, using: &generator) {
                        case 0:
                            let isThere = model[number, default: [:]].removeValue(forKey: key) != nil
                            #expect(try transaction.delete(key, in: table) == isThere)
                        case 1:
                            let isNew = model[number]?[key] == nil
                            #expect(try transaction.putIfAbsent(key, [1], in: table) == isNew)
                            if isNew { model[number, default: [:]][key] = [1] }
                        case 2:
                            try transaction.put(key, [2], [UInt8](repeating: number, count: 3), in: table)
                            model[number, default: [:]][key] = [2, number, number, number]
                        default:
                            try transaction.put(key, [number], in: table)
                            model[number, default: [:]][key] = [number]
                        }
                    }
                }
                for number in numbers {
                    try compare(environment, tables[Int(number)], model[number] ?? [:], &generator)
                }
            }
            #expect(try environment.rows(of: tables[100]) == [:])
        }
    }

    private func compare(
        _ environment: Environment, _ table: Table, _ model: [[UInt8]: [UInt8]], _ generator: inout SeededGenerator
    ) throws {
        let keys = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let wanted = (0..<5).map { _ in Self.key(&generator) }
        try environment.read { transaction in
            var cursor = try transaction.cursor(on: table)
            var found: [[UInt8]] = []
            while let row = try cursor.next() { found.append(Array(row.key)) }
            #expect(found == keys)
            var backward = try transaction.cursor(on: table)
            found = []
            while let row = try backward.previous() { found.append(Array(row.key)) }
            #expect(found == keys.reversed())
            let ends = (try cursor.first().map { Array($0.key) }, try cursor.last().map { Array($0.key) })
            #expect(ends == (keys.first, keys.last))
            for key in wanted {
                #expect(try transaction.get(key, in: table).map { Array($0) } == model[key])
                let after = try cursor.seek(atOrAfter: key).map { Array($0.key) }
                #expect(after == keys.first { !$0.lexicographicallyPrecedes(key) })
                let before = try cursor.seek(before: key).map { Array($0.key) }
                #expect(before == keys.last { $0.lexicographicallyPrecedes(key) })
                try expectCounted(&cursor, from: key, to: wanted[0], keys)
                try expectCounted(&cursor, from: key, to: nil, keys)
                try expectWalked(&cursor, from: key, to: wanted[0], keys)
                try expectWalked(&cursor, from: key, to: nil, keys)
            }
        }
    }

    /// Walking from a key to an end visits what lies there in a sorted list, in parts as well as at once.
    private func expectWalked(
        _ cursor: inout Cursor, from key: [UInt8], to end: [UInt8]?, _ keys: [[UInt8]]
    ) throws {
        let expected = keys.filter { other in
            !other.lexicographicallyPrecedes(key) && end.map { other.lexicographicallyPrecedes($0) } ?? true
        }
        for part in [1, 3, Int.max] {
            guard let first = try cursor.seek(atOrAfter: key).map({ Array($0.key) }) else { continue }
            // The cursor stands on the first, whether that is below the end or not.
            var found = [first]
            var isAtEnd = false
            while !isAtEnd {
                func visit(_ row: Cursor.Row) -> Bool {
                    found.append(Array(row.key))
                    // As if the caller had found what it looked for.
                    return found.count % 5 != 0
                }
                let visited =
                    if let end {
                        try end.withUnsafeBytes { try cursor.forEachNext(before: $0, atMost: part, visit) }
                    } else {
                        try cursor.forEachNext(before: nil, atMost: part, visit)
                    }
                if let last = visited.last { #expect(Array(last.key) == found.last) }
                isAtEnd = visited.isAtEnd
            }
            if let end, !first.lexicographicallyPrecedes(end) {
                #expect(found == [first])
            } else {
                #expect(found == expected)
            }
        }
    }

    /// Counting from a key to an end finds as many as there are in a sorted list, and ends at the last of them.
    private func expectCounted(
        _ cursor: inout Cursor, from key: [UInt8], to end: [UInt8]?, _ keys: [[UInt8]]
    ) throws {
        let counted = keys.filter { other in
            !other.lexicographicallyPrecedes(key) && end.map { other.lexicographicallyPrecedes($0) } ?? true
        }
        guard try cursor.seek(atOrAfter: key) != nil else { return #expect(counted.isEmpty) }
        let (rows, last) =
            if let end { try end.withUnsafeBytes { try cursor.count(before: $0) } } else {
                try cursor.count(before: nil)
            }
        #expect(rows == counted.count)
        #expect(last.map { Array($0.key) } == counted.last)
    }

    @Test("Keys of 1 to 510 bytes are taken, and others refused")
    func keySizes() throws {
        try withParts { environment, tables in
            for size in [1, 510] { try environment.put([UInt8](repeating: 1, count: size), [1], in: tables[5]) }
            for size in [0, 511, 512, 5000] {
                let key = [UInt8](repeating: 1, count: size)
                #expect(code { try environment.put(key, [1], in: tables[5]) } == .badKey, "\(size)")
            }
            #expect(try environment.rows(of: tables[5]).count == 2)
            for size in [0, 511, 512, 5000] {
                let key = [UInt8](repeating: 1, count: size)
                let read = code {
                    let value = try environment.read { try $0.get(key, in: tables[5]).map { Array($0) } }
                    #expect(value == nil)
                }
                let deleted = code {
                    let wasThere = try environment.write { try $0.delete(key, in: tables[5]) }
                    #expect(!wasThere)
                }
                #expect(read == (size == 0 ? .badKey : nil) && deleted == read, "\(size)")
                guard size > 0 else { continue }
                try environment.read { transaction in
                    var cursor = try transaction.cursor(on: tables[5])
                    let (after, before) = (
                        try cursor.seek(atOrAfter: key).map { $0.key.count },
                        try cursor.seek(before: key).map { $0.key.count }
                    )
                    #expect(after == nil && before == 510, "\(size)")
                }
            }
        }
    }

    @Test(
        "They are refused where commits are synced, for what changes in them is not written ahead, and more than 256 are"
    )
    func refused() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path)
        #expect(code { _ = try environment.parts(["one"]) } == .other)
        try withParts { environment, _ in
            let names = (0..<257).map { "part \($0)" }
            #expect(code { _ = try environment.parts(names) } == .other)
        }
    }
}
