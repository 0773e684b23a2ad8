import Foundation
import LMDBSupport
import Platform
import TestSupport
import Testing

@testable import LMDB

/// Everything that a power cut can leave of the first pages of a new data file, which LMDB writes at once and unsynced.
@Suite("A creation that was cut off")
struct UnfinishedCreationTests {
    /// The state of a block that was being written.
    enum Part: CaseIterable {
        case absent, zero, half, whole
    }

    struct Image: CustomTestStringConvertible, Sendable {
        let first: Part
        let second: Part
        /// Pages of the first commit, with or without their content.
        var further: Int = 0
        var isFurtherWritten = false

        var testDescription: String { "\(first), \(second), \(further) more \(isFurtherWritten ? "written" : "empty")" }

        /// Whether both meta pages reached the medium: then LMDB has an intact file, without rows.
        var isWhole: Bool { first == .whole && second == .whole }

        /// The pages that this leaves, of a file whose first commit was written but not the page that names it.
        func bytes(of pages: [[UInt8]]) -> [UInt8] {
            var bytes: [UInt8] = []
            for (part, page) in zip([first, second], pages) {
                switch part {
                case .absent: break
                case .zero: bytes += [UInt8](repeating: 0, count: page.count)
                // Of the last page the file may end after a sector.
                case .half where further == 0 && page == pages[1]: bytes += page.prefix(512)
                case .half: bytes += page.prefix(512) + [UInt8](repeating: 0, count: page.count - 512)
                case .whole: bytes += page
                }
            }
            for page in pages.dropFirst(2).prefix(further) {
                bytes += isFurtherWritten ? page : [UInt8](repeating: 0, count: page.count)
            }
            return bytes
        }
    }

    static let images: [Image] = {
        var images: [Image] = []
        for first in Part.allCases {
            for second in Part.allCases where first != .absent || second == .absent {
                images.append(Image(first: first, second: second))
                guard first != .absent, second != .absent else { continue }
                for isWritten in [true, false] {
                    images.append(Image(first: first, second: second, further: 1, isFurtherWritten: isWritten))
                }
            }
        }
        return images
    }()

    /// The pages of a file that was just made: two meta pages, and one of the transaction that makes a table.
    static func pages() throws -> [[UInt8]] {
        let sandbox = try Sandbox()
        func file() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: sandbox.path("data.mdb")))) }
        _ = try Environment.open(at: sandbox.path)
        let fresh = try file()
        _ = try Environment.open(at: sandbox.path).tables(["rows"])
        let size = fresh.count / 2
        let commit = try file()
        return [Array(fresh.prefix(size)), Array(fresh.suffix(size)), Array(commit[(2 * size)..<(3 * size)])]
    }

    private func write(_ image: Image, to sandbox: Sandbox) throws -> [UInt8] {
        let bytes = image.bytes(of: try Self.pages())
        try Data(bytes).write(to: URL(filePath: sandbox.path("data.mdb")))
        return bytes
    }

    private func contents(_ sandbox: Sandbox) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: sandbox.path("data.mdb"))))
    }

    @Test(
        "A writer creates it again, and for readers it is a plain error", arguments: UnfinishedCreationTests.images)
    func beginsAnew(image: Image) throws {
        let sandbox = try Sandbox()
        let bytes = try write(image, to: sandbox)
        // A page whose first sector is complete is intact: the rest of it is zeros.
        let isWhole = [image.first, image.second].allSatisfy { $0 == .whole || $0 == .half } && bytes.count >= 8192
        #expect(try Environment.isToBeMade(at: sandbox.path) == !isWhole)
        for options in [Environment.Options(.reading), Environment.Options(.writing)] {
            #expect(
                code { _ = try Environment.open(at: sandbox.path, options: options) } == (isWhole ? nil : .unfinished))
            #expect(try contents(sandbox) == bytes)
        }
        do {
            let environment = try Environment.open(at: sandbox.path)
            let table = try environment.tables(["rows"])[0]
            #expect(try environment.count(of: table) == 0)
            for row in UInt64(0)..<9 { try environment.put(row, [1], in: table) }
            #expect(try environment.checkStructure() == [])
        }
        let environment = try Environment.open(at: sandbox.path, options: Environment.Options(.reading))
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == 9)
        #expect(try environment.checkStructure() == [])
    }

    @Test(
        "If commits were written ahead it is damage to every opener, and nothing is changed",
        arguments: [true, false])
    func writtenAhead(isEnabled: Bool) throws {
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, "a", "20")
        #expect(writer.line() == "committed")
        writer.kill()
        // Closed normally, the file says that nothing is to be repeated.
        if !isEnabled { _ = try Environment.open(at: sandbox.path) }
        let ahead = try Data(contentsOf: URL(filePath: sandbox.path("wal")))
        for image in Self.images where !image.isWhole {
            let bytes = try write(image, to: sandbox)
            // For such files it is unknown that a page is missing.
            if try !Environment.isToBeMade(at: sandbox.path) { continue }
            for options in [Environment.Options(), Environment.Options(.reading)] {
                #expect(code { _ = try Environment.open(at: sandbox.path, options: options) } == .damaged)
            }
            #expect(try contents(sandbox) == bytes)
            #expect(try Data(contentsOf: URL(filePath: sandbox.path("wal"))) == ahead)
        }
        try FileManager.default.removeItem(atPath: sandbox.path("data.mdb"))
        #expect(code { _ = try Environment.open(at: sandbox.path) } == .damaged)
        #expect(!FileManager.default.fileExists(atPath: sandbox.path("data.mdb")))
    }

    @Test("What was committed and lost its first pages is damage, and stays as it is")
    func committed() throws {
        let sandbox = try Sandbox()
        do {
            let environment = try Environment.open(at: sandbox.path)
            let table = try environment.tables(["rows"])[0]
            for row in UInt64(0)..<2 { try environment.put(row, [1], in: table) }
        }
        let whole = try contents(sandbox)
        #expect(whole.count > 4 * 4096)
        for range in [0..<4096, 4096..<8192, 0..<8192] {
            var bytes = whole
            for place in range { bytes[place] = 0 }
            try Data(bytes).write(to: URL(filePath: sandbox.path("data.mdb")))
            #expect(try !Environment.isToBeMade(at: sandbox.path))
            for options in [Environment.Options(), Environment.Options(.reading)] {
                #expect(code { _ = try Environment.open(at: sandbox.path, options: options) } == .damaged)
            }
            #expect(try contents(sandbox) == bytes)
        }
        try Data(whole).write(to: URL(filePath: sandbox.path("data.mdb")))
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == 2)
        #expect(try environment.checkStructure() == [])
    }

    @Test("Threads and processes that begin one at the same time get one environment")
    func concurrent() throws {
        let sandbox = try Sandbox()
        let path = sandbox.path
        for size in [0, 4096, 8192] {
            try? FileManager.default.removeItem(atPath: path)
            try Folder.create(path)
            try Data(count: size).write(to: URL(filePath: sandbox.path("data.mdb")))
            let writer = try SecondProcess("commit", path, "other", "9")
            let failures = concurrently(4) { number in
                let environment = try Environment.open(at: path)
                let table = try environment.tables(["rows"])[0]
                for row in UInt64(0)..<9 { try environment.put(UInt64(number) * 100 + row, [1], in: table) }
            }
            #expect(failures == [])
            #expect(writer.line() == "committed")
            writer.kill()
            let environment = try Environment.open(at: path)
            #expect(try environment.count(of: environment.tables(["rows"])[0]) == 45)
            #expect(try environment.checkStructure() == [])
        }
    }
}
