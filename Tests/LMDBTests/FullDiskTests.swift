import Foundation
import LMDB
import Testing

@Suite("A full disk", .enabled(if: MemoryFileSystem.isAvailable))
struct FullDiskTests {
    @Test(
        "It is named as what it is, what was there stays, and with room again writing goes on",
        arguments: [Environment.Options(), .quick, .inPlace])
    func fullDisk(options: Environment.Options) throws {
        let sandbox = try Sandbox()
        let system = try MemoryFileSystem(in: sandbox, kibibytes: 1024)
        let ballast = system.path + "/ballast"
        #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 400 << 10)))
        let path = system.path + "/store"
        try fill(path, options, ballast)
        #expect(try Environment.checkStructure(at: path) == [])
        withExtendedLifetime(system) {}
    }

    private func fill(_ path: String, _ options: Environment.Options, _ ballast: String) throws {
        let environment = try Environment.open(at: path, options: options)
        let table = try environment.tables(["rows"])[0]
        var written = 0
        var failure: LMDBError?
        while failure == nil, written < 1000 {
            do {
                try environment.put(UInt64(written), [UInt8](repeating: 5, count: 9000), in: table)
                written += 1
            } catch let error as LMDBError {
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
