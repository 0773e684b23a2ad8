import LMDB
import LMDBSupport
import Platform
import TestSupport
import Testing

@Suite("Keys and values")
struct RowTests {
    @Test("Keys have 1 to 511 bytes; others are refused as what they are", arguments: [0, 1, 2, 510, 511, 512, 4096])
    func keySizes(size: Int) throws {
        try withEnvironment { environment, table in
            let key = [UInt8](repeating: 7, count: size)
            guard (1...511).contains(size) else {
                #expect(code { try environment.put(key, [1], in: table) } == .badKey)
                #expect(try environment.count(of: table) == 0)
                if size == 0 {
                    #expect(code { _ = try environment.value(key, in: table) } == .badKey)
                    #expect(code { try environment.write { _ = try $0.delete(key, in: table) } } == .badKey)
                } else {
                    #expect(try environment.value(key, in: table) == nil)
                }
                return
            }
            try environment.put(key, [1], in: table)
            #expect(try environment.value(key, in: table) == [1])
        }
    }

    @Test("An empty key is refused by a cursor too")
    func emptyKeyUnderACursor() throws {
        try withEnvironment { environment, table in
            try environment.put([1], [1], in: table)
            try environment.read { transaction in
                var cursor = try transaction.cursor(on: table)
                let codes = [
                    code { _ = try cursor.seek(atOrAfter: [UInt8]()) }, code { _ = try cursor.seek(before: [UInt8]()) },
                ]
                #expect(codes == [.badKey, .badKey])
            }
        }
    }

    @Test(
        "Values of any size come back as they were, in pages of their own where needed",
        arguments: [0, 1, 2, 2030, 2031, 2040, 4079, 4080, 4081, 8176, 8177, 100_000, 5_000_000])
    func valueSizes(size: Int) throws {
        try withEnvironment { environment, table in
            let value = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try environment.put(bytes("key"), value, in: table)
            try environment.put(bytes("later"), value[...], in: table)
            #expect(try environment.value(bytes("key"), in: table) == value)
            #expect(try environment.value(bytes("later"), in: table) == value)
            #expect(try environment.checkStructure() == [])
            // A shorter value may keep the pages of the longer one.
            try environment.put(bytes("key"), value.prefix(size / 2), in: table)
            #expect(try environment.write { try $0.delete(bytes("later"), in: table) })
            #expect(try environment.value(bytes("key"), in: table) == Array(value.prefix(size / 2)))
        }
    }

    @Test("Numbers as keys lie in numeric order")
    func numericKeys() throws {
        try withEnvironment { environment, table in
            let numbers: [UInt64] = [.max, 0, 256, 1, 255, 1 << 40, 65536]
            for number in numbers { try environment.put(number, bytes("\(number)"), in: table) }
            try environment.read { transaction in
                var cursor = try transaction.cursor(on: table)
                var found: [UInt64] = []
                while let row = try cursor.next() {
                    found.append(UInt64(bigEndian: row.key.loadUnaligned(as: UInt64.self)))
                }
                #expect(found == numbers.sorted())
            }
        }
    }

    @Test("A row put at the end must lie after all others, and one that does not is refused")
    func placement() throws {
        try withEnvironment { environment, table in
            try environment.write { transaction in
                for number in UInt64(1)...1000 { try transaction.put(number, [1, 2, 3], in: table, .atEnd) }
            }
            for number: UInt64 in [1000, 999, 0] {
                #expect(throws: StorageError.self) {
                    try environment.write { try $0.put(number, [9], in: table, .atEnd) }
                }
            }
            #expect(try environment.value(UInt64(1000), in: table) == [1, 2, 3])
            try environment.write { try $0.put(UInt64(1001), [4], in: table, .atEnd) }
            #expect(try environment.count(of: table) == 1001)
        }
    }

    @Test("Rows put at the end fill pages wholly")
    func densePages() throws {
        try withEnvironment { environment, table in
            let tables = try environment.tables(["appended", "put"])
            try environment.write { transaction in
                for number in UInt64(0)..<5000 {
                    try transaction.put(number, [UInt8](repeating: 1, count: 100), in: tables[0], .atEnd)
                    try transaction.put((number &* 0x9E37) % 65536, [UInt8](repeating: 1, count: 100), in: tables[1])
                }
            }
            let sizes = try environment.read { transaction in
                try tables.map { try transaction.size(of: $0) / transaction.count(of: $0) }
            }
            #expect(sizes[0] < 130 && sizes[0] < sizes[1], "\(sizes) bytes a row")
            _ = table
        }
    }

    @Test(
        "Any mixture of puts, deletions and rollbacks leaves what a dictionary would, and a sound file",
        arguments: [UInt64(21), 22, 23, 24, 25, 26])
    func model(seed: UInt64) throws {
        struct Rollback: Error {}
        try withEnvironment(.map(1 << 20)) { environment, table in
            var generator = SeededGenerator(seed: seed)
            var model: [[UInt8]: [UInt8]] = [:]
            for round in 0..<25 {
                let commits = Int.random(in: 0..<5, using: &generator) > 0
                let before = model
                let changes = (0..<Int.random(in: 1...120, using: &generator)).map { _ in
                    Change.random(using: &generator)
                }
                do {
                    try environment.write { transaction in
                        model = before
                        for change in changes { try change.apply(to: transaction, table, &model) }
                        if !commits { throw Rollback() }
                    }
                } catch is Rollback {
                    model = before
                }
                #expect(try environment.rows(of: table) == model, "round \(round), seed \(seed)")
                #expect(try environment.checkStructure() == [], "round \(round), seed \(seed)")
            }
        }
    }

    private enum Change {
        case put([UInt8], Int)
        case delete([UInt8])
        case clear

        static func random(using generator: inout SeededGenerator) -> Change {
            // Few keys, so that most are there; some long ones, so that branches are too.
            let number = Int.random(in: 0..<400, using: &generator)
            let key = bytes("\(number)") + [UInt8](repeating: UInt8(number % 7), count: (number % 5) * 100)
            switch Int.random(in: 0..<200, using: &generator) {
            case 0: return .clear
            case 1..<80: return .delete(key)
            case 80..<90: return .put(key, Int.random(in: 3000..<40000, using: &generator))
            default: return .put(key, Int.random(in: 0..<600, using: &generator))
            }
        }

        func apply(
            to transaction: borrowing WriteTransaction, _ table: Table, _ model: inout [[UInt8]: [UInt8]]
        ) throws {
            switch self {
            case .put(let key, let size):
                let value = [UInt8](repeating: key[0], count: size)
                try transaction.put(key, value, in: table)
                model[key] = value
            case .delete(let key):
                #expect(try transaction.delete(key, in: table) == (model.removeValue(forKey: key) != nil))
            case .clear:
                try transaction.clear(table)
                model = [:]
            }
        }
    }
}
