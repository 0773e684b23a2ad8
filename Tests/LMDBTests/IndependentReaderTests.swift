import Foundation
import LMDBFormat
import LMDBSupport
import Platform
import TestSupport
import Testing

@testable import LMDB

private enum Reader {
    static let isHere = Program.succeeds("python3", "-c", "import struct") && MemoryLayout<UInt>.size == 8

    /// A line for each file.
    static func read(_ what: String, _ files: [String]) throws -> [String] {
        let script = SourceFile.path("Tests/LMDBTests/read_files.py")
        let output = try #require(try Program.run("python3", ["-B", script, what] + files))
        try #require(output.code == 0, "\(output.complaint)")
        return output.text.split(separator: "\n").map(String.init)
    }
}

@Suite(
    "A reader of an environment's files written from the document alone",
    .enabled(if: Reader.isHere, "python3, or a machine with words of 8 bytes, is not here"))
struct IndependentReaderTests {
    @Test("It finds faults in the structure of the same damaged files, of the same kind", arguments: Seeds.some(4))
    func structure(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let sample = try SampleEnvironment()
        let good = [UInt8](try Data(contentsOf: URL(filePath: sample.path + "/data.mdb")))
        let pages = good.count / 4096
        var (files, expected): ([String], [String]) = ([], [])
        for number in 0..<150 {
            var bytes = good
            // The beginnings of pages say the most.
            let page = Int.random(in: 0..<(number % 3 == 0 ? 2 : pages), using: &generator)
            let offset = Int.random(in: 0..<[152, 64, 4096][number % 3], using: &generator)
            bytes[page * 4096 + offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            files.append(sample.sandbox.path("\(number).mdb"))
            try Data(bytes).write(to: URL(filePath: files[number]))
            expected.append(try Self.firstFault(of: files[number]))
        }
        let found = try Reader.read("structure", files)
        for (file, (theirs, ours)) in zip(files, zip(found, expected)) where theirs != ours {
            Issue.record("\(theirs), and by us \(ours): \(file)")
        }
        #expect(found.count == expected.count && Set(expected).count > 4 && expected.contains("intact"))
    }

    private static func firstFault(of path: String) throws -> String {
        let file = try DataFile(path: path)
        if let fault = try file.persistentFault() { return fault.kind.rawValue }
        switch try file.readMetaPages() {
        case .failure(let fault): return fault.kind.rawValue
        case .success(nil): return "metaPage"
        case .success(let pages?):
            return try file.faults(of: pages.newest, filePages: pages.filePages).first?.kind.rawValue ?? "intact"
        }
    }

    @Test(
        "It reads the header and the frames of a write-ahead file as we do, also of damaged ones",
        arguments: Seeds.some(4))
    func writeAhead(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let sandbox = try Sandbox()
        let writer = try SecondProcess("commit", sandbox.path, "a", "30")
        #expect(writer.line() == "committed")
        writer.kill()
        let good = [UInt8](try Data(contentsOf: URL(filePath: sandbox.path("wal"))))
        var (files, expected): ([String], [String]) = ([], [])
        for number in 0..<80 {
            var bytes = good
            let blocks = number % 2 == 0 ? 0..<1 : 1..<30
            let offset = Int.random(in: 0..<[48, 4096][number / 2 % 2], using: &generator)
            bytes[Int.random(in: blocks, using: &generator) * 4096 + offset] ^=
                1 << UInt8.random(in: 0..<8, using: &generator)
            switch number {
            case 0: bytes = good
            // Another version, whose checksum is not this one's; and a failed sync, which is outside of it.
            case 2, 4:
                bytes = good
                bytes[number == 2 ? 8 : 12] = number == 2 ? 3 : 2
            case 6: bytes = WriteAheadHeader.disabled(generation: 9).bytes
            default: break
            }
            let folder = sandbox.path("\(number)")
            try Folder.create(folder)
            files.append(folder + "/wal")
            try Data(bytes).write(to: URL(filePath: files[number]))
            expected.append(try Self.words(on: folder))
        }
        let found = try Reader.read("ahead", files)
        for (file, (theirs, ours)) in zip(files, zip(found, expected)) where theirs != ours {
            Issue.record("\(theirs), and by us \(ours): \(file)")
        }
        #expect(found.count == expected.count)
        for words in ["off", "other version", "not intact"] { #expect(expected.contains(words)) }
        #expect(expected[4].hasPrefix("failed ") && expected[0].hasPrefix("on "))
    }

    private static func words(on folder: String) throws -> String {
        let file = try #require(try WriteAheadFile(in: folder, creating: false))
        let header: WriteAheadHeader?
        do throws(StorageError) { header = try file.header() } catch { return "other version" }
        guard let header else { return "not intact" }
        guard header.isEnabled else { return "off" }
        let count = try file.frames().withUnsafeBytes { WriteAheadFrame.all(in: $0, after: header).count }
        return "\(header.syncFailed ? "failed" : "on") \(count)"
    }
}
