import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Money between people in the tool")
struct MoneyCommandTests {
    private static func tool() async throws -> Tool {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Hut", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
        for name in ["Ana", "Ben"] {
            _ = try await tool.value("add", "traveller", "--name", name)
            #expect(await tool.run("edit", "Hut", "--insert", "travellers=\(name)").code == 0)
        }
        _ = try await tool.value(
            "add", "activity", "--name", "Receipt", "--trip", "Hut", "--start-day", "2027-05-02", "--cost", "100.00",
            "--currency", "EUR", "--paid", "in-full", "--set", "payer=Ana")
        return tool
    }

    @Test("Amounts that do not count, and then do not add up, are warned of when written and wherever they are shown")
    func amounts() async throws {
        let tool = try await Self.tool()
        let unused = "amounts without split=amounts count nothing"
        let written = await tool.run(
            "edit", "Receipt", "--set", "amounts[Ana]=30.00 EUR", "--set", "amounts[Ben]=70.01 EUR")
        #expect(written.code == 0 && written.error.contains("Receipt: \(unused)."), "\(written)")
        #expect(await tool.run("show", "Receipt").out.contains("  look at: \(unused)"))
        #expect(await tool.run("show", "Hut").out.contains { $0.hasSuffix("look at: \(unused)") })
        let totals = await tool.run("totals", "Hut").out
        #expect(totals.suffix(2) == ["To look at", "  Receipt: \(unused)"], "\(totals)")
        #expect(totals.contains("  Ben pays Ana 50.00 EUR"))
        let off = "30.00 EUR and 70.01 EUR are 0.01 EUR more than 100.00 EUR, which is divided in proportion to them"
        let split = await tool.run("edit", "Receipt", "--set", "split=amounts")
        #expect(split.code == 0 && split.error.contains(off), "\(split)")
        let then = await tool.run("totals", "Hut").out
        #expect(then.last == "  Receipt: \(off)" && then.contains("  Ben pays Ana 70.00 EUR"), "\(then)")
        let object = try await tool.run("show", "Receipt", "--json").object()
        #expect((object["doubts"] as? [[String: Any]])?.map { $0["problem"] as? String } == [off])
        await tool.expectInvariants()
    }

    @Test("A split by an unknown word and shares below 0 are refused, and the word for none clears it")
    func refused() async throws {
        let tool = try await Self.tool()
        let word = await tool.run("edit", "Receipt", "--set", "split=thirds")
        #expect(word.code == 2 && word.error.contains("Give parts or amounts"), "\(word)")
        #expect(await tool.run("edit", "Receipt", "--set", "parts[Ana]=-1").code == 2)
        let negative = await tool.run("edit", "Receipt", "--set", "amounts[Ana]=-5 EUR")
        #expect(negative.code == 2 && negative.error.contains("Shares of 100.00 EUR are 0 or more"), "\(negative)")
        #expect(await tool.run("edit", "Receipt", "--set", "split=parts").code == 0)
        #expect(await tool.run("edit", "Receipt", "--set", "split=equally").code == 0)
        let item = try await tool.run("show", "Receipt", "--json").object()["item"] as? [String: Any]
        #expect(item?["split"] as? String == "equally")
    }

    @Test("What is paid of a deposit is settled and the rest is unpaid, in show, totals and on the page alike")
    func deposit() async throws {
        let tool = try await Self.tool()
        #expect(await tool.run("delete", "Receipt").code == 0)
        _ = try await tool.value(
            "add", "lodging", "--name", "Inn", "--trip", "Hut", "--start-day", "2027-05-01", "--end-day", "2027-05-03",
            "--cost", "300", "--currency", "EUR", "--paid", "deposit", "--paid-amount", "100", "--set", "payer=Ben")
        _ = try await tool.value(
            "add", "activity", "--name", "Boat", "--trip", "Hut", "--cost", "40", "--currency", "EUR", "--set",
            "payer=Ben")
        let inn = await tool.run("show", "Inn").out
        #expect(
            inn.contains { $0.contains("300.00 EUR, deposit of 100.00 EUR paid, 200.00 EUR unpaid") }
                && inn.contains("  with all who travel, deposit paid by Ben"), "\(inn)")
        let boat = await tool.run("show", "Boat").out
        #expect(boat.contains("  40.00 EUR, unpaid") && boat.contains("  with all who travel, to be paid by Ben"))
        #expect(!boat.contains { $0.contains(" paid by Ben") && !$0.contains("to be paid by Ben") })
        #expect(await tool.run("show", "Hut").out.contains("  unpaid: 240.00 EUR"))
        let totals = await tool.run("totals", "Hut").out
        #expect(
            totals.contains("  all  2 items  340.00 EUR  100.00 EUR paid, 240.00 EUR unpaid")
                && totals.contains("  by Ben 240.00 EUR") && totals.last == "  Ana pays Ben 50.00 EUR", "\(totals)")
        let page = tool.folder.path("hut.html")
        #expect(await tool.run("export", "Hut", "--html", page, "--costs").code == 0)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        for text in [
            "Costs: 340.00 EUR, 240.00 EUR unpaid", "300.00 EUR, deposit of 100.00 EUR paid, 200.00 EUR unpaid",
            "<dt>Deposit paid by</dt><dd><bdi>Ben</bdi></dd>", "<dt>To be paid by</dt><dd><bdi>Ben</bdi></dd>",
        ] { #expect(html.contains(text), "\(text): \(html)") }
    }

    @Test("With rates all is in one currency and the rates are named; without one, what stays is named")
    func rates() async throws {
        let tool = try await Self.tool()
        _ = try await tool.value(
            "add", "activity", "--name", "Ferry", "--trip", "Hut", "--start-day", "2027-05-03", "--cost", "1000",
            "--currency", "NOK", "--paid", "in-full", "--set", "payer=Ben")
        let without = await tool.run("totals", "Hut", "--in", "EUR").out
        #expect(
            without.suffix(2) == [
                "Without a rate to EUR",
                "  1000.00 NOK cost, 1000.00 NOK paid, which stay in NOK above and are settled by themselves",
            ], "\(without)")
        _ = try await tool.value(
            "add", "rate", "--trip", "Hut", "--pair", "NOK/EUR", "--rate", "0.0875", "--day", "2027-05-01", "--source",
            "bank")
        let totals = await tool.run("totals", "Hut", "--in", "EUR").out
        let named = "  NOK/EUR 0.0875, from Sat 1 May 2027 on, bank"
        #expect(
            totals.contains("  all  2 items  187.50 EUR  187.50 EUR paid") && totals.contains("  Ben pays Ana 6.25 EUR")
                && totals.suffix(2) == ["Rates", named], "\(totals)")
        #expect(await tool.run("show", "Hut").out.contains(named))
        #expect(await tool.run("list", "rates").out.count == 1)
        #expect(
            await tool.run("add", "rate", "--trip", "Hut", "--pair", "NOK", "--rate", "1").error.contains("NOK/EUR"))
        #expect(await tool.run("totals", "Hut", "--in", "EURO").code == 64)
        let object = try await tool.run("totals", "Hut", "--in", "EUR", "--json").object()
        #expect(object["currency"] as? String == "EUR" && (object["rates"] as? [Any])?.count == 1)
        await tool.expectInvariants()
    }
}
