import Foundation
import LMDBFormat
import LMDBSupport
import Platform
import Testing

@testable import LMDB

@Suite("Which state of which data file a write-ahead file belongs to")
struct SnapshotIdentityTests {
    /// A store with rows of a prefix whose writer was killed, or ended normally.
    private func make(_ prefix: String, rows: Int, isKilled: Bool) throws -> Sandbox {
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, prefix, "\(rows)")
        #expect(writer.line() == "committed")
        if isKilled {
            writer.kill()
        } else {
            try writer.go()
            #expect(try writer.end().code == 0)
            // Checkpointed by the next.
            _ = try Environment.open(at: sandbox.path)
        }
        return sandbox
    }

    private func rows(_ prefix: String, _ count: Int) -> [[UInt8]: [UInt8]] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { (bytes("\(prefix)\($0)"), bytes("\($0)")) })
    }

    @Test(
        "Another store's data file, put over one that was not closed, is not mixed with its commits",
        arguments: [(true, true), (true, false), (false, true), (false, false)])
    func foreign(isInPlace: Bool, remembers: Bool) throws {
        let sandbox = try make("a", rows: 200, isKilled: true)
        // Its newest transaction number is one that the records of the first might have.
        let other = try make("b", rows: 100, isKilled: false)
        if !remembers { try sandbox.loseMemory() }
        let data = try Data(contentsOf: URL(filePath: other.path("data.mdb")))
        let ahead = try Data(contentsOf: URL(filePath: sandbox.path("wal")))
        let target = URL(filePath: sandbox.path("data.mdb"))
        if isInPlace {
            let handle = try FileHandle(forWritingTo: target)
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: data)
            try handle.close()
        } else {
            try FileManager.default.removeItem(at: target)
            try data.write(to: target)
        }
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.rows(of: environment.tables(["rows"])[0]) == rows("b", 100))
        #expect(try environment.checkStructure() == [])
        #expect(try Data(contentsOf: URL(filePath: sandbox.path("wal.other"))) == ahead)
    }

    @Test("A data file that is not the write-ahead file's own and not intact is refused, and nothing is changed")
    func foreignAndDamaged() throws {
        let sandbox = try make("a", rows: 200, isKilled: true)
        let other = try make("b", rows: 100, isKilled: false)
        var data = try Data(contentsOf: URL(filePath: other.path("data.mdb")))
        // Like a copy that was cut off: half of what is in use is zeros.
        data.replaceSubrange(8192..<data.count, with: Data(count: data.count - 8192))
        try data.write(to: URL(filePath: sandbox.path("data.mdb")))
        let ahead = try Data(contentsOf: URL(filePath: sandbox.path("wal")))
        #expect(code { _ = try Environment.open(at: sandbox.path) } == .damaged)
        #expect(try Data(contentsOf: URL(filePath: sandbox.path("wal"))) == ahead)
        #expect(try Data(contentsOf: URL(filePath: sandbox.path("data.mdb"))) == data)
    }

    @Test("A missing data file is not created again as long as commits wait for it", arguments: [true, false])
    func missing(isEmpty: Bool) throws {
        let sandbox = try make("a", rows: 20, isKilled: true)
        try FileManager.default.removeItem(atPath: sandbox.path("data.mdb"))
        if isEmpty { try Data().write(to: URL(filePath: sandbox.path("data.mdb"))) }
        #expect(code { _ = try Environment.open(at: sandbox.path) } == .damaged)
        #expect(try WriteAheadFile(in: sandbox.path, creating: false)?.header()?.isEnabled == true)
    }

    @Test("A last record that cannot be read costs nothing as long as the machine runs")
    func unreadableRecord() throws {
        let sandbox = try make("a", rows: 30, isKilled: true)
        try zeroLastRecord(sandbox)
        let environment = try Environment.open(at: sandbox.path)
        #expect(environment.lostTransactions == 0 && environment.unreadableRecords == nil)
        #expect(try environment.rows(of: environment.tables(["rows"])[0]) == rows("a", 30))
        #expect(try environment.checkStructure() == [])
    }

    @Test("After a power cut it costs what the medium lost, which is said, and no torn page is shown")
    func unreadableRecordAfterPowerCut() throws {
        let sandbox = try make("a", rows: 30, isKilled: true)
        try zeroLastRecord(sandbox)
        try sandbox.loseMemory()
        let ahead = try Data(contentsOf: URL(filePath: sandbox.path("wal")))
        // A page of the newest state never got onto the medium.
        let data = try FileHandle(forUpdating: URL(filePath: sandbox.path("data.mdb")))
        let newest = try #require(try DataFile(path: sandbox.path("data.mdb")).readMetaPages().get())
        try data.seek(toOffset: UInt64(newest.newest.main.root) * 4096)
        try data.write(contentsOf: Data(count: 4096))
        try data.close()
        let environment = try Environment.open(at: sandbox.path)
        #expect(environment.lostTransactions == 1)
        #expect(try environment.rows(of: environment.tables(["rows"])[0]) == rows("a", 29))
        #expect(try environment.checkStructure() == [])
        let kept = try #require(environment.unreadableRecords)
        #expect(try Data(contentsOf: URL(filePath: kept)) == ahead)
    }

    @Test("A repair that is cut off after a loss says so when it is repeated")
    func lossIsKept() throws {
        let sandbox = try make("a", rows: 30, isKilled: true)
        try zeroLastRecord(sandbox)
        try sandbox.loseMemory()
        let ahead = try Data(contentsOf: URL(filePath: sandbox.path("wal")))
        let lost = try lostTransactions(sandbox)
        #expect(lost == 1)
        // As if the last header had not reached the medium.
        try ahead.write(to: URL(filePath: sandbox.path("wal")))
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.rows(of: environment.tables(["rows"])[0]) == rows("a", 29))
        let kept = try #require(environment.unreadableRecords)
        #expect(try Data(contentsOf: URL(filePath: kept)) == ahead)
    }

    @Test(
        "A header that the medium lost does not make a torn file a sound one, and its records are kept",
        arguments: [true, false])
    func lostHeader(isTorn: Bool) throws {
        let sandbox = try make("a", rows: 30, isKilled: true)
        let ahead = URL(filePath: sandbox.path("wal"))
        var bytes = try Data(contentsOf: ahead)
        bytes.replaceSubrange(0..<4096, with: Data(count: 4096))
        try bytes.write(to: ahead)
        if isTorn {
            let data = try FileHandle(forUpdating: URL(filePath: sandbox.path("data.mdb")))
            let newest = try #require(try DataFile(path: sandbox.path("data.mdb")).readMetaPages().get())
            try data.seek(toOffset: UInt64(newest.newest.main.root) * 4096)
            try data.write(contentsOf: Data(count: 4096))
            #expect(code { _ = try Environment.open(at: sandbox.path) } == .damaged)
            #expect(try Data(contentsOf: ahead) == bytes)
        } else {
            let environment = try Environment.open(at: sandbox.path)
            #expect(environment.lostTransactions > 0)
            let kept = try #require(environment.unreadableRecords)
            #expect(try Data(contentsOf: URL(filePath: kept)) == bytes)
            #expect(try environment.rows(of: environment.tables(["rows"])[0]) == rows("a", 30))
        }
    }

    @Test("A header with a transaction that counting never reaches is invalid, though its checksum is right")
    func absurdTransaction() throws {
        let sandbox = try make("a", rows: 30, isKilled: true)
        let file = try #require(try WriteAheadFile(in: sandbox.path, creating: false))
        var header = try #require(try file.header())
        // The number is the last word of a meta page.
        let size = MemoryLayout<UInt>.size
        for index in header.metaPages.indices {
            header.metaPages[index].replaceSubrange(
                (MetaPage.size - size)..., with: withUnsafeBytes(of: UInt.max - 1 + UInt(index)) { Array($0) })
        }
        #expect(header.transaction == .max)
        try file.write(header.bytes, at: 0)
        #expect(try file.header() == nil)
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.rows(of: environment.tables(["rows"])[0]) == rows("a", 30))
    }

    @Test("The last generation is followed by the first")
    func lastGeneration() throws {
        let sandbox = try make("a", rows: 30, isKilled: true)
        let file = try #require(try WriteAheadFile(in: sandbox.path, creating: false))
        var header = try #require(try file.header())
        header.generation = .max
        try file.write(header.bytes, at: 0)
        let environment = try Environment.open(at: sandbox.path)
        #expect(environment.lostTransactions == 0)
        #expect(try environment.rows(of: environment.tables(["rows"])[0]) == rows("a", 30))
    }

    private func lostTransactions(_ sandbox: Sandbox) throws -> Int {
        try Environment.open(at: sandbox.path).lostTransactions
    }

    private func zeroLastRecord(_ sandbox: Sandbox) throws {
        let file = try #require(try WriteAheadFile(in: sandbox.path, creating: false))
        let header = try #require(try file.header())
        let bytes = try file.frames()
        let last = try #require(bytes.withUnsafeBytes { WriteAheadFrame.all(in: $0, after: header) }.last)
        let start = WriteAheadHeader.block + last.changes.lowerBound - WriteAheadFile.frameHead
        try file.write([UInt8](repeating: 0, count: WriteAheadHeader.block), at: start)
    }

    @Test("Repeating needs addresses for the file and some megabytes, and opening is content with those that are left")
    func addresses() throws {
        let sandbox = try make("a", rows: 250, isKilled: true)
        try sandbox.loseMemory()
        let end = try SecondProcess("limit", sandbox.path, "200").end()
        #expect(end.output == "250\n", "\(end)")
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == 250)
    }

    @Test("Only LMDB 0.9 is written with", arguments: [(0, 9, true), (1, 0, false), (0, 10, false), (0, 8, false)])
    func version(major: Int32, minor: Int32, isSupported: Bool) {
        let found = code { try LMDBVersion.check(major: major, minor: minor, patch: 31) }
        #expect(found == (isSupported ? nil : .unsupportedVersion))
    }
}
