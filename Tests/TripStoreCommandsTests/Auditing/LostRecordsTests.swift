import Foundation
import StoreSupport
import Testing

@Suite("Commits that the medium lost, on the command line")
struct LostRecordsTests {
    private static func codes(_ outcome: Tool.Outcome) throws -> [String] {
        let findings = try outcome.object()["findings"] as? [[String: Any]]
        return try #require(findings).compactMap { $0["code"] as? String }
    }

    @Test("verify, sync, clone, backup, bundle write and dump do their work, name them and end with 1")
    func named() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let kept = tool.path + "/log/wal.unreadable"
        try Data().write(to: URL(fileURLWithPath: kept))

        let verified = await tool.run("audit", "verify")
        #expect(verified.code == 1 && verified.out.count == 2)
        #expect(verified.out.first?.hasPrefix("lostRecords: ") == true && verified.out[0].contains("\(kept)."))

        let backup = tool.folder.path("backup")
        let backedUp = await tool.run("backup", backup, "--json")
        #expect(backedUp.code == 1)
        #expect(try Self.codes(backedUp) == ["lostRecords"])
        #expect(await Tool.run(["audit", "verify", "--store", backup]).code == 0)

        let bundle = tool.folder.path("all.bundle")
        let written = await tool.run("bundle", "write", bundle)
        #expect(written.code == 1 && written.out.last?.hasPrefix("  finding   lostRecords: ") == true)
        #expect(try Self.codes(await tool.run("bundle", "write", bundle, "--json")) == ["lostRecords"])
        #expect(await Tool.run(["bundle", "show", bundle]).code == 0)

        let dump = tool.folder.path("log.jsonl")
        let dumped = await tool.run("dump", dump)
        #expect(dumped.code == 1 && dumped.error.contains("lostRecords: "))
        #expect(FileManager.default.fileExists(atPath: dump))

        let other = Tool()
        let cloned = await Tool.run(["clone", tool.path, other.path])
        #expect(cloned.code == 1 && cloned.out.contains { $0.hasPrefix("  finding   lostRecords: ") })
        #expect(await other.run("trips", "--undated").out.count == 1)
        // Whichever side runs the command.
        for (one, two) in [(tool, other), (other, tool)] {
            let synced = await one.run("sync", two.path, "--json")
            #expect(synced.code == 1)
            #expect(try Self.codes(synced) == ["lostRecords"])
        }

        let found = await tool.run("doctor", "--json")
        #expect(try Self.codes(found) == ["lostRecords"])

        try FileManager.default.removeItem(atPath: kept)
        #expect(await tool.run("sync", other.path).code == 0)
        for one in [tool, other] { await one.expectInvariants() }
    }
}
