import Foundation
import Testing

@Suite("Differences between two moments")
struct AuditDiffTests {
    @Test("Between two positions each entity has its fate and its fields, in words with their counts, and in JSON")
    func positions() async throws {
        let tool = try await Tool.withStore()
        let lisbon = try await tool.value("add", "trip", "--name", "Lisbon")
        let faro = try await tool.value("add", "trip", "--name", "Faro")
        let before = try await tool.position()
        let porto = try await tool.value("add", "trip", "--name", "Porto")
        #expect(await tool.run("edit", lisbon, "--name", "Lisboa", "--notes", "sunny").code == 0)
        #expect(await tool.run("delete", faro).code == 0)
        let after = try await tool.position()

        let lines = await tool.run("audit", "diff", "\(before)", "\(after)").out
        #expect(lines.contains("created trip \"Porto\" \(porto)") && lines.contains("  name Porto"))
        #expect(lines.contains("deleted trip \"Faro\" \(faro)"))
        #expect(lines.contains("changed trip \"Lisboa\" \(lisbon)"))
        #expect(lines.contains("  name Lisbon → Lisboa") && lines.contains("  notes nothing → sunny"))
        #expect(lines.last == "1 created, 1 deleted, 1 changed.")

        let objects = try await tool.run("audit", "diff", "\(before)", "\(after)", "--json").objects()
        let fates = Dictionary(uniqueKeysWithValues: objects.map { ($0["id"] as? String ?? "", $0["fate"] as? String) })
        #expect(fates == [lisbon: "changed", faro: "deleted", porto: "created"])
        let changed = try #require(objects.first { $0["id"] as? String == lisbon }?["fields"] as? [[String: Any]])
        #expect(changed.map { $0["field"] as? String } == ["name", "notes"])
        #expect(changed.first?["old"] as? String == "Lisbon" && changed.first?["new"] as? String == "Lisboa")

        // Backwards, created entities vanish and deleted ones return.
        let back = await tool.run("audit", "diff", "\(after)", "\(before)").out
        #expect(back.last == "1 deleted, 1 restored, 1 changed." || back.last == "1 created, 1 deleted, 1 changed.")
        #expect(await tool.run("audit", "diff", "\(after)", "\(after)").out == ["No differences."])
        await tool.expectInvariants()
    }

    @Test("A day is all of it, a time is included, and both go with positions")
    func times() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let commits = try await tool.run("audit", "log", "--entity", trip, "--json").objects()
        let time = try #require(commits.first?["timestamp"] as? String)
        // The first commit, the introduction, may be of the same millisecond.
        #expect(await tool.run("audit", "diff", "0", time).out.last == "1 created.")
        #expect(await tool.run("audit", "diff", time, "2").out == ["No differences."])
        #expect(await tool.run("audit", "diff", "0", String(time.prefix(10))).out.last == "1 created.")
        #expect(await tool.run("audit", "diff", "1970-01-01", "9000-12-31").out.last == "1 created.")
        await tool.expectInvariants()
    }
}
