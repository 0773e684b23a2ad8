import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Groups in the tool")
struct GroupCommandTests {
    private static func planned() async throws -> Tool {
        let tool = try await Tool.withStore()
        let lisbon = try await tool.value("add", "trip", "--name", "Lisbon")
        for (name, cost, currency, start, zone, paid) in [
            ("Tram", "3.20", "EUR", "2027-05-01T10:00", "Europe/Lisbon", "in-full"),
            ("Castle", "15.00", "EUR", "2027-05-02T10:00", "Europe/Lisbon", "none"),
            ("Ferry", "4.00", "USD", "2027-05-03T10:00", "Europe/Lisbon", "none"),
            // June there, and May in UTC.
            ("Flight", "200", "JPY", "2027-06-01T01:00", "Pacific/Auckland", "none"),
        ] {
            _ = try await tool.value(
                "add", "activity", "--name", name, "--trip", lisbon, "--cost", cost, "--currency", currency, "--start",
                start, "--start-time-zone", zone, "--paid", paid)
        }
        _ = try await tool.value("add", "activity", "--name", "Walk", "--trip", lisbon)
        return tool
    }

    @Test("Costs are summed by month and payment, for people and for programs")
    func sums() async throws {
        let tool = try await Self.planned()
        let line = ["list", "activities", "--group", "month of start,paid", "--sum", "cost"]
        #expect(
            await tool.run(line).out == [
                "2027-05  none    2  15.00 EUR, 4.00 USD", "2027-05  inFull  1  3.20 EUR",
                "2027-06  none    1  200 JPY",
                "none     none    1",
            ])
        let rows = try await tool.run(line + ["--json"]).objects()
        #expect(rows.count == 4 && rows.compactMap { $0["count"] as? Int } == [2, 1, 1, 1])
        let keys = try #require(rows[0]["keys"] as? [String: Any])
        #expect(keys["month of start"] as? String == "2027-05" && keys["paid"] as? String == "none")
        #expect((rows[3]["keys"] as? [String: Any])?["month of start"] is NSNull)
        let measures = try rows.map { try #require(($0["measures"] as? [[String: Any]])?.first) }
        let sums = try #require(measures[0]["costs"] as? [[String: Any]])
        #expect(measures[0]["field"] as? String == "cost" && measures[0]["sum"] is NSNull)
        #expect(sums.compactMap { $0["currency"] as? String } == ["EUR", "USD"])
        #expect(sums.compactMap { $0["minor"] as? Int } == [1_500, 400])
        #expect((measures[3]["costs"] as? [Any])?.isEmpty == true && measures[3]["min"] is NSNull)
        await tool.expectInvariants()
    }

    @Test("The least and the greatest of several fields, of all that meet a condition, are one row without groups")
    func bounds() async throws {
        let tool = try await Self.planned()
        let line = [
            "list", "activities", "--where", "cost is not none and name != 'Flight'", "--min", "start,name", "--max",
            "start", "--sum", "cost",
        ]
        #expect(
            await tool.run(line).out == [
                "3  18.20 EUR, 4.00 USD  2027-05-01T10:00:00+01:00 Europe/Lisbon  Castle  2027-05-03T10:00:00+01:00 Europe/Lisbon"
            ])
        let row = try await tool.run(line + ["--json"]).object()
        let measures = try #require(row["measures"] as? [[String: Any]])
        #expect(measures.compactMap { $0["field"] as? String } == ["cost", "start", "name"])
        #expect((measures[1]["min"] as? [String: Any])?["zone"] as? String == "Europe/Lisbon")
        #expect(measures[2]["min"] as? String == "Castle" && measures[2]["max"] as? String == "Tram")
        #expect((row["keys"] as? [String: Any])?.isEmpty == true)
        #expect(await tool.run("list", "activities", "--where", "name = 'x'", "--group", "paid").out == ["No groups."])
        await tool.expectInvariants()
    }

    @Test("What a group has in common is shown by its name, where it names an entity")
    func named() async throws {
        let tool = try await Self.planned()
        #expect(await tool.run("list", "activities", "--group", "trip").out == ["Lisbon  5"])
        #expect(
            await tool.run("list", "activities", "--group", "trip", "--named", "t", "--as-of", "3").out
                == ["Lisbon  1"])
        await tool.expectInvariants()
    }

    @Test("Mistakes are reported at their characters, and options that do not go with groups are refused")
    func mistakes() async throws {
        let tool = try await Self.planned()
        for (option, text, code, position) in [
            ("--group", "paid,month of strat", "unknownField", 14), ("--group", "day of cost", "unfitOperator", 0),
            ("--sum", "cost,start", "unfitOperator", 5), ("--min", "time", "unfitOperator", 0),
            ("--max", "", "querySyntax", 0),
        ] {
            let refused = await tool.run("list", "activities", option, text, "--json")
            let error = try #require(try Tool.Outcome.object(refused.error)["error"] as? [String: Any])
            #expect(error["code"] as? String == code && error["position"] as? Int == position, "\(refused.error)")
        }
        for options in [
            ["--sort", "name"], ["--columns", "name"], ["--count"], ["--explain"], ["--limit", "5"], ["--all"],
            ["--after", "x"],
        ] {
            let refused = await tool.run(["list", "activities", "--group", "paid"] + options)
            #expect(refused.code == 64 && refused.error.contains("leave out"), "\(refused.error)")
        }
        #expect(await tool.run("list", "items", "--group", "paid").code == 64)
        await tool.expectInvariants()
    }
}
