import Foundation
import Testing

@testable import LMDB

@Suite("Room ahead of commits")
struct RoomTests {
    private static let isGain = FileSystem.overwritesQuicker(at: FileManager.default.temporaryDirectory.path)
    private static let synced = Environment.Options(syncsCommits: true)

    private func size(_ environment: Environment) throws -> Int {
        var status = stat()
        try #require(stat(environment.path + "/data.mdb", &status) == 0)
        return Int(status.st_size)
    }

    @Test("Small transactions that extend the file find zeros to overwrite", .enabled(if: isGain))
    func small() throws {
        try withEnvironment(Self.synced) { environment, table in
            environment.makeRoom()
            var extended = 0
            for row in UInt64(0)..<200 {
                let before = try size(environment)
                try environment.put(row, [UInt8](repeating: 9, count: 3000), in: table)
                if try size(environment) > before { extended += 1 }
                environment.makeRoom()
            }
            #expect(extended < 5)
            #expect(try environment.checkStructure() == [])
            let used = try environment.information().usedSize
            let file = try Data(contentsOf: URL(filePath: environment.path + "/data.mdb"))
            #expect(file.count > used)
            #expect(file[used...].allSatisfy { $0 == 0 })
            for row in UInt64(0)..<200 {
                #expect(try environment.value(row, in: table) == [UInt8](repeating: 9, count: 3000))
            }
        }
    }

    @Test("Large transactions, and what needs no room, leave the file as it is")
    func none() throws {
        try withEnvironment(Self.synced) { environment, table in
            for row in UInt64(0)..<20 {
                try environment.put(row, [UInt8](repeating: 9, count: 100_000), in: table)
                let before = try size(environment)
                environment.makeRoom()
                // Nothing was written since.
                environment.makeRoom()
                #expect(try size(environment) == before)
            }
        }
        try withEnvironment(.quick) { environment, table in
            for row in UInt64(0)..<20 {
                try environment.put(row, [UInt8](repeating: 9, count: 3000), in: table)
                let before = try size(environment)
                environment.makeRoom()
                #expect(try size(environment) == before)
            }
        }
    }

    @Test("It is made under the writer's lock, over all processes", .enabled(if: isGain))
    func locked() throws {
        try withEnvironment(Self.synced) { environment, table in
            environment.makeRoom()
            try environment.put([1], [UInt8](repeating: 5, count: 3000), in: table)
            let before = try size(environment)
            let other = try SecondProcess("lock", environment.path)
            #expect(other.line() == "locked")
            let made = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                environment.makeRoom()
                made.signal()
            }
            // A while in which it would have been done many times over.
            #expect(made.wait(timeout: .now() + 0.2) == .timedOut)
            #expect(try size(environment) == before)
            try other.go()
            made.wait()
            #expect(try size(environment) > before)
            #expect(try other.end().code == 0)
        }
    }

    @Test("Beside another process nothing is lost", .enabled(if: isGain))
    func otherProcess() throws {
        try withEnvironment(Self.synced) { environment, table in
            let other = try SecondProcess("fill", environment.path, "other", "2000", "plain")
            #expect(other.line() == "ready")
            try other.go()
            for row in UInt64(0)..<150 {
                try environment.put(row, [UInt8](repeating: 5, count: 3000), in: table)
                environment.makeRoom()
            }
            #expect(try other.end().code == 0)
            #expect(try environment.count(of: table) == 2150)
            for row in 0..<2000 {
                let value = try environment.value(Array("other\(row)".utf8), in: table)
                #expect(value == [UInt8](repeating: UInt8(row % 251), count: 700))
            }
            #expect(try environment.checkStructure() == [])
        }
    }
}
