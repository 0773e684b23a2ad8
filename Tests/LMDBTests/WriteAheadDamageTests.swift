import Foundation
import LMDBFormat
import LMDBSupport
import Platform
import Testing

@testable import LMDB

@Suite("Damage in a data file or in frames while a write-ahead file is on")
struct WriteAheadDamageTests {
    /// A store with rows whose writer was killed.
    private func killed(rows: Int) throws -> Sandbox {
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, "a", "\(rows)")
        #expect(writer.line() == "committed")
        writer.kill()
        return sandbox
    }

    private func rows(_ count: Int) -> [[UInt8]: [UInt8]] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { (bytes("a\($0)"), bytes("\($0)")) })
    }

    /// A bit of a meta page.
    struct Bit: Sendable, CustomTestStringConvertible {
        let offset: Int
        let bit: UInt8
        var testDescription: String { "bit \(bit) of byte \(offset)" }
    }

    /// In the flags of the page, the magic, the version, the size of the map and of a page, the flags of both trees, the roots, the last page and
    /// the transaction.
    private static let bits = [
        (10, 3), (16, 0), (20, 0), (20, 7), (39, 7), (40, 0), (41, 4), (44, 0), (92, 2), (131, 0), (139, 5), (144, 0),
        (151, 7),
    ].map { Bit(offset: $0.0, bit: $0.1) }

    @Test(
        "A bit that flipped in a meta page costs nothing: the header has both pages, and the frames the rest",
        arguments: bits, [true, false])
    func metaPage(bit: Bit, remembers: Bool) throws {
        for page in 0..<2 {
            let sandbox = try killed(rows: 20)
            if !remembers { try sandbox.loseMemory() }
            let file = try FileHandle(forUpdating: URL(filePath: sandbox.path("data.mdb")))
            let offset = UInt64(page * Int(getpagesize()) + bit.offset)
            try file.seek(toOffset: offset)
            let byte = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data([byte ^ 1 << bit.bit]))
            try file.close()
            do {
                let environment = try Environment.open(at: sandbox.path)
                #expect(try environment.rows(of: environment.tables(["rows"])[0]) == rows(20))
                #expect(environment.lostTransactions == 0 && environment.unreadableRecords == nil)
            }
            #expect(try Environment.checkStructure(at: sandbox.path) == [])
        }
    }

    @Test(
        "A frame that was lost before others is reported, although the data file does not tell that they were there",
        arguments: [true, false])
    func lostFrame(isZero: Bool) throws {
        let sandbox = try killed(rows: 20)
        try sandbox.loseMemory()
        let file = try #require(try WriteAheadFile(in: sandbox.path, creating: false))
        let header = try #require(try file.header())
        let frames = try file.frames()
        let found = frames.withUnsafeBytes { WriteAheadFrame.all(in: $0, after: header) }
        let third = try #require(found.dropFirst(found.count - 3).first)
        let start = WriteAheadHeader.block + third.changes.lowerBound
        if isZero {
            try file.write(
                [UInt8](repeating: 0, count: WriteAheadHeader.block), at: start - WriteAheadFile.frameHead)
        } else {
            try file.write([frames[third.changes.lowerBound] ^ 1], at: start)
        }
        // Nothing of what was written since reached the data file.
        let data = try FileHandle(forUpdating: URL(filePath: sandbox.path("data.mdb")))
        for (number, page) in header.metaPages.enumerated() {
            try data.seek(toOffset: UInt64(number * header.pageSize))
            try data.write(contentsOf: Data(page))
        }
        try data.close()
        let ahead = try Data(contentsOf: URL(filePath: sandbox.path("wal")))
        do {
            let environment = try Environment.open(at: sandbox.path)
            // The last one may have been in progress.
            #expect(environment.lostTransactions == 2)
            #expect(try environment.rows(of: environment.tables(["rows"])[0]) == rows(17))
            let kept = try #require(environment.unreadableRecords)
            #expect(kept == Environment.unreadableRecords(at: sandbox.path))
            #expect(try Data(contentsOf: URL(filePath: kept)) == ahead)
        }
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }

    @Test("Changes that look like heads of frames, in a frame that fits, are not taken for frames that the medium lost")
    func imitatedHeads() throws {
        let sandbox = try killed(rows: 20)
        let header = try #require(try WriteAheadFile(in: sandbox.path, creating: false)?.header())
        func head(_ transaction: UInt, _ count: Int) -> [UInt8] {
            bytes(header.generation.byteSwapped) + bytes(UInt64(transaction).byteSwapped)
                + bytes(UInt64(count).byteSwapped)
        }
        // At the beginning of each of its blocks but the first, too.
        let imitation = head(header.transaction + 3, 0) + bytes(UInt64(0))
        let changes = [[UInt8]](repeating: imitation, count: 400).flatMap(\.self)
        var frame = head(header.transaction + 1, changes.count)
        var checksum = WriteAheadChecksum(seed: header.salt)
        for part in [frame, changes] { part.withUnsafeBytes { checksum.add($0) } }
        frame += bytes(checksum.value.byteSwapped) + changes
        frame += [UInt8](repeating: 0, count: WriteAheadFrame.size(ofChanges: changes.count) - frame.count)
        frame.withUnsafeBytes { frame in
            let found = WriteAheadFrame.all(in: frame, after: header)
            #expect(found.count == 1)
            #expect(WriteAheadFrame.last(in: frame, after: header, beyond: found) == header.transaction + 1)
            // Without the first frame they are all that is known.
            #expect(WriteAheadFrame.last(in: frame, after: header, beyond: []) == header.transaction + 2)
        }
    }

    @Test(
        "Without its header the first frame is no loss, because both are written together; one behind it is",
        arguments: [1, 2])
    func headerLost(frames count: Int) throws {
        let sandbox = try killed(rows: 20)
        let file = try #require(try WriteAheadFile(in: sandbox.path, creating: false))
        let header = try #require(try file.header())
        let frames = try file.frames()
        let found = frames.withUnsafeBytes { WriteAheadFrame.all(in: $0, after: header) }
        try #require(found.count > 2)
        let end = found[count].changes.lowerBound - WriteAheadFile.frameHead
        try file.write([UInt8](repeating: 0, count: WriteAheadHeader.block), at: 0)
        try file.write([UInt8](repeating: 0, count: frames.count - end), at: WriteAheadHeader.block + end)
        do {
            let environment = try Environment.open(at: sandbox.path)
            #expect((environment.unreadableRecords != nil) == (count > 1))
            #expect(environment.lostTransactions == count - 1)
        }
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }

    @Test("A last frame that was written in part, before nothing else, is no loss")
    func tornFrame() throws {
        let sandbox = try killed(rows: 20)
        try sandbox.loseMemory()
        let file = try #require(try WriteAheadFile(in: sandbox.path, creating: false))
        let header = try #require(try file.header())
        let frames = try file.frames()
        let last = try #require(frames.withUnsafeBytes { WriteAheadFrame.all(in: $0, after: header) }.last)
        try file.write(
            [frames[last.changes.lowerBound] ^ 1], at: WriteAheadHeader.block + last.changes.lowerBound)
        let data = try FileHandle(forUpdating: URL(filePath: sandbox.path("data.mdb")))
        for (number, page) in header.metaPages.enumerated() {
            try data.seek(toOffset: UInt64(number * header.pageSize))
            try data.write(contentsOf: Data(page))
        }
        try data.close()
        do {
            let environment = try Environment.open(at: sandbox.path)
            #expect(environment.lostTransactions == 0 && environment.unreadableRecords == nil)
            #expect(try environment.rows(of: environment.tables(["rows"])[0]) == rows(19))
        }
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }
}
