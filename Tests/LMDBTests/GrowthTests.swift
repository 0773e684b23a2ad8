import Foundation
import LMDBSupport
import Platform
import Synchronization
import Testing

@testable import LMDB

@Suite("Growth of the map")
struct GrowthTests {
    @Test(
        "A tiny map grows under many writers with readers beside them, and no caller notices",
        arguments: [64 << 10, 1 << 20])
    func manyThreads(mapSize: Int) throws {
        try withEnvironment(.map(mapSize)) { environment, table in
            let writersLeft = Atomic<Int>(4)
            let failures = concurrently(8) { number in
                if number < 4 {
                    defer { writersLeft.subtract(1, ordering: .relaxed) }
                    for row in 0..<150 {
                        try environment.put(
                            UInt64(number * 1000 + row), [UInt8](repeating: UInt8(row), count: 3000), in: table)
                    }
                } else {
                    var seen = 0
                    repeat {
                        let rows = try environment.rows(of: table)
                        guard rows.count >= seen, rows.values.allSatisfy({ Set($0).count == 1 })
                        else { throw Lost(rows: rows.count) }
                        seen = rows.count
                        _ = try environment.information()
                    } while writersLeft.load(ordering: .relaxed) > 0
                }
            }
            #expect(failures == [])
            let count = try environment.count(of: table)
            #expect(count == 600)
            #expect(try environment.information().mapSize >= 600 * 4096)
        }
    }

    private struct Lost: Error {
        let rows: Int
    }

    @Test(
        "One value larger than the map grows it as far as needed",
        arguments: [64 << 10, 1 << 20])
    func hugeValue(mapSize: Int) throws {
        try withEnvironment(.map(mapSize)) { environment, table in
            let value = [UInt8](repeating: 3, count: 3 << 20)
            try environment.put([1], value, in: table)
            #expect(try environment.value([1], in: table) == value)
        }
    }

    private struct Wrapped: Error {}

    @Test("The map grows whatever a closure makes of the error: another error, or nothing", arguments: [true, false])
    func hiddenError(isThrown: Bool) throws {
        try withEnvironment(.map(64 << 10)) { environment, table in
            var runs = 0
            try environment.write { transaction in
                runs += 1
                do {
                    for row in UInt64(0)..<100 {
                        try transaction.put(row, [UInt8](repeating: 3, count: 2500), in: table)
                    }
                } catch {
                    if isThrown { throw Wrapped() }
                }
            }
            #expect(runs > 1)
            #expect(try environment.count(of: table) == 100)
        }
    }

    @Test("Tables are made in a map that is full")
    func tables() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(
            at: sandbox.path, options: .init(durability: .unsynced, mapSize: 16 << 10, maxTables: 200))
        let names = (0..<200).map { "table \($0) " + String(repeating: "x", count: 200) }
        #expect(try environment.tables(names).map(\.name) == names)
        #expect(try environment.checkStructure() == [])
    }

    @Test("A map that cannot grow is an error, and the store works on as before")
    func noAddressesLeft() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path, options: .map(64 << 10))
        let table = try environment.tables(["rows"])[0]
        try environment.put([1], [1], in: table)
        var sizes: [Int] = []
        let end = code {
            try environment.mapLock.enterWriting()
            defer { environment.mapLock.leaveWriting() }
            while sizes.count < 64 {
                try environment.growMap()
                sizes.append(try environment.information().mapSize)
            }
        }
        #expect(end == .mapFull)
        #expect(sizes == sizes.indices.map { (128 << 10) << $0 } && sizes.count > 4)
        #expect(try environment.information().mapSize == sizes.last)
        var attempts = 0
        let failure = code {
            try environment.write { transaction in
                attempts += 1
                throw StorageError(.mapFull, "as if")
            }
        }
        // An error of that name alone does not make it grow.
        #expect(failure == .mapFull && attempts == 1)
        #expect(try environment.value([1], in: table) == [1])
        try environment.put([2], [2], in: table)
        #expect(try environment.checkStructure() == [])
    }
}
