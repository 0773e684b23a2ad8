import Foundation
import LMDB
import LMDBFormat
import LMDBSupport
import TestSupport
import Testing

private enum Python {
    static let isAvailable = runProgram("/usr/bin/env", ["python3", "-c", "import lmdb"])?.code == 0

    static func run(_ script: String, _ arguments: String...) throws -> String {
        let run = try #require(runProgram("/usr/bin/env", ["python3", "-c", script] + arguments))
        try #require(run.code == 0, "\(run.output)")
        return run.output
    }
}

/// Our files read by another binding of LMDB, with its own copy of the library, and its files read by us.
@Suite("The Python package lmdb", .enabled(if: Python.isAvailable))
struct PythonTests {
    /// Rows with keys from 1 to 511 bytes and values from none to several pages.
    private static let rows: [[UInt8]: [UInt8]] = {
        var generator = SeededGenerator(seed: 5)
        return Dictionary(
            uniqueKeysWithValues: (0..<300).map { number in
                let key =
                    bytes("\(number)") + [UInt8](repeating: 0x80, count: Int.random(in: 0...508, using: &generator))
                let size = number % 10 == 0 ? Int.random(in: 0...20000, using: &generator) : number
                return (key, [UInt8](repeating: UInt8(number % 256), count: size))
            })
    }()

    private static let keys = rows.keys.sorted { $0.lexicographicallyPrecedes($1) }

    /// Expects that a program has printed all rows, key and value, in order.
    private func expectRows(_ output: String, _ keys: [[UInt8]] = keys) {
        let expected = keys.map { Self.hex($0) + " " + Self.hex(Self.rows[$0] ?? []) }
        #expect(
            output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                == expected.map { $0.trimmingCharacters(in: .whitespaces) })
    }

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    @Test("It reads what we wrote")
    func readsOurs() throws {
        let sandbox = try Sandbox()
        try autoclosed {
            let environment = try Environment.open(at: sandbox.path)
            let table = try environment.tables(["rows", "others"])[0]
            try environment.write { transaction in
                for (key, value) in Self.rows { try transaction.put(key, value, in: table) }
            }
            try environment.write { try $0.put([1], [1], in: table) }
            #expect(try environment.write { try $0.delete([1], in: table) })
            #expect(try environment.checkStructure() == [])
        }
        let output = try Python.run(
            """
            import lmdb, sys
            environment = lmdb.open(sys.argv[1], max_dbs=4, readonly=True)
            with environment.begin() as transaction:
                for key, value in transaction.cursor(environment.open_db(b'rows', transaction, create=False)):
                    print(key.hex(), value.hex())
            """, sandbox.path)
        expectRows(output)
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }

    @Test("It reads a file that was built whole, and writes to it")
    func readsBuilt() throws {
        let sandbox = try Sandbox()
        let file = try DataFileBuilder(in: sandbox.path)
        for key in Self.keys where key.count < 511 { try file.part(114).append(key, Self.rows[key] ?? []) }
        try file.finish()
        let output = try Python.run(
            """
            import lmdb, sys
            environment = lmdb.open(sys.argv[1])
            with environment.begin() as transaction:
                for key, value in transaction.cursor():
                    assert key[0] == 114
                    print(key[1:].hex(), value.hex())
            with environment.begin(write=True) as transaction:
                for number in range(200):
                    transaction.put(b'%d' % number, b'x' * number)
            """, sandbox.path)
        expectRows(output, Self.keys.filter { $0.count < 511 })
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }

    @Test("By what is written about it, it brings a killed process's commits back as we do")
    func repeatsWhatWasWrittenAhead() throws {
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, "a", "300")
        #expect(writer.line() == "committed")
        writer.kill()
        let output = try Python.run(
            """
            import lmdb, struct, sys
            folder = sys.argv[1]
            wal = open(folder + '/wal', 'rb').read()

            def add(data, first, second):
                data += bytes(-len(data) % 8)
                for low, high in struct.iter_unpack('<II', data):
                    first = (first + low + second) & 0xFFFFFFFF
                    second = (second + high + first) & 0xFFFFFFFF
                return first, second

            assert wal[:8] == b'lmdb-wal'
            version, state, generation, salt, page, size = struct.unpack_from('<IIQQII', wal, 8)
            assert (version, state) == (2, 1)
            assert struct.pack('<II', *add(wal[:4088], 0, 0)) == wal[4088:4096]
            metas = [wal[40:40 + size], wal[40 + size:40 + 2 * size]]
            number = max(struct.unpack_from('<Q', meta, size - 8)[0] for meta in metas)
            place, sums, changes = 4096, (salt & 0xFFFFFFFF, salt >> 32), []
            while place + 32 <= len(wal):
                of, transaction, count, _ = struct.unpack_from('<QQII', wal, place)
                body = wal[place + 32:place + 32 + count]
                if of != generation or transaction != number + 1: break
                sums = add(body, *add(wal[place:place + 24], *sums))
                if struct.pack('<II', *sums) != wal[place + 24:place + 32]: break
                number, at = transaction, 0
                while at < count:
                    kind, length = body[at], body[at + 1]
                    name, at = body[at + 2:at + 2 + length], at + 2 + length
                    parts = []
                    for _ in range(3 - kind):
                        length, = struct.unpack_from('<I', body, at)
                        parts.append(body[at + 4:at + 4 + length])
                        at += 4 + length
                    changes.append((name, parts))
                place += (32 + count + 4095) // 4096 * 4096
            with open(folder + '/data.mdb', 'r+b') as data:
                for index, meta in enumerate(metas):
                    data.seek(index * page)
                    data.write(meta)
            environment = lmdb.open(folder, max_dbs=4, map_size=1 << 26)
            tables = {name: environment.open_db(name, create=False) for name, _ in changes}
            with environment.begin(write=True) as transaction:
                for name, parts in changes:
                    if len(parts) == 2: transaction.put(*parts, db=tables[name])
                    else: transaction.delete(parts[0], db=tables[name])
            with environment.begin() as transaction:
                for key, value in transaction.cursor(db=tables[b'rows']):
                    print(key.decode(), value.decode())
            """, sandbox.path)
        let rows = Set(output.split(separator: "\n").map(String.init))
        #expect(rows == Set((0..<300).map { "a\($0) \($0)" }))
        // Python's commits are newer than the snapshot: repeating the frames changes nothing.
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == 300)
        #expect(try environment.checkStructure() == [])
    }

    @Test("We read its file, find it intact, and write to it")
    func readsTheirs() throws {
        let sandbox = try Sandbox()
        let lines = Self.rows.map { Self.hex($0.key) + " " + Self.hex($0.value) }.joined(separator: "\n")
        try lines.write(toFile: sandbox.path("rows"), atomically: true, encoding: .utf8)
        _ = try Python.run(
            """
            import lmdb, sys
            environment = lmdb.open(sys.argv[1], max_dbs=4, map_size=1 << 24, sync=False)
            table = environment.open_db(b'rows')
            rows = [line.rstrip('\\n').split(' ') for line in open(sys.argv[2])]
            for part in range(0, len(rows), 40):
                with environment.begin(write=True, db=table) as transaction:
                    for key, value in rows[part:part + 40]:
                        transaction.put(bytes.fromhex(key), b'x' * 3000)
            with environment.begin(write=True, db=table) as transaction:
                for key, value in rows:
                    transaction.put(bytes.fromhex(key), bytes.fromhex(value))
            """, sandbox.path, sandbox.path("rows"))
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        let table = try environment.tables(["rows"])[0]
        #expect(try environment.rows(of: table) == Self.rows)
        try environment.write { transaction in
            for key in Self.rows.keys.prefix(150) { try transaction.delete(key, in: table) }
        }
        #expect(try environment.count(of: table) == 150)
        #expect(try environment.checkStructure() == [])
    }

    private func autoclosed(_ body: () throws -> Void) throws { try body() }
}
