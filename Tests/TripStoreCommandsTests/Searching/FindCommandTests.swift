import StoreSupport
import Testing

@Suite("find")
struct FindCommandTests {
    private func tool() async throws -> Tool {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01")
        _ = try await tool.value(
            "add", "activity", "--name", "Tram 28", "--trip", trip, "--notes", "From Martim Moniz, \"slowly\"")
        let notes =
            String(repeating: "far away ", count: 20) + "a tram stop " + String(repeating: "and more ", count: 20)
        _ = try await tool.value("add", "lodging", "--name", "Inn", "--trip", trip, "--notes", notes)
        return tool
    }

    @Test("Hits are shown with the text around them, names first")
    func lines() async throws {
        let tool = try await tool()
        let found = await tool.run("find", "tram")
        #expect(found.code == 0 && found.out.count == 2)
        #expect(found.out[0].contains("activity") && found.out[0].hasSuffix("Lisbon  [Tram] 28"))
        #expect(
            found.out[1].contains("Inn · notes: …") && found.out[1].contains(" a [tram] stop ")
                && found.out[1].hasSuffix("…"))
        #expect(found.out[1].count < 250)
        #expect(
            await tool.run("find", "mart", "tram").out.first?.hasSuffix(
                "[Tram] 28 · notes: From [Martim] Moniz, \"slowly\"") == true)
        #expect(await tool.run("find", "\"moniz tram\"").out == ["Nothing found."])
        #expect(await tool.run("find", "tram", "--kind", "lodgings").out.count == 1)
        #expect(await tool.run("find", "tram", "--kind", "lodgings", "--kind", "activity").out.count == 2)
        #expect(await tool.run("find", "tram", "--trip", "Lisbon").out.count == 2)
        #expect(await tool.run("find", "tram", "--under", "Inn").out.count == 1)
        #expect(await tool.run("find", "tram", "--under", "Inn", "--trip", "Lisbon").code == 64)
        #expect(await tool.run("find", "tram", "--as-of", "1").out == ["Nothing found."])
        await tool.expectInvariants()
    }

    @Test("A page names the next one, and values have commas between them")
    func pages() async throws {
        let tool = try await tool()
        let first = await tool.run("find", "tram", "--limit", "1")
        let cursor = try #require(
            try /There are more: --after ([0-9a-f]+) goes on, and --all lists them\./.wholeMatch(in: first.error)?
                .output.1)
        let second = await tool.run("find", "tram", "--limit", "1", "--after", String(cursor))
        #expect(second.out.count == 1 && second.out[0].contains("Inn") && second.error.isEmpty)
        #expect(await tool.run("find", "inn", "--after", String(cursor)).code == 2)
        let values = await tool.run("find", "martim", "--csv").out
        #expect(values.first == "kind,id,name,trip,score,field,text\r" && values.count == 2)
        #expect(values.last?.hasSuffix("notes,\"From Martim Moniz, \"\"slowly\"\"\"\r") == true)
        #expect(await tool.run("find", "x", "--csv", "--json").code == 64)
        #expect(await tool.run("find", "x", "--kind", "nonsense").code == 2)
        #expect(await tool.run("find", String(repeating: "x", count: 2_000)).error.contains("at most 1024"))
        await tool.expectInvariants()
    }

    @Test("An empty question finds nothing")
    func empty() async throws {
        let tool = try await tool()
        for text in ["", "?!", "\"\""] { #expect(await tool.run("find", text).out == ["Nothing found."]) }
        await tool.expectInvariants()
    }
}
