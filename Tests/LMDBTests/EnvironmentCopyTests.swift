import Foundation
import LMDBSupport
import Platform
import TestSupport
import Testing

@testable import LMDB

@Suite("Copies of environments that are closed")
struct EnvironmentCopyTests {
    @Test("What a killed process had committed is in the copy, and the original stays as it was")
    func killed() throws {
        let (source, target) = (try Sandbox(), try Sandbox())
        let writer = try SecondProcess("commit", source.path, "a", "20")
        #expect(writer.line() == "committed")
        writer.kill()
        func files() throws -> [Data] {
            try ["data.mdb", "wal"].map { try Data(contentsOf: URL(filePath: source.path($0))) }
        }
        let before = try files()
        try Environment.copyClosed(from: source.path, to: target.path("copy"))
        #expect(try files() == before)
        let copy = try Environment.open(at: target.path("copy"))
        #expect(try copy.count(of: copy.tables(["rows"])[0]) == 20)
        #expect(try copy.checkStructure() == [])
        let original = try Environment.open(at: source.path)
        #expect(try original.count(of: original.tables(["rows"])[0]) == 20)
    }

    @Test("What is open, here or in another process, is not copied")
    func open() throws {
        let sandbox = try Sandbox()
        do {
            let environment = try Environment.open(at: sandbox.path)
            _ = try environment.tables(["rows"])
            #expect(code { try Environment.copyClosed(from: sandbox.path, to: sandbox.path("copy")) } == .alreadyOpen)
            withExtendedLifetime(environment) {}
        }
        let writer = try SecondProcess("commit", sandbox.path, "a", "20")
        #expect(writer.line() == "committed")
        #expect(code { try Environment.copyClosed(from: sandbox.path, to: sandbox.path("copy")) } == .alreadyOpen)
        writer.kill()
        try Environment.copyClosed(from: sandbox.path, to: sandbox.path("copy"))
        #expect(try Environment.open(at: sandbox.path("copy")).checkStructure() == [])
    }

    @Test("What is not there is missing")
    func missing() throws {
        let sandbox = try Sandbox()
        #expect(code { try Environment.copyClosed(from: sandbox.path("none"), to: sandbox.path("copy")) } == .missing)
        #expect(!FileManager.default.fileExists(atPath: sandbox.path("copy")))
    }
}

@Suite("Media that are read-only")
struct ReadOnlyMediumTests {
    @Test(
        "The file system's own options say whether all its mounts are read-only",
        arguments: [
            ("259:1", true), ("259:2", false), ("8:1", nil),
        ])
    func mounts(device: String, isReadOnly: Bool?) {
        let mounts = """
            22 27 0:21 / /proc rw,nosuid shared:12 - proc proc rw
            27 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro
            28 27 259:2 /data /mnt/data ro,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro
            29 27 259:1 / /media/disk ro,relatime shared:2 - ext4 /dev/nvme0n1p1 ro
            """
        #expect(Medium.isReadOnly(device: device, in: mounts) == isReadOnly)
    }

    #if os(Linux)
        @Test(
            "Where only this mount is read-only a writer may be near, and reading without locks is refused",
            .enabled(if: MemoryFileSystem.isAvailable))
        func boundReadOnly() throws {
            let system = try MemoryFileSystem(kibibytes: 4096)
            let (path, mount) = (system.path + "/store", system.path + "/mount")
            do {
                let environment = try Environment.open(at: path, options: .quick)
                try environment.put(bytes("a"), bytes("1"), in: environment.tables(["rows"])[0])
            }
            try Folder.create(mount)
            #expect(Program.succeeds("mount", "--bind", path, mount))
            defer { #expect(Program.succeeds("umount", mount)) }
            #expect(Program.succeeds("mount", "-o", "remount,bind,ro", mount))
            let reading = Environment.Options(.reading)
            #expect(code { _ = try Environment.open(at: mount, options: reading) } == .notPermitted)
            let environment = try Environment.open(at: path, options: reading)
            #expect(try environment.value(bytes("a"), in: environment.tables(["rows"])[0]) == bytes("1"))
            withExtendedLifetime(system) {}
        }
    #endif
}
