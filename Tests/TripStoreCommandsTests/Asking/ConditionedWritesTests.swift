import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Writes of the tool to all that meet a condition")
struct ConditionedWritesTests {
    @Test("All of a kind that meet a condition are edited in one commit, and a dry run says which")
    func editing() async throws {
        let (tool, _) = try await Tool.planned()
        let before = try await tool.position()
        let line = ["edit", "activities", "--where", "name contains 'TRAM' and paid = none", "--paid", "in-full"]
        let preview = await tool.run(line + ["--dry-run"])
        #expect(preview.code == 0 && preview.out.first == "Would edit 3:" && preview.out.count == 4)
        #expect(preview.out.contains { $0.hasPrefix("  activity \"Tram 28\" ") })
        let entities = try await tool.run(line + ["--dry-run", "--json"]).object()["entities"] as? [[String: Any]]
        #expect(entities?.count == 3)
        #expect(try await tool.position() == before)
        let edited = await tool.run(line)
        #expect(edited.code == 0 && edited.out.first?.hasPrefix("Edited 3 ") == true, "\(edited.error)")
        #expect(try await tool.position() == before + 1)
        #expect(try await tool.value("list", "activities", "--where", "paid = inFull", "--count") == "3")
        #expect(await tool.run(line).out == ["Nothing to change."])
        #expect(await tool.run(line + ["--dry-run"]).out == ["Nothing to change."])
        #expect(try await tool.position() == before + 1)
        // One that cannot be edited keeps all from it.
        let refused = await tool.run("edit", "trips", "--where", "name contains 'o'", "--end-date", "2027-04-01")
        #expect(refused.code == 2)
        #expect(try await tool.position() == before + 1)
        // The kind may be named as that of one.
        #expect(
            try await tool.value("edit", "trip", "--where", "name = 'Lisbon'", "--clear", "endDate").hasPrefix(
                "Edited 1 "))
        await tool.expectInvariants()
    }

    @Test(
        "All that meet a condition are deleted, after a question if one is protected, and a dry run says with how many others"
    )
    func deleting() async throws {
        let (tool, _) = try await Tool.planned()
        let before = try await tool.position()
        let preview = await tool.run("delete", "trips", "--where", "name in ('Lisbon', 'Porto')", "--dry-run")
        #expect(preview.out.first == "Would delete 2, and 5 others with them:", "\(preview.error)")
        let refused = await tool.run("delete", "trips", "--where", "name contains 'o'")
        #expect(refused.code == 2 && refused.error.contains("'Porto' is protected"))
        #expect(await tool.run("delete", "activities", "--where", "name = 'x'").out == ["Nothing to change."])
        #expect(
            await tool.run("delete", "activities", "--where", "name = 'x'", "--dry-run").out == ["Nothing to change."])
        #expect(try await tool.position() == before)
        let deleted = await tool.run("delete", "activities", "--where", "name contains 'tram' and cost < 4 EUR")
        #expect(deleted.code == 0 && deleted.out.first?.hasPrefix("Deleted 2 ") == true, "\(deleted.error)")
        #expect(try await tool.position() == before + 1)
        #expect(await tool.run("delete", "trips", "--where", "name contains 'o'", "--yes").code == 0)
        #expect(try await tool.value("list", "activities", "--count") == "0")
        await tool.expectInvariants()
    }

    @Test("Of many only the first are shown to people, and all in JSON")
    func many() async throws {
        let tool = try await Tool.withStore()
        let store = try await TripStore.open(at: URL(fileURLWithPath: tool.path))
        try await store.create((1...30).map { Trip(name: "Trip \($0)") })
        await store.close()
        let line = ["edit", "trips", "--where", "name begins with 'trip'", "--notes", "n", "--dry-run"]
        let preview = await tool.run(line)
        #expect(
            preview.out.first == "Would edit 30:" && preview.out.count == 22 && preview.out.last == "  and 10 others")
        #expect((try await tool.run(line + ["--json"]).object()["entities"] as? [Any])?.count == 30)
        await tool.expectInvariants()
    }
}
