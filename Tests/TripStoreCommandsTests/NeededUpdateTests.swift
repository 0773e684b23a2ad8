import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@Suite("Commits that need a newer version, on the command line")
struct NeededUpdateTests {
    /// A store with a trip, and with two commits of a member's newer version.
    static func store() async throws -> Tool {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
        try await receive(in: tool)
        return tool
    }

    /// Stores the commits.
    static func receive(in tool: Tool) async throws {
        let store = try await TripStore.open(at: URL(fileURLWithPath: tool.path))
        var newer = try #require(NewerReplica(store.journal))
        try await store.grant(.write, to: newer.id)
        let payload = Payload(author: "ada", events: [])
        try await store.store(newer.segment([payload, payload], needs: 0x9_0009_0000))
        try await store.catchUp()
        await store.close()
    }

    private static let sentence =
        "2 commits by \"Ada's phone\" need TripStore 9.9 or newer: what they say is not shown."

    @Test(
        "A command that shows views says on standard error that an update is needed, and shows the rest",
        arguments: [
            ["trips"], ["list", "trips"], ["show", "Lisbon"], ["agenda", "2027-05"], ["totals"], ["find", "lisbon"],
            ["export", "FILE", "--format", "json"], ["audit", "log"], ["status"],
        ])
    func commands(arguments: [String]) async throws {
        let tool = try await Self.store()
        let outcome = await tool.run(arguments.map { $0 == "FILE" ? tool.folder.path("trips.json") : $0 })
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(outcome.error.contains("Warning: \(Self.sentence) Update this program."), "\(outcome.error)")
        let edited = await tool.run("edit", "Lisbon", "--notes", "with trams")
        #expect(edited.code == 0, "\(edited.error)")
        await tool.expectInvariants()
    }

    @Test("The state and the diagnosis of the store have it, in text and in JSON")
    func status() async throws {
        let tool = try await Self.store()
        let text = await tool.run("status").out.joined(separator: "\n")
        #expect(text.contains("update    \(Self.sentence)"), "\(text)")
        let status = await tool.run("status", "--json")
        let needed = try #require(try status.object()["neededUpdate"] as? [String: Any])
        #expect(needed["commits"] as? Int == 2 && needed["features"] as? Int == 64)
        #expect(needed["version"] as? String == "9.9" && (needed["replicas"] as? [String])?.count == 1)
        let warning = try Tool.Outcome.object(String(status.error.prefix { $0 != "\n" }))
        #expect((warning["warning"] as? [String: String])?["message"]?.hasPrefix(Self.sentence) == true)
        let doctor = await tool.run("doctor", "--json")
        #expect(doctor.code == 1)
        let findings = try #require(try doctor.object()["findings"] as? [[String: Any]])
        #expect(findings.map { $0["code"] as? String } == ["neededUpdate"])
        #expect(findings.first?["severity"] as? String == "warning")
        #expect(findings.first?["message"] as? String == Self.sentence)
    }

    @Test("The log lists the commits with the version that they need, and a dump of them loads as the same bytes")
    func log() async throws {
        let tool = try await Self.store()
        let listed = await tool.run("audit", "log").out.filter { $0.contains("needs TripStore 9.9 or newer") }
        #expect(listed.count == 2)
        let commits = try await tool.run("audit", "log", "--json").objects()
        #expect(commits.count { ($0["neededUpdate"] as? [String: Any])?["commits"] as? Int == 1 } == 2)
        let lines = try await Self.dumpedCommits(of: tool, "first.jsonl")
        #expect(lines.compactMap { $0["needs"] as? String } == ["9.9", "9.9"])
        let other = try await Tool.withStore()
        _ = try await other.value("load", tool.folder.path("first.jsonl"))
        let again = try await Self.dumpedCommits(of: other, "second.jsonl")
        #expect(Set(again.compactMap { $0["bytes"] as? String }) == Set(lines.compactMap { $0["bytes"] as? String }))
        await other.expectInvariants()
    }

    /// The lines of commits of a dump that is written into the tool's folder.
    private static func dumpedCommits(of tool: Tool, _ name: String) async throws -> [[String: Any]] {
        let file = tool.folder.path(name)
        _ = try await tool.value("dump", file)
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        return try lines.map { try Tool.Outcome.object(String($0)) }.filter { $0["type"] as? String == "commit" }
    }
}
