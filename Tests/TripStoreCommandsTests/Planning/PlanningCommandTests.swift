import StoreSupport
import Testing
import TripStore

@Suite("Travellers, budgets, checklists and copies in the tool")
struct PlanningCommandTests {
    private static func tool() async throws -> Tool {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-03")
        _ = try await tool.value("add", "traveller", "--name", "Ana", "--email", "ana@example.org")
        _ = try await tool.value("add", "traveller", "--name", "Ben")
        _ = try await tool.value(
            "add", "lodging", "--name", "Inn", "--trip", "Lisbon", "--cost", "90", "--currency", "EUR", "--paid",
            "in-full")
        return tool
    }

    @Test("They are added, edited, listed and shown by their own names and options")
    func commands() async throws {
        let tool = try await Self.tool()
        #expect(await tool.run("edit", "Lisbon", "--insert", "travellers=Ana", "--insert", "travellers=Ben").code == 0)
        #expect(
            await tool.run("edit", "Inn", "--set", "payer=Ana", "--set", "split=parts", "--set", "parts[Ben]=2").code
                == 0)
        #expect(await tool.run("add", "budget", "--trip", "Lisbon", "--amount", "100", "--currency", "EUR").code == 0)
        #expect(
            await tool.run(
                "add", "budget", "--trip", "Lisbon", "--category", "lodging", "--amount", "80", "--currency", "EUR"
            ).code == 0)
        #expect(
            await tool.run("add", "checklist", "--name", "Packing", "--trip", "Lisbon", "--purpose", "packing").code
                == 0)
        #expect(
            await tool.run(
                "add", "entry", "--name", "passport", "--list", "Packing", "--assignee", "Ana", "--due-day",
                "2027-04-30"
            ).code == 0)
        #expect(await tool.run("add", "entry", "--name", "socks", "--list", "Packing").code == 0)
        #expect(await tool.run("edit", "passport", "--done").code == 0)
        #expect(await tool.run("move", "socks", "--at", "1").code == 0)
        let shown = await tool.run("show", "Lisbon").out
        for line in [
            "  with all who travel, paid by Ana, Ana: 30.00 EUR, Ben: 60.00 EUR", "Travellers",
            "  Ana, ana@example.org",
            "  Ben", "Budgets", "  all: 90.00 EUR of 100.00 EUR planned, 10.00 EUR left, 90.00 EUR paid",
            "  lodging: 90.00 EUR of 80.00 EUR planned, 10.00 EUR too much, 90.00 EUR paid", "Shared costs",
            "  Ana paid 90.00 EUR, owes 30.00 EUR: gets 60.00 EUR",
            "  Ben paid 0.00 EUR, owes 60.00 EUR: gives 60.00 EUR",
        ] {
            #expect(shown.contains(line), "\(line): \(shown)")
        }
        #expect(
            shown.suffix(3) == [
                "Packing, 1 of 2 done", "  [ ] socks", "  [x] passport, Ana, until Fri 30 Apr 2027",
            ], "\(shown)")
        let listed = await tool.run("list", "travellers").out
        #expect(listed.map { $0.split(separator: " ").last } == ["ana@example.org", "Ben"], "\(listed)")
        #expect(await tool.run("list", "traveller").out.count == 2)
        #expect(await tool.run("list", "entries", "--trip", "Lisbon").out.count == 2)
        #expect(await tool.run("list", "entries", "--where", "isDone = no").out.count == 1)
        #expect(await tool.run("list", "activities", "--where", "payer is none").code == 0)
        #expect(await tool.run("list", "own").out == ["No entities from apps."])
        #expect(await tool.run("show", "Packing").code == 0)
        #expect(await tool.run("edit", "entries", "--where", "isDone = no", "--done").code == 0)
        #expect(await tool.run("list", "entries", "--where", "isDone = no", "--count").out == ["0"])
        #expect(await tool.run("audit", "blame", "Inn").out.contains { $0.contains("payer") })
        #expect(await tool.run("undo", "--last").code == 0)
        let deletion = await tool.run("delete", "Ana")
        #expect(deletion.code == 0)
        #expect(
            deletion.error.contains(
                "Ana travels in 1 trip, is the payer of 1 item, is to do 1 entry: none of them names Ana until it is restored."
            ) && deletion.error.contains("In 'Lisbon' Ana gets 60.00 EUR no more"), "\(deletion)")
        #expect(await tool.run("show", "Inn").out.contains { $0.contains("paid by") } == false)
        #expect(await tool.run("restore", "Ana").code == 0)
        let old = await tool.run("show", "Lisbon", "--as-of", "3")
        #expect(old.code == 0 && !old.out.contains("Travellers"), "\(old)")
    }

    @Test("Trips are put into an order by hand, one at a time, and an undo puts them back")
    func arranged() async throws {
        let tool = try await Tool.withStore()
        for name in ["Lisbon", "Porto", "Faro"] { _ = try await tool.value("add", "trip", "--name", name) }
        let names = {
            let rows = await tool.run("list", "trips", "--sort", "rank", "--columns", "name").out
            return rows.compactMap { row in ["Lisbon", "Porto", "Faro"].first { row.contains($0) } }
        }
        #expect(await tool.run("move", "Faro", "--at", "1").code == 0)
        #expect(await tool.run("move", "Porto", "--at", "2").code == 0)
        #expect(await names() == ["Faro", "Porto", "Lisbon"])
        #expect(await tool.run("move", "Lisbon", "--at", "1").code == 0)
        #expect(await names() == ["Lisbon", "Faro", "Porto"])
        #expect(await tool.run("undo", "--last").code == 0)
        #expect(await names() == ["Faro", "Porto", "Lisbon"])
        #expect(await tool.run("move", "Faro", "--at", "1").out == ["It is there already."])
        #expect(await tool.run("move", "Faro", "--at", "9").code == 0)
        #expect(await names() == ["Porto", "Lisbon", "Faro"])
        let template = try await tool.value("copy", "Lisbon", "--template", "--name", "City break")
        #expect(await tool.run("move", template, "--at", "1").error.contains("template"))
        await tool.expectInvariants()
    }

    @Test("What names no traveller, no list or no place is refused")
    func refused() async throws {
        let tool = try await Self.tool()
        #expect(await tool.run("edit", "Inn", "--set", "payer=Lisbon").error.contains("no traveller called 'Lisbon'"))
        let unlisted = await tool.run("add", "entry", "--name", "x", "--list", "Ana")
        #expect(unlisted.error.contains("no checklist called 'Ana'"))
        #expect(await tool.run("add", "traveller").code == 2)
        #expect(await tool.run("move", "Inn", "--at", "1").code == 2)
        #expect(await tool.run("edit", "Ana", "--mode", "plane").error.contains("kind traveller"))
        #expect(await tool.run("shift", "Lisbon").code == 64)
        #expect(await tool.run("copy", "Lisbon", "--without", "everything").code == 64)
    }

    @Test("A trip is copied, saved as a template and made from one; a name is that of the trip, not of the template")
    func copies() async throws {
        let tool = try await Self.tool()
        let dry = await tool.run("copy", "Lisbon", "--template", "--dry-run")
        #expect(dry.out.count == 3 && dry.out.first == "Would create 2:", "\(dry)")
        #expect(await tool.run("templates").out == ["No templates."])
        let template = try await tool.value("copy", "Lisbon", "--template", "--without", "costs,payments")
        #expect(await tool.run("templates").out.count == 1)
        #expect(await tool.run("trips").out.count == 1)
        #expect(await tool.run("list", "lodgings").out.count == 1)
        #expect(await tool.run("edit", "Inn", "--notes", "quiet").code == 0)
        #expect(await tool.run("show", template).out.contains("  template"))
        let porto = try await tool.value("copy", template, "--to", "2028-09-04", "--name", "Porto")
        #expect(await tool.run("show", porto).out.first == "Porto")
        #expect(await tool.run("trips").out.count == 2)
    }

    @Test("A trip is put on other days, and one undo puts it back")
    func shifts() async throws {
        let tool = try await Self.tool()
        let dry = await tool.run("shift", "Lisbon", "--days", "-3", "--dry-run")
        #expect(dry.out.first == "Would shift 1:", "\(dry)")
        let shifted = await tool.run("shift", "Lisbon", "--days", "-3")
        #expect(shifted.code == 0 && shifted.out.first?.hasPrefix("Shifted trip \"Lisbon\" ") == true, "\(shifted)")
        #expect(await tool.run("trips").out.first?.contains("2027-04-28") == true)
        #expect(await tool.run("undo", "--last").code == 0)
        #expect(await tool.run("trips").out.first?.contains("2027-05-01") == true)
        #expect(await tool.run("shift", "Lisbon", "--to", "2027-06-01").code == 0)
        #expect(await tool.run("trips").out.first?.contains("2027-06-03") == true)
    }
}
