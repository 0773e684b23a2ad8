import LMDB
import LMDBSupport
import TestSupport
import Testing

@Suite("Cursors")
struct CursorTests {
    /// Every second key of a row of neighbours, so that there is a missing one between any two.
    private static func key(_ number: Int) -> [UInt8] { bytes(UInt64(number) * 2 + 1) }

    private static func fill(_ environment: Environment, _ table: Table, rows: Int) throws {
        try environment.write { transaction in
            for number in 0..<rows {
                // Values of a third of a page: few rows make several levels.
                try transaction.put(key(number), [UInt8](repeating: UInt8(number % 256), count: 1300), in: table)
            }
        }
    }

    @Test("Rows come in order in both directions, to nil and back", arguments: [0, 1, 2, 3, 4, 700])
    func bothDirections(rows: Int) throws {
        try withEnvironment { environment, table in
            try Self.fill(environment, table, rows: rows)
            try environment.read { transaction in
                var cursor = try transaction.cursor(on: table)
                var forward: [[UInt8]] = []
                while let row = try cursor.next() {
                    forward.append(Array(row.key))
                    #expect(row.value.count == 1300)
                }
                #expect(forward == (0..<rows).map(Self.key))
                #expect(try cursor.next() == nil)
                var other = try transaction.cursor(on: table)
                var backward: [[UInt8]] = []
                while let row = try other.previous() { backward.append(Array(row.key)) }
                #expect(backward == (0..<rows).reversed().map(Self.key))
                #expect(try cursor.first().map { Array($0.key) } == (rows > 0 ? Self.key(0) : nil))
                #expect(try cursor.last().map { Array($0.key) } == (rows > 0 ? Self.key(rows - 1) : nil))
            }
        }
    }

    @Test(
        "Seeking finds the neighbours of every key, there or missing, with a new cursor and a used one",
        arguments: [0, 1, 2, 3, 50, 700])
    func seeking(rows: Int) throws {
        try withEnvironment { environment, table in
            try Self.fill(environment, table, rows: rows)
            try environment.read { transaction in
                var used = try transaction.cursor(on: table)
                var generator = SeededGenerator(seed: 11)
                var places = Array(0...(rows * 2 + 2)) + [100_000]
                places.shuffle(using: &generator)
                for place in places {
                    let wanted = bytes(UInt64(place))
                    let after = (0..<rows).map(Self.key).first { !$0.lexicographicallyPrecedes(wanted) }
                    let before = place / 2 == 0 ? nil : rows == 0 ? nil : Self.key(min(place / 2, rows) - 1)
                    var fresh = try transaction.cursor(on: table)
                    #expect(try fresh.seek(atOrAfter: wanted).map { Array($0.key) } == after, "\(place), seed 11")
                    #expect(try used.seek(atOrAfter: wanted).map { Array($0.key) } == after, "\(place), seed 11")
                    #expect(try used.seek(before: wanted).map { Array($0.key) } == before, "\(place), seed 11")
                    var another = try transaction.cursor(on: table)
                    #expect(try another.seek(before: wanted).map { Array($0.key) } == before, "\(place), seed 11")
                }
            }
        }
    }

    @Test("Moves in any order agree with a sorted list", arguments: [UInt64(1), 2, 3, 4])
    func randomMoves(seed: UInt64) throws {
        try withEnvironment { environment, table in
            try Self.fill(environment, table, rows: 40)
            let keys = (0..<40).map(Self.key)
            try environment.read { transaction in
                var generator = SeededGenerator(seed: seed)
                var cursor = try transaction.cursor(on: table)
                for step in 0..<2000 {
                    // From a known position: LMDB does not specify moves past an end.
                    let start = Int.random(in: 0..<40, using: &generator)
                    #expect(try cursor.seek(atOrAfter: keys[start]).map { Array($0.key) } == keys[start])
                    var place = start
                    for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                        let goesUp = Bool.random(using: &generator)
                        let next = place + (goesUp ? 1 : -1)
                        let row = try goesUp ? cursor.next() : cursor.previous()
                        #expect(
                            row.map { Array($0.key) } == (keys.indices.contains(next) ? keys[next] : nil),
                            "step \(step), seed \(seed)")
                        guard keys.indices.contains(next) else { break }
                        place = next
                    }
                }
            }
        }
    }

    @Test("A cursor stays in place while rows beside it are deleted and put in the same transaction")
    func writesBesideACursor() throws {
        try withEnvironment { environment, table in
            try Self.fill(environment, table, rows: 300)
            try environment.write { transaction in
                var cursor = try transaction.reading.cursor(on: table)
                var seen = 0
                var row = try cursor.first()
                while let current = row {
                    let key = Array(current.key)
                    #expect(key == Self.key(seen))
                    seen += 1
                    if seen % 3 == 0 { try transaction.delete(key, in: table) }
                    row = try cursor.seek(atOrAfter: bytes(UInt64(seen * 2 + 1)))
                }
                #expect(seen == 300)
            }
            #expect(try environment.count(of: table) == 200)
        }
    }
}
