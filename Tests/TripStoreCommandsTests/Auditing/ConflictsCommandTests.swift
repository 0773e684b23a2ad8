import Foundation
import StoreSupport
import Testing
import TripStoreCommands

@Suite("Conflicts for people")
struct ConflictsCommandTests {
    /// A trip with two travellers and a dinner, of which both replicas wrote the cost and the payer concurrently; Ben's writes are later.
    private static func replicas() async throws -> Replicas {
        let replicas = try await Replicas()
        _ = try await replicas.trip(named: "Lisbon")
        for name in ["Ana", "Ben"] { _ = try await replicas.ana.value("add", "traveller", "--name", name) }
        _ = try await replicas.ana.value(
            "add", "activity", "--name", "Dinner", "--trip", "Lisbon", "--cost", "50", "--currency", "EUR")
        try await replicas.meet()
        for (tool, name, cost) in [(replicas.ana, "Ana", "58"), (replicas.ben, "Ben", "61")] {
            let edited = await tool.run(
                "edit", "Dinner", "--cost", cost, "--set", "payer=\(name)", "--author", name.lowercased())
            #expect(edited.code == 0, "\(edited)")
            try await Task.sleep(for: .milliseconds(3))
        }
        try await replicas.meet()
        return replicas
    }

    @Test("They are a short list with numbers, the same on both replicas, and names in the place of ids")
    func list() async throws {
        let replicas = try await Self.replicas()
        for tool in [replicas.ana, replicas.ben] {
            let listed = await tool.run("conflicts")
            #expect(listed.code == 1)
            #expect(
                Set(listed.out.map { $0.dropFirst(3) }) == [
                    "Dinner: cost 61.00 EUR (ben), not 58.00 EUR (ana)", "Dinner: payer Ben (ben), not Ana (ana)",
                ], "\(listed.out)")
            #expect(listed.out.map { $0.prefix(3) } == ["1  ", "2  "])
            #expect(await tool.run("conflicts", "--trip", "Lisbon").out == listed.out)
            let numbers = try await tool.run("conflicts", "--json").objects().map { $0["number"] as? Int }
            #expect(numbers == [1, 2])
        }
        _ = try await replicas.ana.value("add", "trip", "--name", "Porto")
        #expect(await replicas.ana.run("conflicts", "--trip", "Porto").out == ["No conflicts."])
    }

    @Test("To take a side that stands already writes nothing and says so, and the log says of a value that it stays")
    func again() async throws {
        let ana = try await Self.replicas().ana
        let listed = await ana.run("audit", "conflicts", "--json")
        let ids = try listed.objects().filter { $0["field"] as? String == "cost" }.compactMap { $0["id"] as? String }
        let id = try #require(ids.first)
        let resolved = await ana.run("resolve", id, "--take", "winner")
        #expect(resolved.code == 0 && resolved.out.first?.contains(": cost stays 61.00 EUR") == true, "\(resolved.out)")
        #expect(
            await ana.run("audit", "log", "--limit", "1").out.first?.hasSuffix("\"Dinner\": cost stays 61.00 EUR")
                == true)
        let position = try await ana.position()
        let again = await ana.run("resolve", id, "--take", "winner")
        #expect(again.code == 0 && again.out == ["Nothing to change: the conflict is resolved, and that side stands."])
        let object = try await ana.run("resolve", id, "--take", "winner", "--json").object()
        #expect(object["changed"] as? Bool == false)
        let other = await ana.run("resolve", id, "--take", "superseded")
        #expect(other.code == 2 && other.error.contains("is resolved"))
        #expect(try await ana.position() == position)
        await ana.expectInvariants()
    }

    @Test("A line is no wider than the terminal")
    func narrow() async throws {
        let ana = try await Self.replicas().ana
        let lines = await ana.run("conflicts") { $0.layout = TextLayout(columns: 40) }.out
        #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 40 }, "\(lines)")
    }

    @Test("A line has at most 100 characters, however long names and values are")
    func short() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        for (tool, letter) in [(replicas.ana, "ä"), (replicas.ben, "世")] {
            let text = String(repeating: letter, count: 400)
            let author = "a person with a long name"
            #expect(await tool.run("edit", trip, "--name", text, "--notes", text, "--author", author).code == 0)
            try await Task.sleep(for: .milliseconds(3))
        }
        try await replicas.meet()
        let lines = await replicas.ana.run("conflicts").out
        #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 100 && $0.contains(", not ") }, "\(lines)")
    }

    @Test(
        "A number shows both values, who wrote them, when and where, and takes either",
        arguments: ["superseded", "winner"])
    func resolving(side: String) async throws {
        let replicas = try await Self.replicas()
        let ana = replicas.ana
        let lines = await ana.run("conflicts").out
        let number = String(try #require(lines.first { $0.contains("cost") }).prefix(1))
        let shown = await ana.run("resolve", number)
        #expect(shown.code == 0 && shown.out.count == 3, "\(shown)")
        #expect(shown.out[0] == "Dinner, activity in 'Lisbon': cost")
        #expect(shown.out[1].hasPrefix("  1  stands      61.00 EUR  by ben on ben's laptop, 20"), "\(shown.out)")
        #expect(shown.out[2].hasPrefix("  2  superseded  58.00 EUR  by ana on "), "\(shown.out)")
        #expect(shown.error.contains("--take winner"))
        // On a terminal nothing is wider, and where a value came from stands in one column.
        for columns in [40, 80] {
            let narrow = await ana.run("resolve", number) { $0.layout = TextLayout(columns: columns) }.out
            #expect(narrow.count > 3 && narrow.allSatisfy { $0.count <= columns }, "\(narrow)")
            #expect(narrow.joined(separator: " ").contains("61.00 EUR"), "\(narrow)")
        }
        #expect(await ana.run("resolve", number, "--take", side, "--author", "ana").code == 0)
        let item = await ana.run("show", "Dinner").out
        #expect(item.contains { $0.contains(side == "winner" ? "61.00 EUR" : "58.00 EUR") }, "\(item)")
        #expect(await ana.run("conflicts").out.count == 1)
        #expect(await ana.run("resolve", "2").error.contains("There is no conflict 2"))
        #expect(await ana.run("resolve", "0", "--take", side).code == 2)
        await ana.expectInvariants()
    }

    @Test("A third value resolves it too: an amount, a reference by its name, and a text")
    func third() async throws {
        let replicas = try await Self.replicas()
        let ana = replicas.ana
        func number(_ field: String) async throws -> String {
            String(try #require(await ana.run("conflicts").out.first { $0.contains(": \(field) ") }).prefix(1))
        }
        let written = await ana.run("resolve", try await number("cost"), "--value", "59.50 EUR", "--author", "ana")
        #expect(written.code == 0, "\(written)")
        #expect(await ana.run("show", "Dinner").out.contains { $0.contains("59.50 EUR") })
        _ = try await ana.value("add", "traveller", "--name", "Cid")
        #expect(await ana.run("resolve", try await number("payer"), "--value", "Cid").code == 0)
        #expect(await ana.run("conflicts").out == ["No conflicts."])
        #expect(await ana.run("resolve", "1", "--value", "x", "--take", "winner").code == 64)
        #expect(await ana.run("resolve", "first").code == 64)
        try await replicas.meet()
        #expect(await replicas.ben.run("conflicts").code == 0)
        await ana.expectInvariants()
    }

    @Test("On a terminal it asks which is to stand")
    func asked() async throws {
        let replicas = try await Self.replicas()
        let left = await replicas.ana.run("resolve", "1", in: { $0.ask = { _ in "" } })
        #expect(left.code == 0)
        #expect(await replicas.ana.run("conflicts").out.count == 2)
        let taken = await replicas.ana.run("resolve", "1", in: { $0.ask = { _ in "2" } })
        #expect(taken.code == 0 && taken.out.last?.hasPrefix("Wrote activity \"Dinner\"") == true, "\(taken)")
        #expect(await replicas.ana.run("conflicts").out.count == 1)
    }

    @Test("What superseded another unseen is marked where it is shown, listed, blamed and on the page")
    func marks() async throws {
        let replicas = try await Self.replicas()
        let ana = replicas.ana
        let advice = "'tripstore conflicts --store \(ana.path)'"
        let mark = "* cost superseded 58.00 EUR of ana unseen: \(advice)"
        #expect(await ana.run("show", "Dinner").out.contains("  \(mark)"))
        #expect(await ana.run("show", "Lisbon").out.contains { $0.hasSuffix(mark) })
        let listed = await ana.run("list", "items")
        #expect(listed.out.allSatisfy { $0.hasSuffix("* Dinner") } && listed.error.contains(advice))
        #expect(await ana.run("list", "activities", "--sort", "name").out.allSatisfy { $0.hasSuffix("* Dinner") })
        func contested(_ arguments: String...) async throws -> [Bool?] {
            try await ana.run(["list"] + arguments + ["--json"]).objects().map { $0["contested"] as? Bool }
        }
        #expect(try await contested("items") == [true])
        #expect(try await contested("activities", "--sort", "name") == [true])
        #expect(try await contested("trips") == [false])
        #expect(try await contested("travellers") == [false, false])
        #expect(try await contested("items", "--as-of", "\(ana.position())") == [nil])
        let blame = await ana.run("audit", "blame", "Dinner").out
        #expect(blame.contains { $0.contains("payer") && $0.hasSuffix("* Ben") }, "\(blame)")
        #expect(blame.contains("  \(mark)"), "\(blame)")
        #expect(blame.contains("  * payer superseded Ana of ana unseen: \(advice)"))
        let object = try await ana.run("show", "Dinner", "--json").object()
        #expect((object["conflicts"] as? [Any])?.count == 2)
        let page = ana.folder.path("page.html")
        #expect(await ana.run("export", "Lisbon", "--html", page).code == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("<dt>Edited by two</dt>") && !html.contains("58.00") && !html.contains("61.00"))
        let position = try await ana.position()
        #expect(await ana.run("show", "Dinner", "--as-of", "\(position)").out.contains("  \(mark)") == false)
        for line in ["1", "1"] { #expect(await ana.run("resolve", line, "--take", "winner").code == 0) }
        #expect(await ana.run("show", "Dinner").out.contains { $0.contains("superseded") } == false)
        #expect(await ana.run("list", "items").error == "")
        #expect(try await contested("items") == [false])
    }

    @Test("What is deleted is listed, the last first, of one kind, trip or name, and restored by its name")
    func deleted() async throws {
        let tool = try await Tool.withStore()
        #expect(await tool.run("list", "--deleted").out == ["Nothing is deleted."])
        for trip in ["Lisbon", "Porto"] {
            _ = try await tool.value("add", "trip", "--name", trip)
            _ = try await tool.value("add", "activity", "--name", "Tram in \(trip)", "--trip", trip)
            #expect(await tool.run("delete", "Tram in \(trip)").code == 0)
            try await Task.sleep(for: .milliseconds(3))
        }
        _ = try await tool.value("add", "organization", "--name", "TAP")
        #expect(await tool.run("delete", "TAP").code == 0)
        func names(_ arguments: String...) async throws -> [String?] {
            try await tool.run(["list"] + arguments + ["--deleted", "--json"]).objects().map { $0["name"] as? String }
        }
        #expect(try await names() == ["TAP", "Tram in Porto", "Tram in Lisbon"])
        #expect(try await names("organizations") == ["TAP"])
        #expect(try await names("activities", "--trip", "Porto") == ["Tram in Porto"])
        #expect(try await names("items", "--named", "tram in l") == ["Tram in Lisbon"])
        let lines = await tool.run("list", "--deleted")
        #expect(lines.out.count == 3 && lines.out[1].contains("activity"), "\(lines)")
        #expect(lines.out[1].hasSuffix("Porto   Tram in Porto"), "\(lines)")
        #expect(await tool.run("restore", "Tram in Porto").code == 0)
        #expect(try await names("items") == ["Tram in Lisbon"])
        #expect(await tool.run("list").code == 64)
        #expect(await tool.run("list", "items", "--deleted", "--csv").code == 64)
        await tool.expectInvariants()
    }
}
