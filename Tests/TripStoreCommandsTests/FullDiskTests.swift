import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("Commands where there is no room at all", .enabled(if: MemoryFileSystem.isAvailable))
struct FullDiskTests {
    @Test("A store that was closed is read on a full disk, though the folder for temporary files is full too")
    func nowhere() async throws {
        let system = try MemoryFileSystem(kibibytes: 32 << 10)
        let temporary = system.path + "/temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let program = try KilledProcess.executable("tripstore").path
        func run(_ arguments: String...) throws -> Program.Output {
            let dependencies = ["TMPDIR=\(temporary)", "XDG_STATE_HOME=\(system.path)/state"]
            let store = ["--store", system.path + "/store"]
            return try #require(try Program.run("env", dependencies + [program] + arguments + store))
        }
        #expect(try run("init").code == 0)
        #expect(try run("add", "trip", "--name", "Lisbon").code == 0)
        try system.fill()
        let trips = try run("trips", "--undated")
        #expect(trips.code == 0 && trips.text.contains("Lisbon"), "\(trips.complaint)")
        let others = [try run("status"), try run("audit", "log"), try run("audit", "verify")]
        for output in others { #expect(output.code == 0, "\(output.complaint)") }
        #expect(try run("trips", "--undated").text == trips.text)
        withExtendedLifetime(system) {}
    }

    @Test("Once there is room again every command works at once, however often one failed before")
    func relieved() async throws {
        let system = try MemoryFileSystem(kibibytes: 16 << 10)
        let program = try KilledProcess.executable("tripstore").path
        func run(_ arguments: String...) throws -> Program.Output {
            let dependencies = ["XDG_STATE_HOME=\(system.path)/state"]
            let store = ["--store", system.path + "/store"]
            return try #require(try Program.run("env", dependencies + [program] + arguments + store))
        }
        #expect(try run("init").code == 0)
        #expect(try run("add", "trip", "--name", "Lisbon").code == 0)
        // Views must be built then, and cannot be.
        try FileManager.default.removeItem(atPath: system.path + "/store/views")
        try system.fill()
        for _ in 0..<6 {
            let refused = try run("add", "trip", "--name", "Porto", "--notes", String(repeating: "n", count: 60_000))
            #expect(refused.code == 2)
        }
        try FileManager.default.removeItem(atPath: system.path + "/ballast")
        let added = try run("add", "trip", "--name", "Faro")
        #expect(added.code == 0, "\(added.complaint)")
        let trips = try run("trips", "--undated")
        #expect(trips.text.contains("Lisbon") && trips.text.contains("Faro") && !trips.text.contains("Porto"))
        let others = [try run("audit", "verify"), try run("replay", "--verify"), try run("find", "Faro")]
        for output in others { #expect(output.code == 0, "\(output.complaint)") }
        withExtendedLifetime(system) {}
    }

    @Test("An import that fills the disk says how much of it was written, and goes on once there is room")
    func fullImport() async throws {
        let system = try MemoryFileSystem(kibibytes: 16 << 10)
        let program = try KilledProcess.executable("tripstore").path
        func run(_ arguments: String...) throws -> Program.Output {
            let dependencies = ["XDG_STATE_HOME=\(system.path)/state"]
            let store = ["--store", system.path + "/store"]
            return try #require(try Program.run("env", dependencies + [program] + arguments + store))
        }
        #expect(try run("init").code == 0)
        let notes = String(repeating: "n", count: 20_000)
        let trips = (0..<1500).map { ExportFixture.trip($0, ["notes": notes]) }
        let export = try ExportFixture(trips: trips)
        let output = try await export.withFile { try run("import", $0) }
        #expect(output.code == 2 && output.text.isEmpty)
        let written = try #require(
            output.complaint.firstMatch(of: /(\d+) events in (\d+) commits? were written before/))
        #expect((Int(written.1) ?? 0) > 0)
        withExtendedLifetime(system) {}
    }
}
