import Foundation
import LMDBSupport
import Platform
import TestSupport
import Testing

@testable import LMDB

@Suite("Copies of an environment")
struct CopyingTests {
    private func rows(_ environment: Environment) throws -> [[UInt8]: [UInt8]] {
        let table = try environment.tables(["rows"])[0]
        return try environment.read { transaction in
            var found: [[UInt8]: [UInt8]] = [:]
            var cursor = try transaction.cursor(on: table)
            var row = try cursor.first()
            while let current = row {
                found[[UInt8](current.key)] = [UInt8](current.value)
                row = try cursor.next()
            }
            return found
        }
    }

    private func rows(inCopy path: String) throws -> [[UInt8]: [UInt8]] {
        #expect(try Environment.checkStructure(at: path) == [])
        return try rows(Environment.open(at: path, options: Environment.Options(.reading)))
    }

    @Test("A copy holds everything that is committed, also what was only written ahead, and less when rows are gone")
    func everything() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path("store"))
        let table = try environment.tables(["rows"])[0]
        for number in 0..<200 as Range<UInt64> {
            try environment.put(number, [UInt8](repeating: UInt8(number), count: 3000), in: table)
        }
        // The newest commits are in the write-ahead file, and the data file is not synced.
        let header = try #require(FileManager.default.contents(atPath: sandbox.path("store/wal")))
        #expect(header.count > 4096 && header[12] == 1)
        try Folder.create(sandbox.path("first"))
        try environment.copy(to: sandbox.path("first/data.mdb"))
        #expect(try rows(inCopy: sandbox.path("first")) == rows(environment))
        #expect(try rows(environment).count == 200)

        for number in 0..<190 as Range<UInt64> { _ = try environment.write { try $0.delete(number, in: table) } }
        try Folder.create(sandbox.path("second"))
        try environment.copy(to: sandbox.path("second/data.mdb"))
        #expect(try rows(inCopy: sandbox.path("second")) == rows(environment))
        func size(_ name: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: sandbox.path(name))[.size] as? Int)
        }
        #expect(try size("second/data.mdb") < size("first/data.mdb") / 4)
        let mode = try FileManager.default.attributesOfItem(atPath: sandbox.path("second/data.mdb"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("An environment that was opened for reading is copied too, and an empty one")
    func readOnly() throws {
        let sandbox = try Sandbox()
        do { _ = try Environment.open(at: sandbox.path("store"), options: .quick).tables(["rows"]) }
        let environment = try Environment.open(at: sandbox.path("store"), options: Environment.Options(.reading))
        try Folder.create(sandbox.path("copy"))
        try environment.copy(to: sandbox.path("copy/data.mdb"))
        #expect(try rows(inCopy: sandbox.path("copy")).isEmpty)
    }

    /// One transaction that writes a number to every row, so that a snapshot shows one number.
    private static func fill(_ environment: Environment, _ table: Table, with number: UInt8) throws {
        try environment.write { transaction in
            for key in 0..<300 as Range<UInt64> {
                try transaction.put(key, [UInt8](repeating: number, count: 500), in: table)
            }
        }
    }

    @Test("A copy made while others write is of one moment")
    func oneMoment() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path("store"), options: .quick)
        let table = try environment.tables(["rows"])[0]
        try Self.fill(environment, table, with: 0)
        let folder = sandbox.path
        let failures = concurrently(2) { thread in
            for round in 0..<20 {
                if thread == 0 {
                    try Self.fill(environment, table, with: UInt8(round))
                } else {
                    let copy = "\(folder)/copy \(round)"
                    try Folder.create(copy)
                    try environment.copy(to: copy + "/data.mdb")
                    let values = try Set(rows(inCopy: copy).values)
                    #expect(values.count == 1)
                }
            }
        }
        #expect(failures == [])
        withExtendedLifetime(sandbox) {}
    }

    @Test("A file that is there is not written over")
    func present() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path("store"), options: .quick)
        let file = sandbox.path("file")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
        let error = #expect(throws: StorageError.self) { try environment.copy(to: file) }
        #expect(error?.message.contains(file) == true)
        #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
    }

    @Test("On a full disk there is a clear error and no file", .enabled(if: MemoryFileSystem.isAvailable))
    func fullDisk() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path("store"), options: .quick)
        let table = try environment.tables(["rows"])[0]
        for number in 0..<400 as Range<UInt64> {
            try environment.put(number, [UInt8](repeating: 1, count: 3000), in: table)
        }
        let system = try MemoryFileSystem(kibibytes: 512)
        let error = #expect(throws: StorageError.self) { try environment.copy(to: system.path + "/data.mdb") }
        #expect(error?.code == .diskFull)
        #expect(error?.message.contains(system.path) == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: system.path).isEmpty)
        withExtendedLifetime(system) {}
    }
}
