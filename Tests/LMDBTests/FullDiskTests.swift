import Foundation
import LMDB
import LMDBSupport
import Platform
import TestSupport
import Testing

@Suite("A full disk", .enabled(if: MemoryFileSystem.isAvailable))
struct FullDiskTests {
    @Test(
        "It is named as what it is, what was there stays, and with room again writing goes on",
        arguments: [Environment.Options(), .quick])
    func fullDisk(options: Environment.Options) throws {
        let system = try MemoryFileSystem(kibibytes: 1024)
        let ballast = system.path + "/ballast"
        #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 400 << 10)))
        let path = system.path + "/store"
        try fill(path, options, ballast)
        #expect(try Environment.checkStructure(at: path) == [])
        withExtendedLifetime(system) {}
    }

    @Test(
        "An environment that finds no room is not opened, and one that is there is",
        arguments: [Environment.Options(), .quick])
    func opening(options: Environment.Options) throws {
        let system = try MemoryFileSystem(kibibytes: 2048)
        func path(_ name: String) -> String { system.path + "/" + name }
        let present = try Environment.open(at: path("present"), options: options)
        try present.put(UInt64(1), [UInt8](repeating: 5, count: 100), in: present.tables(["rows"])[0])
        // All but a few pages, then fewer and fewer: wherever it ends there is an error and no signal.
        var refused = 0
        for number in 0..<40 {
            let ballast = FileManager.default.createFile(
                atPath: path("ballast \(number)"), contents: Data(count: 44 << 10))
            let code = code { _ = try Environment.open(at: path("new \(number)"), options: options) }
            #expect(code == nil || code == .diskFull)
            if code != nil { refused += 1 }
            if !ballast { break }
        }
        #expect(refused > 0)
        #expect(code { _ = try Environment.open(at: path("last"), options: options) } == .diskFull)
        #expect(try present.count(of: present.tables(["rows"])[0]) == 1)
        withExtendedLifetime(system) {}
    }

    private func fill(_ path: String, _ options: Environment.Options, _ ballast: String) throws {
        let environment = try Environment.open(at: path, options: options)
        let table = try environment.tables(["rows"])[0]
        var written = 0
        var failure: StorageError?
        while failure == nil, written < 1000 {
            do {
                try environment.put(UInt64(written), [UInt8](repeating: 5, count: 9000), in: table)
                written += 1
            } catch let error as StorageError {
                failure = error
            }
        }
        #expect(failure?.code == .diskFull, "\(String(describing: failure))")
        #expect(written > 10)
        #expect(code { try environment.put(UInt64.max, [UInt8](repeating: 5, count: 9000), in: table) } == .diskFull)
        #expect(try environment.count(of: table) == written)
        #expect(try environment.checkStructure() == [])
        try FileManager.default.removeItem(atPath: ballast)
        try environment.put(UInt64.max, [UInt8](repeating: 5, count: 9000), in: table)
        let keys = try environment.rows(of: table).keys
        #expect(Set(keys) == Set((0..<written).map { bytes(UInt64($0)) } + [bytes(UInt64.max)]))
        #expect(try environment.checkStructure() == [])
    }
}
