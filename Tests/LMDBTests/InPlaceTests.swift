import Foundation
import Platform
import Synchronization
import Testing

@testable import LMDB

@Suite("Writing in place")
struct InPlaceTests {
    private static let isSupported = InPlaceFile.isSafe(at: FileManager.default.temporaryDirectory.path)

    @Test("What is synced is never written in place")
    func syncedIsRefused() throws {
        let sandbox = try Sandbox()
        let options = Environment.Options(syncsCommits: true, writesInPlace: true)
        #expect(code { _ = try Environment.open(at: sandbox.path, options: options) } == .other)
        #expect(FileManager.default.fileExists(atPath: sandbox.path + "/data.mdb") == false)
    }

    @Test("The map is never larger than what the medium has set aside", .enabled(if: isSupported))
    func allocated() throws {
        try withEnvironment(.inPlace) { environment, table in
            #expect(environment.writesInPlace)
            var sizes: Set<Int> = []
            for row in UInt64(0)..<600 {
                try environment.put(row, [UInt8](repeating: 9, count: 3000), in: table)
                var status = stat()
                #expect(stat(environment.path + "/data.mdb", &status) == 0)
                let mapSize = try environment.information().mapSize
                sizes.insert(mapSize)
                #expect(Int(status.st_size) == mapSize)
                #expect(Int(status.st_blocks) * 512 >= mapSize)
            }
            #expect(sizes.count > 2)
        }
    }

    @Test("A file written in one way is read and written in the other", arguments: [true, false])
    func otherWay(beginsInPlace: Bool) throws {
        let sandbox = try Sandbox()
        for round in UInt64(0)..<4 {
            let isInPlace = round.isMultiple(of: 2) == beginsInPlace
            let environment = try Environment.open(at: sandbox.path, options: isInPlace ? .inPlace : .quick)
            #expect(environment.writesInPlace == (isInPlace && Self.isSupported))
            let table = try environment.tables(["rows"])[0]
            for row in 0..<100 {
                try environment.put(round * 100 + UInt64(row), [UInt8](repeating: 7, count: 2000), in: table)
            }
            #expect(try environment.count(of: table) == Int(round + 1) * 100)
            #expect(try environment.checkStructure() == [])
            try environment.sync()
        }
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }

    @Test("The file grows before it must, but not while somebody reads", .enabled(if: isSupported))
    func growsAhead() throws {
        try withEnvironment(.inPlace) { environment, table in
            @Sendable func room() throws -> Int {
                let information = try environment.information()
                return information.mapSize - information.usedSize
            }
            let start = try environment.information().mapSize
            let failures = try environment.read { _ in
                concurrently(1) { _ in
                    var row: UInt64 = 1000
                    while try room() > 40_000 {
                        row += 1
                        try environment.put(row, [UInt8](repeating: 1, count: 3000), in: table)
                    }
                }
            }
            #expect(failures == [])
            #expect(try environment.information().mapSize == start)
            try environment.put(UInt64(1), [1], in: table)
            #expect(try environment.information().mapSize > start)
            #expect(try room() > 128 << 10)
        }
    }

    @Test("A small commit to a large file that was just opened leaves it about as large", .enabled(if: isSupported))
    func opening() throws {
        func size(_ path: String) throws -> Int {
            var status = stat()
            #expect(stat(path + "/data.mdb", &status) == 0)
            return Int(status.st_size)
        }
        let sandbox = try Sandbox()
        try write(2000, at: sandbox.path, .quick)
        let before = try size(sandbox.path)
        try write(1, at: sandbox.path, .inPlace)
        #expect(before > 4 << 20)
        #expect(try size(sandbox.path) < before + before / 3)
    }

    private func write(_ rows: Int, at path: String, _ options: Environment.Options) throws {
        let environment = try Environment.open(at: path, options: options)
        let table = try environment.tables(["rows"])[0]
        for row in 0..<rows { try environment.put(UInt64(row), [UInt8](repeating: 1, count: 3000), in: table) }
        try environment.sync()
    }

    @Test(
        "Who reads for ever keeps it from growing for a while, and is told of in the error", .enabled(if: isSupported))
    func patience() throws {
        try withEnvironment(.inPlace) { environment, table in
            environment.growthPatience.withLock { $0 = 0 }
            let failures = try environment.read { _ in
                concurrently(1) { _ in
                    let found = code { try environment.put([1], [UInt8](repeating: 1, count: 1 << 20), in: table) }
                    #expect(found == .mapFull)
                }
            }
            #expect(failures == [])
            #expect(try environment.count(of: table) == 0)
            try environment.put([1], [UInt8](repeating: 1, count: 1 << 20), in: table)
            #expect(try environment.count(of: table) == 1)
        }
    }

    @Test("The room that one transaction needs is found in few attempts")
    func fewAttempts() throws {
        try withEnvironment(.inPlace) { environment, table in
            var runs = 0
            try environment.write { transaction in
                runs += 1
                for row in UInt64(0)..<10_000 {
                    try transaction.put(row, [UInt8](repeating: 3, count: 1500), in: table)
                }
            }
            #expect(runs < 10)
            #expect(try environment.count(of: table) == 10_000)
        }
    }

    @Test("Sizes leave an eighth of room, and twice as much with every attempt")
    func sizes() {
        let million = 1 << 20
        #expect(InPlaceFile.size(toHold: 0) == 256 << 10)
        #expect(InPlaceFile.size(toHold: 64 * million) == 72 * million)
        #expect((0..<4).map { InPlaceFile.size(toHold: 64 * million, attempt: $0) / million } == [72, 80, 96, 128])
        #expect(InPlaceFile.size(toHold: 100) == 320 << 10)
    }
}
