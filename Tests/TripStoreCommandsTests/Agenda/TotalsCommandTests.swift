import StoreSupport
import Testing
import TripStore

@Suite("Totals in the tool")
struct TotalsCommandTests {
    private static func tool() async throws -> Tool {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-03")
        for name in ["Ana", "Ben"] {
            _ = try await tool.value("add", "traveller", "--name", name)
            #expect(await tool.run("edit", "Lisbon", "--insert", "travellers=\(name)").code == 0)
        }
        _ = try await tool.value(
            "add", "lodging", "--name", "Inn", "--trip", "Lisbon", "--cost", "90", "--currency", "EUR", "--set",
            "payer=Ana", "--start-day", "2027-05-01", "--end-day", "2027-05-03", "--paid", "deposit", "--paid-amount",
            "40")
        _ = try await tool.value(
            "add", "activity", "--name", "Dinner", "--trip", "Lisbon", "--cost", "30.01", "--currency", "EUR", "--paid",
            "in-full", "--category", "food", "--set", "payer=Ben")
        _ = try await tool.value(
            "add", "budget", "--trip", "Lisbon", "--amount", "100", "--currency", "EUR")
        return tool
    }

    @Test("For people it says what there is to say, and who pays whom")
    func text() async throws {
        let tool = try await Self.tool()
        let shown = await tool.run("totals", "Lisbon").out
        for line in [
            "2 items", "  all  2 items  120.01 EUR  70.01 EUR paid, 50.00 EUR unpaid", "By kind",
            "  activity  1 item  30.01 EUR  30.01 EUR paid", "By day", "  2027-05-01  1 item  45.00 EUR",
            "By category", "  food         1 item  30.01 EUR  30.01 EUR paid", "By what is paid", "By traveller",
            "Budgets", "  all: 120.01 EUR of 100.00 EUR planned, 20.01 EUR too much, 70.01 EUR paid",
            "Still to be paid",
            "  by Ana 50.00 EUR", "Who pays whom, of what is paid",
        ] {
            #expect(shown.contains { $0.hasPrefix(line) }, "\(line): \(shown)")
        }
        #expect(
            !shown.contains("By trip") && shown.last == "  Ben pays Ana 4.99 EUR"
                || shown.last == "  Ben pays Ana 5.00 EUR", "\(shown)")
        #expect(await tool.run("totals", "Lisbon", "--by", "kind").out.count == 2)
        #expect(await tool.run("totals").out.contains { $0.hasPrefix("  Lisbon, all: 120.01 EUR") })
        #expect(await tool.run("totals", "--as-of", "1").out == ["0 items", "  nothing costs anything"])
        #expect(await tool.run("totals", "--as-of", "1", "--by", "day").out == ["Nothing costs anything."])
        await tool.expectInvariants()
    }

    @Test("As JSON it is one object, with --by an object a group, and as CSV a row a group and currency")
    func programs() async throws {
        let tool = try await Self.tool()
        let object = try await tool.run("totals", "Lisbon", "--json").object()
        #expect(object["itemCount"] as? Int == 2)
        #expect(
            (object["byDay"] as? [[String: Any]])?.map { $0["key"] as? String } == ["2027-05-01", "2027-05-02", nil])
        #expect((object["payments"] as? [[String: Any]])?.count == 1)
        let groups = try await tool.run("totals", "Lisbon", "--by", "traveller", "--json").objects()
        #expect(Set(groups.map { $0["name"] as? String }) == ["Ana", "Ben"])
        let rows = await tool.run("totals", "Lisbon", "--by", "category", "--csv").out
        #expect(
            rows == [
                "by,key,name,currency,itemCount,cost,paid,unpaid\r", "category,,no category,EUR,1,90.00,40.00,50.00\r",
                "category,food,food,EUR,1,30.01,30.01,0.00\r",
            ])
        let all = await tool.run("totals", "--csv").out
        #expect(all[1] == "all,,,EUR,2,120.01,70.01,50.00\r" && all.contains { $0.hasPrefix("trip,") })
    }

    @Test("Of many trips the sums of all come first, and each part ends after ten entries, unless more are asked for")
    func pages() async throws {
        let tool = try await Self.tool()
        let handle = try await TripStoreHandle.open(tool.path)
        try await handle.store.commit { commit in
            for number in 0..<60 {
                let day = Day(2027, 6, 1).advanced(by: number)
                let trip = commit.create(Trip(name: "Trip \(number)", days: day...day))
                var walk = Activity(name: "Walk", in: trip, days: day...day)
                walk.cost = Money("5", "EUR")
                commit.create(walk)
                if let amount = Money("10", "EUR") { commit.create(Budget(amount, in: trip)) }
            }
        }
        await handle.store.close()
        let all = await tool.run("totals")
        #expect(all.out.prefix(2) == ["62 items", "  all  62 items  420.01 EUR  70.01 EUR paid, 350.00 EUR unpaid"])
        #expect(all.out.count < 100 && all.out.contains("  and 51 others"), "\(all.out)")
        #expect(all.error == "There are more: --all lists them, and --by one part.")
        #expect(await tool.run("totals", "--limit", "3").out.count < all.out.count - 20)
        let whole = await tool.run("totals", "--all")
        #expect(whole.out.count > 180 && whole.error.isEmpty)
        let page = await tool.run("totals", "--by", "trip")
        #expect(page.out.count == 50 && page.error == "There are more: --all lists them.")
        #expect(await tool.run("totals", "--by", "trip", "--limit", "7").out.count == 7)
        for form in ["--json", "--csv"] {
            let rows = await tool.run("totals", "--by", "trip", form)
            #expect(rows.out.count >= 61 && rows.error.isEmpty)
            #expect(await tool.run("totals", "--by", "trip", form, "--limit", "7").out.count <= 8)
        }
        #expect(try await tool.run("totals", "--json").object().objects("byTrip").count == 61)
        #expect(await tool.run("totals", "--json", "--limit", "7").code == 64)
        await tool.expectInvariants()
    }

    @Test("What is no dimension and no trip is refused")
    func refused() async throws {
        let tool = try await Self.tool()
        #expect(await tool.run("totals", "--by", "weather").code == 64)
        #expect(await tool.run("totals", "Porto").error.contains("no trip called 'Porto'"))
        #expect(await tool.run("totals", "--csv", "--json").code == 64)
    }
}
