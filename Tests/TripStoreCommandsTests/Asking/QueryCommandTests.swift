import Foundation
import StoreSupport
import Testing

@Suite("Questions in words to the tool")
struct QueryCommandTests {
    @Test("Items of all kinds are listed by a condition, and a kind that lacks a field of it has none that meets it")
    func items() async throws {
        let (tool, lisbon) = try await Tool.planned()
        let flight = await tool.run(
            "add", "transportation", "--name", "TP 1", "--trip", lisbon, "--cost", "200", "--currency", "EUR",
            "--departure-code", "LIS")
        #expect(flight.code == 0, "\(flight.error)")
        let list = ["list", "items", "--json"]
        #expect(Set(try names(await tool.run(list + ["--where", "cost > 10 EUR"]))) == ["TP 1", "Castle"])
        #expect(try names(await tool.run(list + ["--where", "departureCode = \"LIS\""])) == ["TP 1"])
        #expect(try names(await tool.run(list + ["--where", "cost > 3 EUR", "--trip", "Porto"])) == ["tram 10"])
        #expect(try names(await tool.run(list + ["--where", "cost is none", "--named", "w"])) == ["Walk"])
        #expect(try await tool.run(list + ["--where", "cost > 3 EUR", "--count"]).object()["count"] as? Int == 4)
        #expect(await tool.run("list", "items", "--where", "cost > 3 EUR", "--count").out == ["4"])
        #expect(await tool.run("list", "unfiled", "--where", "cost > 3 EUR").out == ["No unfiled items."])
        let first = await tool.run("list", "items", "--where", "cost > 3 EUR", "--limit", "1")
        #expect(first.out.count == 1 && first.error.hasPrefix("There are more: --after "))
        let last = String(try #require(first.error.split(separator: " ").dropFirst(4).first))
        #expect(await tool.run("list", "items", "--where", "cost > 3 EUR", "--after", last).out.count == 3)
        let unknown = await tool.run("list", "items", "--where", "colour = \"red\"")
        #expect(unknown.code == 2 && unknown.error.contains("has no field 'colour'"), "\(unknown.error)")
        let broken = await tool.run("list", "items", "--where", "cost > 3 EUR and")
        #expect(broken.code == 2 && broken.out.isEmpty)
        for option in ["--sort", "--columns", "--group", "--sum"] {
            let refused = await tool.run("list", "items", option, "cost")
            #expect(refused.code == 64 && refused.error.contains("\(option) asks one kind"), "\(refused.error)")
        }
        await tool.expectInvariants()
    }

    @Test("A condition names entities as arguments do: by names, by the first digits of ids, and as the last one")
    func naming() async throws {
        let (tool, lisbon) = try await Tool.planned()
        for kind in ["activities", "items"] {
            let list = ["list", kind, "--json", "--where"]
            #expect(try names(await tool.run(list + ["trip = Porto"])) == ["tram 10"])
            #expect(
                Set(try names(await tool.run(list + ["trip in (\(lisbon.prefix(23)), 'Porto') and cost > 3.50 EUR"])))
                    == ["Castle", "tram 10"])
        }
        #expect(try names(await tool.run("list", "trips", "--json", "--where", "id = last")) == ["Porto"])
        _ = try await tool.value("add", "traveller", "--name", "Ana")
        #expect(await tool.run("edit", "Lisbon", "--travellers", "Ana").code == 0)
        let travelled = await tool.run("list", "trips", "--json", "--where", "travellers contains Ana")
        #expect(try names(travelled) == ["Lisbon"])
        let unknown = await tool.run("list", "activities", "--where", "trip = Faro")
        #expect(unknown.code == 2 && unknown.error.contains("There is no trip called 'Faro'"), "\(unknown.error)")
        #expect(unknown.error.hasSuffix("\n  trip = Faro\n         ^"), "\(unknown.error)")
        #expect(await tool.run("delete", "activities", "--where", "trip = Lisbon").code == 0)
        #expect(try names(await tool.run("list", "activities", "--json")) == ["tram 10"])
        await tool.expectInvariants()
    }

    @Test("What meets a condition is listed in an order, of one trip and by name as well, and counted")
    func listing() async throws {
        let (tool, lisbon) = try await Tool.planned()
        let list = ["list", "activities", "--json"]
        #expect(
            try names(await tool.run(list + ["--where", "name contains \"tram\" and cost > 3 EUR", "--sort", "~name"]))
                == ["tram 10", "Tram 28"])
        #expect(try names(await tool.run(list + ["--where", "cost is none"])) == ["Walk"])
        #expect(
            try names(await tool.run(list + ["--sort", "-cost,~name"]))
                == ["Castle", "tram 10", "Tram 28", "Tram 4", "Walk"])
        #expect(
            try names(await tool.run(list + ["--sort", "-~name", "--trip", lisbon, "--named", "TRAM"]))
                == ["Tram 28", "Tram 4"])
        #expect(try names(await tool.run(list + ["--sort", "name", "--named", "\"\\"])) == [])
        #expect(
            try names(await tool.run("list", "trips", "--where", "days overlaps 2027-05-08 to 2027-06-01", "--json"))
                == ["Lisbon"])
        #expect(try names(await tool.run("list", "trips", "--as-of", "2", "--json", "--sort", "-name")) == ["Lisbon"])
        #expect(try await tool.value("list", "activities", "--where", "name contains 'tram'", "--count") == "3")
        #expect(try await tool.value("list", "trips", "--count") == "2")
        #expect(await tool.run("list", "trips", "--where", "name = 'x'").out == ["No trips."])
        let row = try await tool.value("list", "trips", "--where", "isProtected = false")
        #expect(row.contains("2027-05-01  2027-05-08  4 items  21.20 EUR") && row.hasSuffix("Lisbon"))
        // Without these options items are listed trip by trip, and a page goes on after an id.
        #expect(try names(await tool.run("list", "activities", "--json", "--trip", "Porto")) == ["tram 10"])
        let id = try #require(try await tool.run("list", "items", "--json", "--limit", "1").object()["next"] as? String)
        #expect(try names(await tool.run("list", "items", "--json", "--after", id)).count == 4)
        await tool.expectInvariants()
    }

    @Test("Pages of a query have each row once, and a cursor goes on in its own query alone", arguments: 1...5)
    func pages(limit: Int) async throws {
        let (tool, _) = try await Tool.planned()
        let line = ["list", "activities", "--json", "--sort", "-cost", "--limit", "\(limit)"]
        var (found, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = await tool.run(line + (cursor.map { ["--after", $0] } ?? []))
            found += try names(page)
            cursor = try page.objects().last?["next"] as? String
        } while cursor != nil && found.count < 9
        #expect(found == ["Castle", "tram 10", "Tram 28", "Tram 4", "Walk"])
        let first = await tool.run("list", "activities", "--sort", "name", "--limit", "1")
        let next = try #require(
            try /There are more: --after ([0-9a-f]+) goes on, and --all lists them\./.wholeMatch(in: first.error)?
                .output.1)
        let refused = await tool.run(line + ["--after", String(next)])
        #expect(refused.code == 2 && refused.error.contains("\"code\":\"invalidCursor\""), "\(refused.error)")
        await tool.expectInvariants()
    }

    @Test("Columns are shown in their order, with names of what they refer to, and in JSON by their names")
    func columns() async throws {
        let (tool, lisbon) = try await Tool.planned()
        let line = ["list", "activities", "--where", "name is like 'castle'", "--columns", "cost,paid,name,trip,notes"]
        #expect(await tool.run(line).out == ["15.00 EUR  none  Castle  Lisbon"])
        let row = try await tool.run(line + ["--json"]).object()
        #expect(row["kind"] as? String == "activity" && row["next"] is NSNull)
        let values = try #require(row["values"] as? [String: Any])
        #expect(values["trip"] as? String == lisbon && values["paid"] as? String == "none")
        #expect((values["cost"] as? [String: Any])?["minor"] as? Int == 1500 && values.count == 5)
        await tool.expectInvariants()
    }

    @Test("A mistake is shown below its line with a caret, and in JSON by the number of its character")
    func mistakes() async throws {
        let (tool, _) = try await Tool.planned()
        let shown = await tool.run("list", "activities", "--where", "name = 'x' and nmae contains \"tram\"")
        let lines = shown.error.components(separatedBy: "\n")
        #expect(shown.code == 2 && shown.out.isEmpty && lines.count == 3)
        #expect(
            lines.first?.hasPrefix("Error: The kind activity has no field 'nmae'. Did you mean 'name'? It has ") == true
        )
        #expect(lines.dropFirst() == ["  name = 'x' and nmae contains \"tram\"", "                 ^"])
        let wide = await tool.run("list", "trips", "--where", "name = '東京' nmae")
        #expect(wide.error.hasSuffix("\n  name = '東京' nmae\n                ^"), "\(wide.error)")
        for (option, text, code, position) in [
            ("--where", "name = 'x' and nmae = 'y'", "unknownField", 15), ("--where", "cost > 5", "unfitValue", 8),
            ("--where", "cost contains 'x'", "unfitOperator", 5), ("--where", "(name = 'x'", "querySyntax", 11),
            ("--where", String(repeating: "(", count: 10_000), "queryTooLarge", 64),
            ("--sort", "name,-strat", "unknownField", 6), ("--columns", "name, cots", "unknownField", 6),
        ] {
            let refused = await tool.run("list", "activities", option, text, "--json")
            let error = try #require(try Tool.Outcome.object(refused.error)["error"] as? [String: Any])
            #expect(error["code"] as? String == code && error["position"] as? Int == position, "\(refused.error)")
        }
        let other =
            try Tool.Outcome.object(await tool.run("show", "nothing", "--json").error)["error"] as? [String: Any]
        #expect(other?["position"] is NSNull)
        await tool.expectInvariants()
    }
}
