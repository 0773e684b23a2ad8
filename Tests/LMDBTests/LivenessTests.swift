import Foundation
import LMDBSupport
import Platform
import Testing

@testable import LMDB

@Suite("Processes that have an environment open")
struct LivenessTests {
    @Test("The next writer releases a killed writer's snapshot: the file does not grow")
    func killedWriter() throws {
        try withEnvironment(.durable) { environment, table in
            try environment.put(bytes("own"), bytes("1"), in: table)
            let writer = try SecondProcess("commit", environment.path, "a", "20")
            #expect(writer.line() == "committed")
            writer.kill()
            for row in 0..<100 { try environment.put(bytes("row\(row % 40)"), bytes("\(row)"), in: table) }
            let before = try environment.information().usedSize
            for row in 0..<1200 { try environment.put(bytes("row\(row % 40)"), bytes("\(row)"), in: table) }
            #expect(try environment.information().usedSize - before < 8 << 20)
            #expect(try environment.count(of: table) == 61)
        }
    }

    @Test("A reader that is killed beside a writer keeps no pages for long")
    func killedReader() throws {
        try withEnvironment(.quick) { environment, table in
            for row in 0..<40 { try environment.put(bytes("row\(row)"), bytes("1"), in: table) }
            let reader = try SecondProcess("hold", environment.path)
            #expect(reader.line() == "holding")
            reader.kill()
            for row in 0..<(2 * Environment.writesBetweenReaderChecks) {
                try environment.put(bytes("row\(row % 40)"), bytes("\(row)"), in: table)
            }
            let before = try environment.information().usedSize
            for row in 0..<1000 { try environment.put(bytes("row\(row % 40)"), bytes("\(row)"), in: table) }
            #expect(try environment.information().usedSize == before)
        }
    }

    @Test("Opening is refused beside a process that has lost LMDB's locks, until it has them again")
    func lostLocks() throws {
        let sandbox = try Sandbox()
        let other = try SecondProcess("copy", sandbox.path)
        #expect(other.line() == "copied")
        let data = try Data(contentsOf: URL(filePath: sandbox.path("data.mdb")))
        for options in [Environment.Options(), Environment.Options(.reading)] {
            #expect(code { _ = try Environment.open(at: sandbox.path, options: options) } == .locksLost)
        }
        #expect(try Data(contentsOf: URL(filePath: sandbox.path("data.mdb"))) == data)
        // Its next commit takes them again.
        try other.go()
        #expect(other.line() == "written")
        let environment = try Environment.open(at: sandbox.path)
        let table = try environment.tables(["rows"])[0]
        #expect(try environment.count(of: table) == 21)
        try environment.put(bytes("next"), bytes("1"), in: table)
        try other.go()
        #expect(try other.end().code == 0)
        #expect(try environment.count(of: table) == 22)
        #expect(try environment.checkStructure() == [])
    }

    @Test("Readers are not cleared of a process that has lost LMDB's locks and is alive")
    func readersOfTheLiving() throws {
        try withEnvironment(.quick) { environment, table in
            let reader = try SecondProcess("hold-unlocked", environment.path)
            #expect(reader.line() == "holding")
            let readers = try environment.information().readers
            #expect(try environment.clearStaleReaders() == 0)
            #expect(try environment.information().readers == readers)
            reader.kill()
            #expect(try environment.clearStaleReaders() == 1)
        }
    }

    @Test("The next process to open removes what killed processes left behind")
    func sweeping() throws {
        let sandbox = try Sandbox()
        func notes() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: sandbox.path).filter { $0.hasPrefix("open-") }
        }
        let writer = try SecondProcess("commit", sandbox.path, "a", "5")
        #expect(writer.line() == "committed")
        #expect(try notes().count == 1)
        writer.kill()
        #expect(try notes().count == 1)
        try autoclosed {
            let environment = try Environment.open(at: sandbox.path)
            #expect(try notes().count == 1)
            #expect(try environment.count(of: environment.tables(["rows"])[0]) == 5)
        }
        #expect(try notes() == [])
    }

    private func autoclosed(_ body: () throws -> Void) throws { try body() }
}
