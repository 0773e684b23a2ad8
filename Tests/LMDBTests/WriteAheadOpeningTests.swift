import Foundation
import LMDBFormat
import LMDBSupport
import Platform
import TestSupport
import Testing

@testable import LMDB

@Suite("Opening what was written ahead")
struct WriteAheadOpeningTests {
    @Test(
        "The next opener, for writing, reading or checking, repeats a killed process's commits", arguments: 0..<3)
    func killed(way: Int) throws {
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, "a", "300")
        #expect(writer.line() == "committed")
        writer.kill()
        #expect(try WriteAheadFile(in: sandbox.path, creating: false)?.header()?.isEnabled == true)
        if way == 0 { #expect(try Environment.checkStructure(at: sandbox.path) == []) }
        let environment = try Environment.open(
            at: sandbox.path, options: Environment.Options(way == 1 ? .reading : .creating))
        // A reader needs nothing of it: written data is in the system's memory.
        #expect(try environment.aheadHeader()?.isEnabled == (way == 1))
        let rows = try environment.rows(of: environment.tables(["rows"])[0])
        #expect(rows == Dictionary(uniqueKeysWithValues: (0..<300).map { (bytes("a\($0)"), bytes("\($0)")) }))
        #expect(try environment.checkStructure() == [])
    }

    @Test("A write-ahead file that is not this data file's is left out of account", arguments: [false, true])
    func foreign(isOlder: Bool) throws {
        let sandbox = try Sandbox()
        try withEnvironment(.durable) { environment, table in
            for row in UInt64(0)..<20 { try environment.put(row, bytes("early"), in: table) }
            try environment.checkpoint()
            let early = try environment.dataFile()
            for row in UInt64(0)..<20 { try environment.put(row, bytes("late"), in: table) }
            let ahead = try environment.aheadFile()
            try environment.checkpoint()
            for row in UInt64(20)..<40 { try environment.put(row, bytes("latest"), in: table) }
            let data = isOlder ? early : try environment.dataFile()
            try data.write(to: URL(filePath: sandbox.path("data.mdb")))
            // Of a snapshot that neither file holds.
            try (isOlder ? environment.aheadFile() : ahead).write(to: URL(filePath: sandbox.path("wal")))
            let copy = try Environment.open(at: sandbox.path, options: .durable)
            let rows = try copy.rows(of: copy.tables(["rows"])[0])
            #expect(rows.count == (isOlder ? 20 : 40))
            #expect(rows[bytes(UInt64(1))] == bytes(isOlder ? "early" : "late"))
            #expect(try copy.aheadHeader()?.isEnabled != true)
            #expect(FileManager.default.fileExists(atPath: sandbox.path("wal.other")))
            #expect(try copy.checkStructure() == [])
        }
    }

    @Test("A file that is no write-ahead file counts as one without records")
    func nonsense() throws {
        let sandbox = try Sandbox()
        for content in [Data(), Data("lmdb-wal".utf8), Data(repeating: 0xAB, count: 9000)] {
            try content.write(to: URL(filePath: sandbox.path("wal")))
            let environment = try Environment.open(at: sandbox.path, options: .durable)
            let table = try environment.tables(["rows"])[0]
            let present = try environment.count(of: table)
            for row in 0..<UInt64(9) { try environment.put(UInt64(present) + row, bytes("row"), in: table) }
            #expect(try environment.aheadHeader()?.isEnabled == true)
            #expect(try environment.count(of: table) == present + 9)
            #expect(try environment.checkStructure() == [])
        }
    }

    @Test("A file of another version is left alone, and the store with it")
    func otherVersion() throws {
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, "a", "20")
        #expect(writer.line() == "committed")
        writer.kill()
        let path = URL(filePath: sandbox.path("wal"))
        var ahead = try Data(contentsOf: path)
        ahead[8] = 9
        try ahead.write(to: path)
        #expect(code { _ = try Environment.open(at: sandbox.path) } == .other)
        #expect(try Data(contentsOf: path) == ahead)
        ahead[8] = 2
        try ahead.write(to: path)
        let environment = try Environment.open(at: sandbox.path, options: .durable)
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == 20)
    }

    @Test("Another's file that was opened before it was repaired keeps it from being opened after a restart")
    func openElsewhere() throws {
        let sandbox = try Sandbox()
        var expected: [[UInt8]: [UInt8]] = [:]
        let writer = try SecondProcess("commit", sandbox.path, "a", "20")
        #expect(writer.line() == "committed")
        for row in 0..<20 { expected[bytes("a\(row)")] = bytes("\(row)") }
        let ahead = try Data(contentsOf: URL(filePath: sandbox.path("wal")))
        var header = try #require(try WriteAheadHeader([UInt8](ahead.prefix(4096)), path: "wal"))
        // As if it had been written before the machine started.
        header.session = "another"
        try (Data(header.bytes) + ahead.dropFirst(4096)).write(to: URL(filePath: sandbox.path("wal")))
        #expect(code { _ = try Environment.open(at: sandbox.path) } == .alreadyOpen)
        writer.kill()
        let environment = try Environment.open(at: sandbox.path, options: .durable)
        #expect(try environment.rows(of: environment.tables(["rows"])[0]) == expected)
    }

    @Test("After a failed sync no process writes until one has repeated the frames alone")
    func lost() throws {
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, "a", "20")
        #expect(writer.line() == "committed")
        let ahead = try Data(contentsOf: URL(filePath: sandbox.path("wal")))
        var header = try #require(try WriteAheadHeader([UInt8](ahead.prefix(4096)), path: "wal"))
        header.syncFailed = true
        try (Data(header.bytes) + ahead.dropFirst(4096)).write(to: URL(filePath: sandbox.path("wal")))
        #expect(code { _ = try Environment.open(at: sandbox.path) } == .alreadyOpen)
        writer.kill()
        let environment = try Environment.open(at: sandbox.path, options: .durable)
        let table = try environment.tables(["rows"])[0]
        try environment.put(bytes("next"), bytes("1"), in: table)
        #expect(try environment.count(of: table) == 21)
    }

    @Test("Damage in the snapshot is answered before anything is repeated on it")
    func damaged() throws {
        let sample = try SampleEnvironment()
        let writer = try SecondProcess("commit", sample.path, "a", "20")
        #expect(writer.line() == "committed")
        writer.kill()
        try sample.sandbox.loseMemory()
        let ahead = try Data(contentsOf: URL(filePath: sample.sandbox.path("wal")))
        let page = try sample.page(PageLayout.PageFlags.leaf) { $0.number(at: 12, as: UInt16.self) > 40 }
        try sample.change(at: page + 12, to: UInt16(0xFFF1))
        #expect(try Environment.checkStructure(at: sample.path) != [])
        #expect(try Data(contentsOf: URL(filePath: sample.sandbox.path("wal"))) == ahead)
    }

    @Test("What cannot be repeated for lack of permission is not opened", .enabled(if: MemoryFileSystem.isAvailable))
    func notPermitted() throws {
        let system = try MemoryFileSystem(kibibytes: 64 << 10)
        let path = system.path + "/store"
        let writer = try SecondProcess("commit", path, "a", "20")
        #expect(writer.line() == "committed")
        writer.kill()
        // As long as the machine runs there is nothing to repeat.
        do {
            let reader = try Environment.open(at: path, options: Environment.Options(.reading))
            #expect(try reader.count(of: reader.tables(["rows"])[0]) == 20)
        }
        try WriteAheadFile.loseMemory(in: path)
        try system.makeReadOnly()
        #expect(
            code { _ = try Environment.open(at: path, options: Environment.Options(.reading)) } == .notPermitted)
        #expect(code { _ = try Environment.checkStructure(at: path) } == .notPermitted)
        withExtendedLifetime(system) {}
    }
}
