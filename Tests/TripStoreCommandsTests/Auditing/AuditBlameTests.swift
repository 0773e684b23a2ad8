import Foundation
import Testing

@Suite("Blame")
struct AuditBlameTests {
    @Test("Each field names who wrote its present value, when, and in which commit; cleared fields are left out")
    func fields() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--notes", "old", "--destination", "L", "--author", "ana")
        #expect(await tool.run("edit", trip, "--notes", "new\nlines", "--author", "ben").code == 0)
        #expect(await tool.run("edit", trip, "--clear", "destination").code == 0)
        let blame = try await tool.run("audit", "blame", trip, "--json").object()
        #expect(blame["id"] as? String == trip && blame["kind"] as? String == "trip")
        #expect(blame["name"] as? String == "Lisbon")
        #expect((blame["created"] as? [String: Any])?["author"] as? String == "ana")
        #expect(blame["deleted"] is NSNull)
        let fields = try #require(blame["fields"] as? [[String: Any]])
        #expect(fields.map { $0["field"] as? String } == ["name", "notes"])
        let notes = try #require(fields.last)
        #expect(notes["value"] as? String == "new\nlines" && notes["author"] as? String == "ben")
        #expect(notes["position"] as? Int == 3 && notes["sequence"] as? Int == 3)
        #expect(notes["contested"] as? Bool == false)
        #expect((notes["timestamp"] as? String)?.hasSuffix("Z") == true)

        let lines = await tool.run("audit", "blame", trip).out
        #expect(lines.first == "trip \"Lisbon\" \(trip)")
        #expect(lines.count == 4)
        #expect(lines[2].contains("notes") && lines[2].contains("ben@") && lines[2].hasSuffix("3    new\\u{a}lines"))
        #expect(lines[3].hasPrefix("  created  ana@"))
        await tool.expectInvariants()
    }

    @Test("What is deleted names who deleted it", arguments: ["trip", "organization"])
    func deleted(kind: String) async throws {
        let tool = try await Tool.withStore()
        let id = try await tool.value("add", kind, "--name", "x")
        #expect(await tool.run("delete", id, "--author", "ben").code == 0)
        let blame = try await tool.run("audit", "blame", id, "--kind", kind, "--json").object()
        #expect((blame["deleted"] as? [String: Any])?["author"] as? String == "ben")
        #expect(await tool.run("audit", "blame", id).out.last?.hasPrefix("  deleted  ben@") == true)
        await tool.expectInvariants()
    }
}
