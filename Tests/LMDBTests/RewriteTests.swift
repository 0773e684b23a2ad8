import Foundation
import LMDBSupport
import Platform
import TestSupport
import Testing

@testable import LMDB

@Suite("Rewriting the file of a closed environment")
struct RewriteTests {
    private struct CutOff: Error {}

    /// An environment with values of which every second was removed or replaced.
    private struct Filled {
        let sandbox: Sandbox
        let rows: [[UInt8]: [UInt8]]
        let search: CanarySearch
        let gone: Set<Int>

        init(seed: UInt64) throws {
            sandbox = try Sandbox()
            var generator = SeededGenerator(seed: seed)
            let canaries = (0..<200).map { _ in (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            }
            search = CanarySearch(canaries)
            gone = Set(stride(from: 1, to: canaries.count, by: 2))
            let environment = try Environment.open(at: sandbox.path, options: .durable)
            let tables = try environment.tables(["other", "rows"])
            for (number, canary) in canaries.enumerated() {
                // Some lie in pages of their own.
                let rest = [UInt8](repeating: 7, count: number % 10 < 2 ? 6000 : 30)
                try environment.put(UInt64(number), rest + canary, in: tables[1])
            }
            for number in gone {
                try environment.write { transaction in
                    if number % 3 == 0 {
                        try transaction.put(UInt64(number), bytes("short"), in: tables[1])
                    } else {
                        try transaction.delete(UInt64(number), in: tables[1])
                    }
                    try transaction.put(UInt64(number), [], in: tables[0])
                }
            }
            rows = try environment.rows(of: tables[1])
            try environment.checkpoint()
        }

        func found() throws -> Set<Int> { Set(try search.found(inFilesOf: sandbox.path).keys) }

        /// It has the same rows, opened and closed again.
        func expectSame(_ comment: Comment? = nil) throws {
            do {
                let environment = try Environment.open(at: sandbox.path, options: .durable)
                let tables = try environment.tables(["other", "rows"], creating: false)
                #expect(try environment.rows(of: tables[1]) == rows, comment)
                #expect(try environment.count(of: tables[0]) == gone.count, comment)
                #expect(environment.lostTransactions == 0 && environment.foreignRecords == nil, comment)
            }
            #expect(try Environment.checkStructure(at: sandbox.path) == [], comment)
        }
    }

    @Test("No file has a byte of a former row, and every row is there", arguments: Seeds.some(3))
    func former(seed: UInt64) throws {
        let filled = try Filled(seed: seed)
        #expect(try !filled.found().isDisjoint(with: filled.gone))
        let before = FileIdentity(path: filled.sandbox.path("data.mdb"))
        var paths: [String] = []
        let isRewritten = try Environment.rewrite(at: filled.sandbox.path) { copy in
            paths.append(copy.path)
            let table = try copy.tables(["rows"], creating: false)[0]
            #expect(try copy.rows(of: table) == filled.rows)
        }
        #expect(isRewritten && paths.count == 1)
        #expect(FileIdentity(path: filled.sandbox.path("data.mdb")) != before)
        let kept = Set((0..<200).filter { !filled.gone.contains($0) })
        #expect(try filled.found() == kept)
        try filled.expectSame()
        #expect(!FileManager.default.fileExists(atPath: filled.sandbox.path("rewriting")))
        // Neither does what is written from now on.
        do {
            let environment = try Environment.open(at: filled.sandbox.path, options: .durable)
            let table = try environment.tables(["rows"])[0]
            for number in UInt64(500)..<600 { try environment.put(number, bytes("later"), in: table) }
        }
        #expect(try filled.found() == kept)
        #expect(try Environment.checkStructure(at: filled.sandbox.path) == [])
    }

    @Test(
        "One that ends after any step leaves an environment that is whole, and another completes it",
        arguments: Environment.RewriteStep.allCases)
    func cutOff(after last: Environment.RewriteStep) throws {
        let filled = try Filled(seed: 4)
        #expect(throws: CutOff.self) {
            try Environment.rewrite(
                at: filled.sandbox.path, step: { step in if step == last { throw CutOff() } }, finish: { _ in })
        }
        // It stays until an opening has made the name of the new file durable.
        let folder = filled.sandbox.path("rewriting")
        do { _ = try Environment.open(at: filled.sandbox.path, options: .quick) }
        #expect(FileManager.default.fileExists(atPath: folder) == (last == .replaced))
        try filled.expectSame("\(last)")
        #expect(!FileManager.default.fileExists(atPath: folder))
        let isRewritten = try Environment.rewrite(at: filled.sandbox.path) { _ in }
        #expect(isRewritten)
        #expect(try filled.found().isDisjoint(with: filled.gone))
        try filled.expectSame("\(last)")
    }

    @Test("What a machine that stopped has left of the new file is no obstacle", arguments: [0, 1, 4096, 9000])
    func torn(size: Int) throws {
        let filled = try Filled(seed: 5)
        // All steps but the last, as they are after a power cut: of the new file any part may be there.
        let left = filled.sandbox.path("rewriting")
        try Folder.create(left)
        let whole = try Data(contentsOf: URL(filePath: filled.sandbox.path("data.mdb")))
        try Data(whole.prefix(size)).write(to: URL(filePath: left + "/data.mdb"))
        try filled.expectSame()
        #expect(!FileManager.default.fileExists(atPath: left))
        try Folder.create(left)
        try Data(whole.prefix(size)).write(to: URL(filePath: left + "/data.mdb"))
        #expect(try Environment.rewrite(at: filled.sandbox.path) { _ in })
        #expect(try filled.found().isDisjoint(with: filled.gone))
        #expect(!FileManager.default.fileExists(atPath: left))
        try filled.expectSame()
    }

    @Test("What is open, here or in another process, or has yet to be recovered stays as it is")
    func inUse() throws {
        let sandbox = try Sandbox()
        func isRewritten() throws -> Bool { try Environment.rewrite(at: sandbox.path) { _ in } }
        let writer = try SecondProcess("commit", sandbox.path, "a", "20")
        #expect(writer.line() == "committed")
        #expect(try !isRewritten())
        writer.kill()
        #expect(try !isRewritten())
        do {
            let environment = try Environment.open(at: sandbox.path, options: .durable)
            #expect(try !isRewritten())
            #expect(try environment.count(of: environment.tables(["rows"])[0]) == 20)
        }
        #expect(try isRewritten())
        let environment = try Environment.open(at: sandbox.path, options: .durable)
        #expect(try environment.count(of: environment.tables(["rows"])[0]) == 20)
        #expect(try environment.checkStructure() == [])
    }

    @Test("The new file has the permissions of the old one")
    func permissions() throws {
        let filled = try Filled(seed: 6)
        let file = filled.sandbox.path("data.mdb")
        try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: file)
        #expect(try Environment.rewrite(at: filled.sandbox.path) { _ in })
        let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(permissions?.intValue == 0o660)
        try filled.expectSame()
    }
    @Test(
        "Where there is no room for a second file it says so, and changes nothing",
        .enabled(if: MemoryFileSystem.isAvailable))
    func noRoom() throws {
        let system = try MemoryFileSystem(kibibytes: 4096)
        let path = system.path + "/store"
        do {
            let environment = try Environment.open(at: path, options: .durable)
            let table = try environment.tables(["rows"])[0]
            for number in UInt64(0)..<20 { try environment.put(number, [UInt8](repeating: 5, count: 5000), in: table) }
            try environment.checkpoint()
        }
        func count() throws -> Int {
            let environment = try Environment.open(at: path, options: .quick)
            return try environment.count(of: environment.tables(["rows"])[0])
        }
        try system.fill(leaving: 60 << 10)
        #expect(code { _ = try Environment.rewrite(at: path) { _ in } } == .diskFull)
        #expect(try count() == 20)
        try FileManager.default.removeItem(atPath: system.path + "/ballast")
        #expect(try Environment.rewrite(at: path) { _ in })
        #expect(try count() == 20)
        #expect(try Environment.checkStructure(at: path) == [])
        withExtendedLifetime(system) {}
    }
}
