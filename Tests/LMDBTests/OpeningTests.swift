import Foundation
import LMDB
import LMDBSupport
import Platform
import Testing

@Suite("Opening and closing")
struct OpeningTests {
    @Test("Files opened twice give one environment, through a link and an odd spelling too")
    func oneEnvironment() throws {
        let sandbox = try Sandbox()
        let path = sandbox.path("store")
        let environment = try Environment.open(at: path, options: .quick)
        try FileManager.default.createSymbolicLink(atPath: sandbox.path("link"), withDestinationPath: path)
        for other in [path, path + "/", sandbox.path("link"), sandbox.path("./store"), sandbox.path("link/../store")] {
            #expect(try Environment.open(at: other, options: .quick) === environment)
        }
        #expect(try environment.checkStructure() == [])
    }

    @Test("Threads that open the same files at once get one environment")
    func oneEnvironmentForManyThreads() throws {
        let sandbox = try Sandbox()
        let path = sandbox.path("store")
        let failures = concurrently(8) { number in
            for round in 0..<40 {
                let environment = try Environment.open(at: path, options: .quick)
                let table = try environment.tables(["rows"])[0]
                try environment.put(UInt64(number * 100 + round), [1], in: table)
            }
        }
        #expect(failures == [])
        let environment = try Environment.open(at: path, options: .quick)
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == 320)
        #expect(try environment.checkStructure() == [])
    }

    @Test("What was committed is there after closing and opening again, in any table", arguments: [true, false])
    func reopening(syncsCommits: Bool) throws {
        let sandbox = try Sandbox()
        let options = Environment.Options(durability: syncsCommits ? .synced : .unsynced)
        for round in 0..<5 {
            let environment = try Environment.open(at: sandbox.path, options: options)
            let tables = try environment.tables(["one", "two", "three"])
            for table in tables { #expect(try environment.count(of: table) == round) }
            try environment.write { transaction in
                for table in tables { try transaction.put(UInt64(round), bytes("\(round)"), in: table) }
            }
            try environment.sync()
            #expect(try environment.checkStructure() == [])
        }
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }

    @Test("An environment is closed when the last reference goes: its files may then be replaced")
    func closing() throws {
        let sandbox = try Sandbox()
        func store(_ value: UInt8) throws -> [UInt8]? {
            let environment = try Environment.open(at: sandbox.path("store"), options: .quick)
            let table = try environment.tables(["rows"])[0]
            let old = try environment.value([1], in: table)
            try environment.put([1], [value], in: table)
            return old
        }
        #expect(try store(1) == nil)
        #expect(try store(2) == [1])
        try FileManager.default.removeItem(atPath: sandbox.path("store"))
        #expect(try store(3) == nil)
        #expect(try Environment.checkStructure(at: sandbox.path("store")) == [])
    }

    @Test("A fresh environment without a table is sound, open and closed, and opens again")
    func fresh() throws {
        let sandbox = try Sandbox()
        for _ in 0..<3 {
            let environment = try Environment.open(at: sandbox.path)
            #expect(try environment.checkStructure() == [])
            #expect(try environment.read { $0.number } == 0)
            #expect(try environment.information().readers >= 1)
        }
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
    }

    @Test("A data file of no bytes is filled and not refused")
    func emptyFile() throws {
        let sandbox = try Sandbox()
        #expect(FileManager.default.createFile(atPath: sandbox.path("data.mdb"), contents: nil))
        #expect(try Environment.checkStructure(at: sandbox.path) == [])
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        #expect(try environment.tables(["rows"]).count == 1)
        #expect(try environment.checkStructure() == [])
    }

    @Test("An open that fails leaves nothing open, and a later one succeeds")
    func failedOpen() throws {
        let sandbox = try Sandbox()
        let file = sandbox.path("data.mdb")
        try Data("no environment at all".utf8).write(to: URL(fileURLWithPath: file))
        for _ in 0..<50 { #expect(code { _ = try Environment.open(at: sandbox.path) } == .damaged) }
        try FileManager.default.removeItem(atPath: file)
        for size in [-1, 0, .max] {
            #expect(code { _ = try Environment.open(at: sandbox.path, options: .map(size)) } == .other)
        }
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        #expect(try environment.checkStructure() == [])
    }

    @Test("More tables than were asked for are refused, and nothing stays locked")
    func tooManyTables() throws {
        let sandbox = try Sandbox()
        let options = Environment.Options(durability: .unsynced, maxTables: 2)
        let environment = try Environment.open(at: sandbox.path, options: options)
        #expect(throws: StorageError.self) { try environment.tables(["a", "b", "c"]) }
        let tables = try environment.tables(["a", "b"])
        #expect(try environment.tables(["b", "a"]) == tables.reversed())
        try environment.put([1], [1], in: tables[0])
        #expect(try environment.count(of: tables[1]) == 0)
        #expect(try environment.checkStructure() == [])
    }

    @Test("A table cannot have the name of the row that identifies environments")
    func takenName() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path)
        let codes = ["environment", "Environment"].map { name in code { _ = try environment.tables([name]) } }
        #expect(codes == [.other, nil])
        #expect(try environment.checkStructure() == [])
    }

    @Test("An environment that does not sync is not returned to a caller that needs it to")
    func weakerOptions() throws {
        let sandbox = try Sandbox()
        let environment = try Environment.open(at: sandbox.path, options: .quick)
        #expect(code { _ = try Environment.open(at: sandbox.path) } == .alreadyOpen)
        #expect(try Environment.open(at: sandbox.path, options: .quick) === environment)
        #expect(try Environment.open(at: sandbox.path, options: .init(.reading)) === environment)
        #expect(try environment.checkStructure() == [])
    }

    @Test("It may be asked whether an environment is open while that is closed", .timeLimit(.minutes(10)))
    func askedWhileClosing() throws {
        let sandbox = try Sandbox()
        let path = sandbox.path
        let failures = concurrently(3) { number in
            for _ in 0..<400 {
                if number == 0 {
                    _ = try Environment.open(at: path, options: .quick)
                } else {
                    _ = try Environment.isOpen(at: path)
                }
            }
        }
        #expect(failures == [])
        #expect(try !Environment.isOpen(at: path))
    }
}
