import Foundation
import LMDB
import LMDBSupport
import Platform
import TestSupport
import Testing

@Suite("Read-only environments")
struct ReadOnlyTests {
    private static let readOnly = Environment.Options(.reading)

    private static func make(at path: String) throws {
        let environment = try Environment.open(at: path, options: .quick)
        try environment.put(bytes("a"), bytes("1"), in: environment.tables(["rows"])[0])
    }

    @Test("They need files that are there")
    func missingFiles() throws {
        let sandbox = try Sandbox()
        #expect(code { _ = try Environment.open(at: sandbox.path("none"), options: Self.readOnly) } == .missing)
        #expect(!FileManager.default.fileExists(atPath: sandbox.path("none")))
        #expect(code { _ = try Environment.checkStructure(at: sandbox.path("none")) } == .missing)
    }

    @Test("They read, and neither write nor make tables")
    func reading() throws {
        let sandbox = try Sandbox()
        try Self.make(at: sandbox.path)
        let environment = try Environment.open(at: sandbox.path, options: Self.readOnly)
        #expect(code { _ = try environment.tables(["rows", "others"]) } == .missing)
        let table = try environment.tables(["rows"])[0]
        #expect(try environment.value(bytes("a"), in: table) == bytes("1"))
        #expect(code { try environment.put(bytes("b"), bytes("2"), in: table) } == .notPermitted)
        #expect(code { try environment.put(bytes("b"), bytes("2"), in: table) } == .notPermitted)
        #expect(try environment.rows(of: table) == [bytes("a"): bytes("1")])
        #expect(try environment.checkStructure() == [])
    }

    @Test("One that is open excludes opening for writing, until it is closed")
    func exclusion() throws {
        let sandbox = try Sandbox()
        try Self.make(at: sandbox.path)
        do {
            let environment = try Environment.open(at: sandbox.path, options: Self.readOnly)
            #expect(code { _ = try Environment.open(at: sandbox.path) } == .alreadyOpen)
            #expect(try Environment.open(at: sandbox.path, options: Self.readOnly) === environment)
        }
        let environment = try Environment.open(at: sandbox.path)
        #expect(try environment.checkStructure() == [])
    }

    @Test("A read-only file system can be read and refuses the rest", .enabled(if: MemoryFileSystem.isAvailable))
    func readOnlyFileSystem() throws {
        let system = try MemoryFileSystem(kibibytes: 1024)
        let path = system.path + "/store"
        try Self.make(at: path)
        try system.makeReadOnly()
        #expect(code { _ = try Environment.open(at: path) } == .notPermitted)
        #expect(code { _ = try Environment.open(at: system.path + "/new") } == .notPermitted)
        let environment = try Environment.open(at: path, options: Self.readOnly)
        #expect(try environment.value(bytes("a"), in: environment.tables(["rows"])[0]) == bytes("1"))
        #expect(try environment.checkStructure() == [])
        #expect(try Environment.checkStructure(at: path) == [])
        withExtendedLifetime(system) {}
    }
}
