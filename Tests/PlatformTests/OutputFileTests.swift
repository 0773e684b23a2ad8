import Foundation
import LMDBSupport
import Platform
import TestSupport
import Testing

@Suite("A file that is written whole or not at all")
struct OutputFileTests {
    private let folder: Sandbox

    init() throws { folder = try Sandbox() }

    private func begin(isNamed: Bool) throws -> OutputFile {
        try OutputFile(
            at: OutputDestination(folder.path("file"), replacing: .anyFile), isPrivate: false, isNamed: isNamed)
    }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    private func text() throws -> String { try String(contentsOfFile: folder.path("file"), encoding: .utf8) }

    @Test(
        "It takes a free name, and then the place of the file there, and leaves nothing else", arguments: [false, true])
    func finished(isNamed: Bool) throws {
        for text in ["first", "second"] {
            let file = try begin(isNamed: isNamed)
            try file.write(Array(text.utf8))
            try file.finish()
            #expect(try self.text() == text)
            #expect(try names() == ["file"])
        }
    }

    @Test("Nothing of it is in the folder while it is written, so that a killed process leaves nothing")
    func unnamed() throws {
        let file = try begin(isNamed: false)
        try file.write([1, 2, 3])
        #if os(Linux)
            #expect(try names() == [])
        #endif
        file.discard()
        #expect(try names() == [])
    }

    @Test("A file that has appeared meanwhile is not replaced", arguments: [false, true])
    func appeared(isNamed: Bool) throws {
        let file = try begin(isNamed: isNamed)
        try Data("other".utf8).write(to: URL(fileURLWithPath: folder.path("file")))
        let error = #expect(throws: OutputError.self) { try file.finish() }
        #expect(error?.code == .occupied)
        file.discard()
        #expect(try text() == "other")
        #expect(try names() == ["file"])
    }

    @Test("What a killed process left is removed by the next one, and what another process writes stays")
    func left() throws {
        let used = try begin(isNamed: true)
        let inUse = try names()
        #expect(inUse.count == 1)
        for name in [".tripstore-00000000.part", "notes.part", ".tripstore-notes"] {
            try Data().write(to: URL(fileURLWithPath: folder.path(name)))
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(".tripstore-link.part"), withDestinationPath: "notes.part")
        let file = try begin(isNamed: false)
        try file.finish()
        #expect(
            try names() == inUse.union(["file", "notes.part", ".tripstore-notes", ".tripstore-link.part"]))
        used.discard()
        withExtendedLifetime(used) {}
    }
}
