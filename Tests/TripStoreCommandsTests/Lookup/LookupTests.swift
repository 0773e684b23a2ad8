import Foundation
import StoreSupport
import Testing

@Suite("What names entities, replicas and subscriptions on the command line")
struct LookupTests {
    @Test("An id, its first digits in either case, a name in either case, and last")
    func entities() async throws {
        let tool = try await Tool.withStore()
        let lisbon = try await tool.value("add", "trip", "--name", "Lisbon")
        try await Task.sleep(for: .milliseconds(3))
        let porto = try await tool.value("add", "trip", "--name", "Porto")
        let tram = try await tool.value("add", "activity", "--name", "Tram 28", "--trip", "Lisbon")
        func id(_ argument: String, _ options: String...) async throws -> String? {
            try await tool.run(["audit", "blame", argument, "--json"] + options).object()["id"] as? String
        }
        for text in [
            lisbon, lisbon.lowercased(), String(lisbon.prefix(35)), String(lisbon.prefix(13)), "Lisbon", "lisbon",
        ] {
            #expect(try await id(text) == lisbon, "\(text)")
        }
        #expect(try await id("last") == tram)
        #expect(try await id("last", "--kind", "trip") == porto)
        #expect(try await id("TRAM 28") == tram)
        let moved = await tool.run("move", "last", "--to", "porto")
        #expect(moved.code == 0)
        #expect(try await tool.run("show", "Porto", "--json").object().objects("items").first?["id"] as? String == tram)
        await tool.expectInvariants()
    }

    @Test("Where several are meant, or none, it is said which there are, and nothing is written")
    func ambiguous() async throws {
        let tool = try await Tool.withStore()
        let (one, two) = (
            try await tool.value("add", "trip", "--name", "Lisbon"),
            try await tool.value("add", "trip", "--name", "Lisbon")
        )
        _ = try await tool.value("add", "organization", "--name", "Lisbon")
        let before = try await tool.position()
        let named = await tool.run("edit", "Lisbon", "--notes", "n")
        // One beginning for each, which leads to it.
        let lines = named.error.split(separator: "\n").dropFirst().prefix(3)
        let beginnings = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(named.code == 2 && named.error.contains("may be any of 3:"), "\(named.error)")
        #expect(beginnings.count { one.hasPrefix($0) } == 1 && beginnings.count { two.hasPrefix($0) } == 1)
        for beginning in beginnings {
            let found = try await tool.run("audit", "blame", beginning, "--json").object()["id"] as? String
            #expect(found?.hasPrefix(beginning) == true && beginning.count < 36)
        }
        #expect(await tool.run("edit", "Lisbon", "--kind", "organization", "--phone", "1").code == 0)
        let digits = await tool.run("edit", String(one.prefix(4)), "--notes", "n", "--json")
        let fault = try #require(try Tool.Outcome.object(digits.error)["error"] as? [String: Any])
        #expect(digits.code == 2 && fault["code"] as? String == "ambiguous")
        for text in ["Faro", "0000", UUID().uuidString] {
            let unknown = await tool.run("edit", text, "--notes", "n")
            #expect(unknown.code == 2 && unknown.error.contains("There is no entity"), "\(unknown.error)")
        }
        // A deleted entity is found by id, and no longer by name.
        #expect(await tool.run("delete", one).code == 0)
        #expect(await tool.run("edit", "Lisbon", "--kind", "trip", "--notes", "n").code == 0)
        #expect(await tool.run("restore", one).code == 0)
        #expect(try await tool.position() == before + 4)
        await tool.expectInvariants()
    }

    @Test("A deleted entity is restored by the name that it had; one that is not deleted is not found by it")
    func deletedNames() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let other = try await tool.value("add", "trip", "--name", "Lisbon")
        let tram = try await tool.value("add", "activity", "--name", "Tram 28", "--trip", trip)
        #expect(await tool.run("delete", trip, tram).code == 0)
        let refused = await tool.run("restore", "Tram 28")
        #expect(refused.code == 2 && refused.error.contains("was deleted"), "\(refused.error)")
        #expect(try await tool.value("restore", "lisbon").hasPrefix("Restored trip \"Lisbon\" \(trip) "))
        #expect(try await tool.value("restore", "Tram 28").hasPrefix("Restored activity \"Tram 28\" \(tram) "))
        let ambiguous = await tool.run("show", "Lisbon")
        #expect(ambiguous.code == 2 && ambiguous.error.hasSuffix("\nGive one of these ids."), "\(ambiguous.error)")
        for name in ["Lisbon", "Tram 28", "Faro"] {
            let unknown = await tool.run("restore", name)
            #expect(unknown.code == 2 && unknown.error.contains("There is no deleted entity called '\(name)'"))
        }
        #expect(try await tool.trip(other)["name"] as? String == "Lisbon")
        await tool.expectInvariants()
    }

    @Test("An unknown trip is an error for every command that takes one")
    func unknownTrips() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let unknown = UUID().uuidString
        for line in [
            ["audit", "log", "--trip", unknown], ["audit", "conflicts", "--trip", unknown],
            ["audit", "diff", "0", "now", "--trip", unknown], ["list", "items", "--trip", unknown],
            ["undo", "--trip", unknown, "--since", "0"], ["show", unknown], ["audit", "log", "--entity", unknown],
            ["audit", "report", tool.folder.path("log.html"), "--trip", unknown],
        ] {
            let refused = await tool.run(line)
            #expect(refused.code == 2 && refused.error.contains("There is no "), "\(line): \(refused.error)")
        }
    }

    @Test("Replicas are named by the first digits of their ids, or by their devices' names")
    func replicas() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.trip(named: "Lisbon")
        _ = try await replicas.ben.value("add", "trip", "--name", "Porto")
        try await replicas.meet()
        let ben = try await replicas.ben.replica()
        for text in [ben, String(ben.prefix(8)), ben.uppercased(), "ben's laptop"] {
            let log = try await replicas.ana.run("audit", "log", "--replica", text, "--kind", "trip", "--json")
                .objects()
            #expect(log.map { $0["replica"] as? String } == [ben], "\(text)")
        }
        let refused = await replicas.ana.run("peers", "--forget", "tablet")
        #expect(refused.code == 2 && refused.error.contains("No replica is called 'tablet'"))
        #expect(await replicas.ana.run("peers", "--forget", "ben's laptop").code == 0)
    }

    @Test("Subscriptions are listed with how far they are behind, and removed by the beginning of their names")
    func subscriptions() async throws {
        let tool = try await Tool.withStore()
        #expect(await tool.run("subscriptions").out == ["No subscriptions."])
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        for name in ["mail", "mirror"] {
            #expect(await tool.run("tail", "--subscription", name, "--from", "end", "--no-follow").code == 0)
        }
        _ = try await tool.value("add", "trip", "--name", "Porto")
        #expect(
            await tool.run("subscriptions").out == [
                "mail    position 2  1 commit behind", "mirror  position 2  1 commit behind",
            ])
        let ambiguous = await tool.run("subscriptions", "--remove", "m")
        #expect(ambiguous.code == 2 && ambiguous.error.contains("mail, mirror"))
        #expect(await tool.run("subscriptions", "--remove", "mir").out == ["Removed the subscription mirror"])
        #expect(try await tool.run("subscriptions", "--json").objects().map { $0["name"] as? String } == ["mail"])
        await tool.expectInvariants()
    }

    @Test("Items and organizations are listed, each kind alone, by trip, by name, and up to a limit")
    func lists() async throws {
        let tool = try await Tool.withStore()
        #expect(await tool.run("list", "items").out == ["No items."])
        for trip in ["Lisbon", "Porto"] {
            _ = try await tool.value("add", "trip", "--name", trip)
            _ = try await tool.value("add", "activity", "--name", "Tram in \(trip)", "--trip", trip)
            _ = try await tool.value("add", "lodging", "--name", "Inn in \(trip)", "--trip", trip)
        }
        for name in ["TAP", "tape shop", "Ryanair"] { _ = try await tool.value("add", "organization", "--name", name) }
        func names(_ arguments: String...) async throws -> [String] {
            try await tool.run(["list"] + arguments + ["--json"]).objects().compactMap { $0["name"] as? String }
        }
        #expect(try await names("items").count == 4)
        #expect(try await names("lodgings") == ["Inn in Lisbon", "Inn in Porto"])
        #expect(try await names("activities", "--trip", "Porto") == ["Tram in Porto"])
        #expect(try await names("items", "--named", "tram in l") == ["Tram in Lisbon"])
        #expect(try await names("transportations") == [])
        #expect(try await names("organizations", "--named", "tap") == ["TAP", "tape shop"])
        #expect(try await names("unfiled") == [])
        let cut = await tool.run("list", "items", "--limit", "3")
        #expect(cut.out.count == 3 && cut.error.hasPrefix("There are more: --after "))
        #expect(await tool.run("list", "items", "--all").out.count == 4)
        await tool.expectInvariants()
    }

    @Test(
        "A list goes on after the last entity of a page, also in a trip, and says so if that is gone from the list",
        arguments: [["items"], ["items", "--trip", "Porto"], ["activities", "--named", "a"], ["organizations"]])
    func pages(list: [String]) async throws {
        let tool = try await Tool.withStore()
        for trip in ["Lisbon", "Porto", "Faro"] {
            _ = try await tool.value("add", "trip", "--name", trip)
            for name in ["a", "ab", "ac", "b"] {
                _ = try await tool.value("add", "activity", "--name", name, "--trip", trip)
            }
            _ = try await tool.value("add", "organization", "--name", trip)
        }
        let ids = { (outcome: Tool.Outcome) in try outcome.objects().compactMap { $0["id"] as? String } }
        let all = try ids(await tool.run(["list"] + list + ["--all", "--json"]))
        for size in Set([2, 3, all.count - 1, all.count]).sorted() where size > 1 {
            var found: [String] = []
            repeat {
                let after = found.last.map { ["--after", $0] } ?? []
                let page = await tool.run(["list"] + list + after + ["--limit", "\(size)"])
                let json = await tool.run(["list"] + list + after + ["--limit", "\(size)", "--json"])
                let rows = try ids(json)
                #expect(page.out.count == rows.count && !rows.isEmpty)
                found += rows
                let isLast = found.count >= all.count
                let next = try json.objects().map { $0["next"] as? String }
                #expect(next.dropLast().allSatisfy { $0 == nil } && next.last == (isLast ? nil : rows.last))
                #expect(
                    page.error
                        == (isLast
                            ? "" : "There are more: --after \(try #require(rows.last)) goes on, and --all lists them."))
            } while found.count < all.count
            #expect(found == all)
        }
        let end = await tool.run(["list"] + list + ["--after", try #require(all.last)])
        #expect(end.code == 0 && end.out == ["No more \(list[0])."])
        #expect(await tool.run("delete", all[0], "--yes").code == 0)
        let gone = await tool.run(["list"] + list + ["--after", all[0]])
        #expect(gone.code == 2 && gone.error.contains("Begin again"))
        await tool.expectInvariants()
    }
}
