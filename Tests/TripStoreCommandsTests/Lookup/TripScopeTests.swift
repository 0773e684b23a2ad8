import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Names after a trip was copied")
struct TripScopeTests {
    /// A trip with an item, a list and an entry, and a copy with the same names a year later.
    private static func tool() async throws -> (tool: Tool, copy: String) {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2127-05-01", "--end-date", "2127-05-03")
        _ = try await tool.value(
            "add", "activity", "--name", "Tram 28", "--trip", "Lisbon", "--start-day", "2127-05-02")
        _ = try await tool.value("add", "checklist", "--name", "Packing", "--trip", "Lisbon")
        _ = try await tool.value("add", "entry", "--name", "passport", "--list", "Packing")
        let copy = try await tool.value("copy", "Lisbon", "--to", "2128-05-01", "--name", "Lisboa")
        return (tool, copy)
    }

    @Test("An ambiguous name is refused with the kind, the trip, the day and a beginning of the id of each")
    func candidates() async throws {
        let (tool, _) = try await Self.tool()
        for (name, words) in [
            ("Tram 28", "activity in 'Lisbon', Fri 2 May 2127"), ("passport", "entry in 'Packing' of 'Lisbon', "),
        ] {
            let refused = await tool.run("show", name)
            #expect(refused.code == 2 && refused.error.contains("'\(name)' may be any of 2:"), "\(refused.error)")
            #expect(refused.error.contains("Give one of these ids, or the trip with --trip."))
            #expect(refused.error.contains(words.prefix(21)) && refused.error.contains("'Lisboa'"), "\(refused.error)")
        }
    }

    @Test("Each command that takes a name looks it up in the trip of --trip")
    func scoped() async throws {
        let (tool, copy) = try await Self.tool()
        #expect(await tool.run("show", "Tram 28", "--trip", "Lisboa").out.contains("  trip: Lisboa"))
        #expect(await tool.run("edit", "passport", "--trip", "Lisboa", "--done").code == 0)
        #expect(await tool.run("edit", "Tram 28", "--trip", "Lisboa", "--notes", "early").code == 0)
        #expect(await tool.run("show", "Tram 28", "--trip", "Lisbon").out.contains("  early") == false)
        #expect(await tool.run("audit", "blame", "Tram 28", "--trip", "Lisboa").out.contains { $0.contains("early") })
        #expect(await tool.run("add", "entry", "--name", "socks", "--list", "Packing", "--trip", "Lisboa").code == 0)
        #expect(await tool.run("list", "entries", "--trip", "Lisboa").out.count == 2)
        #expect(await tool.run("list", "entries", "--trip", "Lisbon").out.count == 1)
        #expect(await tool.run("move", "passport", "--trip", "Lisboa", "--at", "2").code == 0)
        #expect(await tool.run("attachments", "Tram 28", "--trip", "Lisboa").out == ["No attachments."])
        #expect(await tool.run("audit", "log", "--entity", "Tram 28", "--trip", "Lisboa").code == 0)
        #expect(await tool.run("delete", "Tram 28", "--trip", "Lisboa").code == 0)
        #expect(await tool.run("show", "Tram 28").out.contains("  trip: Lisbon"))
        #expect(await tool.run("restore", "Tram 28", "--trip", copy).code == 0)
        let elsewhere = await tool.run("edit", "socks", "--trip", "Lisbon", "--done")
        #expect(elsewhere.code == 2 && elsewhere.error.contains("in that trip"), "\(elsewhere)")
        // An item is put into the trip, if the name is nowhere in it.
        _ = try await tool.value("add", "activity", "--name", "Fado", "--trip", "Lisbon")
        #expect(await tool.run("edit", "Fado", "--trip", "Lisboa").code == 0)
        #expect(await tool.run("show", "Fado").out.contains("  trip: Lisboa"))
        await tool.expectInvariants()
    }

    @Test("Of several of a name the one of the trip under way is taken, or else the one that is not over")
    func current() async throws {
        let tool = try await Tool.withStore()
        let today = Day(.now, in: .current)
        for (start, end) in [(-400, -390), (-2, 2), (300, 310)] {
            let trip = try await tool.value(
                "add", "trip", "--name", "Rome", "--start-date", "\(today.advanced(by: start))", "--end-date",
                "\(today.advanced(by: end))")
            _ = try await tool.value("add", "activity", "--name", "Dinner", "--trip", trip, "--notes=\(start)")
        }
        let shown = await tool.run("show", "Dinner")
        #expect(shown.code == 0 && shown.out.contains("  -2") && shown.error.contains("2 others"), "\(shown)")
        #expect(await tool.run("show", "Rome").out.first == "Rome")
        #expect(await tool.run("delete", "Rome").code == 0)
        #expect(await tool.run("show", "Dinner").out.contains("  300"))
        #expect(await tool.run("show", "Dinner", "--trip", "Rome").out.contains("  300"))
        await tool.expectInvariants()
    }
}
