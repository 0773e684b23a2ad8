import Foundation
import LMDB
import LMDBSupport
import Platform
import Testing

@Suite("Folders")
struct FolderTests {
    @Test(
        "Creating makes every missing folder, for this user alone, and does nothing the second time",
        arguments: ["a", "b/c/d", "e/", "f//g", "./h", "i/../j"])
    func creation(name: String) throws {
        let sandbox = try Sandbox()
        for _ in 0..<2 { try Folder.create(sandbox.path(name)) }
        let attributes = try FileManager.default.attributesOfItem(atPath: sandbox.path(name))
        #expect(attributes[.type] as? FileAttributeType == .typeDirectory)
        #expect(try #require(attributes[.posixPermissions] as? Int) & 0o077 == 0)
    }

    @Test("A file in the way is named, at the end of the path and within it", arguments: ["file", "file/below"])
    func fileInTheWay(name: String) throws {
        let sandbox = try Sandbox()
        try Data().write(to: URL(fileURLWithPath: sandbox.path("file")))
        #expect(code { try Folder.create(sandbox.path(name)) } == .notPermitted)
        #expect(code { _ = try Environment.open(at: sandbox.path(name)) } == .notPermitted)
    }

    @Test("A link to a folder is one, a link that leads nowhere is not")
    func links() throws {
        let sandbox = try Sandbox()
        try Folder.create(sandbox.path("folder"))
        try FileManager.default.createSymbolicLink(atPath: sandbox.path("good"), withDestinationPath: "folder")
        try FileManager.default.createSymbolicLink(atPath: sandbox.path("bad"), withDestinationPath: "nowhere")
        try Folder.create(sandbox.path("good/below"))
        #expect(FileManager.default.fileExists(atPath: sandbox.path("folder/below")))
        #expect(code { try Folder.create(sandbox.path("bad")) } == .notPermitted)
        #expect(code { try Folder.create("") } == .missing)
        #expect(code { try Folder.sync(sandbox.path("nothing")) } == .missing)
    }

    @Test("Threads that create the same folders at once all succeed")
    func atOnce() throws {
        let sandbox = try Sandbox()
        let path = sandbox.path
        for round in 0..<20 {
            #expect(concurrently(6) { _ in try Folder.create("\(path)/\(round)/a/b/c") } == [])
        }
    }

    @Test(
        "Network file systems are recognised by their numbers, local ones are not among them",
        arguments: [
            (0x6969, "NFS"), (0xFF53_4D42, "CIFS"), (0xFE53_4D42, "SMB2"), (0x0102_1997, "9P"), (0x00C3_6400, "Ceph"),
            (0xEF53, nil), (0x5846_5342, nil), (0x9123_683E, nil), (0x0102_1994, nil), (0, nil),
        ] as [(UInt32, String?)])
    func networkFileSystems(type: UInt32, name: String?) {
        #expect(NetworkFileSystem.name(ofType: type) == name)
    }

    @Test(
        "Files on FAT and exFAT have no lasting identity, and those of other file systems do",
        arguments: [
            (0x4D44, false), (0x2011_BAB0, false), (0xEF53, true), (0x5846_5342, true), (0x6573_5546, true), (0, true),
        ] as [(UInt32, Bool)])
    func keepsInodes(type: UInt32, keeps: Bool) {
        #expect(FileSystem.keepsInodes(ofType: type) == keeps)
    }

    @Test("A path that is not there yet lies where its nearest folder does")
    func nearestFolder() throws {
        let sandbox = try Sandbox()
        try Folder.refuseNetworkFileSystem(sandbox.path("a/b/c"))
        try Folder.refuseNetworkFileSystem("a/relative/path")
        #expect(NetworkFileSystem.name(under: sandbox.path) == nil)
        #expect(NetworkFileSystem.name(under: sandbox.path("none")) == nil)
    }

    @Test("Files have an identity that links share and copies do not")
    func identity() throws {
        let sandbox = try Sandbox()
        try Data([1]).write(to: URL(fileURLWithPath: sandbox.path("file")))
        try FileManager.default.createSymbolicLink(atPath: sandbox.path("link"), withDestinationPath: "file")
        try FileManager.default.copyItem(atPath: sandbox.path("file"), toPath: sandbox.path("copy"))
        let file = try #require(FileIdentity(path: sandbox.path("file")))
        #expect(FileIdentity(path: sandbox.path("link")) == file)
        #expect(FileIdentity(path: sandbox.path("copy")) != file)
        #expect(FileIdentity(path: sandbox.path("none")) == nil)
    }
}
