import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("doctor")
struct DoctorCommandTests {
    @Test("Of a store in which nothing is wrong it says so, with 0; of none it fails with 2")
    func sound() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01")
        let outcome = await tool.run("doctor")
        #expect(outcome.code == 0 && outcome.out == ["Nothing is wrong or odd up to position 2."], "\(outcome)")
        let json = try await tool.run("doctor", "--json", "--quick").object()
        #expect(json["ok"] as? Bool == true && (json["findings"] as? [Any])?.isEmpty == true)
        #expect(await Tool().run("doctor").code == 2)
        await tool.expectInvariants()
    }

    @Test("Each finding is said with what to do; --fix repairs what is certain, and names how it is undone")
    func fix() async throws {
        let tool = try await Tool.withStore()
        for _ in 0..<2 { _ = try await tool.value("add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01") }
        let found = await tool.run("doctor")
        #expect(found.code == 1 && found.out.first?.hasPrefix("warning duplicateTrip: 'Lisbon' is there twice") == true)
        #expect(found.out.contains { $0.hasPrefix("  With --fix: delete ") })
        #expect(found.out.last == "Found 1 warning up to position 3.")
        // It only reads.
        #expect(await tool.run("trips").out.count == 2)
        let fixed = await tool.run("doctor", "--fix", "--author", "ana")
        #expect(fixed.code == 0, "\(fixed)")
        let line = try #require(fixed.out.last)
        #expect(line.hasPrefix("Repaired 1 finding. 'tripstore undo --correlation "))
        #expect(await tool.run("trips").out.count == 1)
        #expect(await tool.run("doctor").code == 0)
        let correlation = try #require(line.firstMatch(of: /--correlation ([0-9A-F-]+)/)?.output.1)
        #expect(await tool.run("undo", "--correlation", String(correlation)).code == 0)
        #expect(await tool.run("trips").out.count == 2)
        await tool.expectInvariants()
    }

    @Test(
        "Of a damaged store it names the damage, and does not fail",
        arguments: ["log/data.mdb", "views", "replica.key"])
    func damaged(name: String) async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let path = tool.path + "/" + name
        try FileManager.default.removeItem(atPath: path)
        try Data("nothing that a store has written".utf8).write(to: URL(fileURLWithPath: path))
        let outcome = await tool.run("doctor", "--json")
        #expect(outcome.code == 1, "\(outcome)")
        let findings = try #require(try outcome.object()["findings"] as? [[String: Any]])
        #expect(!findings.isEmpty && findings.allSatisfy { ($0["remedy"] as? String)?.isEmpty == false })
        let text = await tool.run("doctor")
        #expect(text.code == 1 && text.error.isEmpty && !text.out.joined().contains("Optional("))
    }
}
