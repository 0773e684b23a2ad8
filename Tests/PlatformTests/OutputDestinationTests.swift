import Foundation
import LMDBSupport
import Platform
import TestSupport
import Testing

@Suite("Where a file is written")
struct OutputDestinationTests {
    private let folder: Sandbox

    init() throws { folder = try Sandbox() }

    private func write(_ name: String, isPrivate: Bool = false) throws {
        let file = try OutputFile(
            at: OutputDestination(folder.path(name), replacing: .anyFile), isPrivate: isPrivate)
        try file.write(Array("new".utf8))
        try file.finish()
    }

    private func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
    }

    @Test(
        "A private file is this user's alone, another follows the mask, and one that replaces another is open to nobody else"
    )
    func permissions() throws {
        try write("private", isPrivate: true)
        #expect(try permissions("private") == 0o600)
        try write("open")
        let mask = umask(0)
        umask(mask)
        #expect(try permissions("open") == 0o666 & ~Int(mask))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("open"))
        try write("open")
        #expect(try permissions("open") == 0o600)
    }

    @Test("A file of a store's own is put into the store, where no other is; a link at its place is refused, and stays")
    func ownFiles() throws {
        try FileManager.default.createDirectory(atPath: folder.path("log"), withIntermediateDirectories: true)
        try write("log/data.mdb")
        let error = #expect(throws: OutputError.self) { try write("own") }
        #expect(error?.code == .inStore)
        for text in ["first", "second"] {
            let file = try OutputFile(at: OutputDestination("own", inStore: folder.path), isPrivate: true)
            try file.write(Array(text.utf8))
            try file.finish()
            #expect(try String(contentsOfFile: folder.path("own"), encoding: .utf8) == text)
            #expect(try permissions("own") == 0o600)
        }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["log", "own"])
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "own")
        let refused = #expect(throws: OutputError.self) { try OutputDestination("link", inStore: folder.path) }
        #expect(refused?.code == .noFile)
    }

    @Test("A link of this user's is followed to a file that is there, and makes none")
    func links() throws {
        try write("file")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "file")
        try write("link")
        #expect(try String(contentsOfFile: folder.path("file"), encoding: .utf8) == "new")
        try FileManager.default.createSymbolicLink(atPath: folder.path("nowhere"), withDestinationPath: "absent")
        let error = #expect(throws: OutputError.self) { try write("nowhere") }
        #expect(error?.code == .noFile)
        #expect(!FileManager.default.fileExists(atPath: folder.path("absent")))
    }

    @Test("A link of another user's is not followed, as the name or on the way", .enabled(if: geteuid() == 0))
    func foreignLinks() throws {
        try FileManager.default.createDirectory(atPath: folder.path("inner"), withIntermediateDirectories: true)
        try write("file")
        for (link, target, path) in [("link", "file", "link"), ("way", "inner", "way/new")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
            #expect(lchown(folder.path(link), 65_534, 65_534) == 0)
            let error = #expect(throws: OutputError.self) { try write(path) }
            #expect(error?.code == .foreignLink)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("inner")) == [])
    }
}
