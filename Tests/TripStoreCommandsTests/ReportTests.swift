import Foundation
import StoreSupport
import Testing
import TripStoreCommands

@Suite("The report of the audit log")
struct ReportTests {
    private static let hostile =
        "</script><script>document.title='broken'</script><!--\u{2028}<img src=x onerror=alert(1)>"

    @Test("The page holds the events with old and new values, and says what was written")
    func events() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon", "--author", "ana")
        _ = await tool.run("edit", trip, "--name", "Porto", "--author", "ben")
        let report = try await Report(tool)
        #expect(report.printed["commits"] as? Int == 3)
        #expect(report.printed["events"] as? Int == 2)
        #expect(report.printed["bytes"] as? Int == report.html.utf8.count)
        let created = try #require(report.events.first { $0.verb == "created" })
        #expect(created.changes == [Report.Change(field: "name", old: nil, new: "Lisbon")])
        let edited = try #require(report.events.first { $0.verb == "edited" })
        #expect(edited.author == "ben" && edited.entity == trip && edited.name == "Porto")
        #expect(edited.changes == [Report.Change(field: "name", old: "Lisbon", new: "Porto")])
        #expect(report.html.contains("<title>Audit of store</title>"))
        await tool.expectInvariants()
    }

    @Test("What the log says cannot become markup")
    func hostileText() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", Self.hostile, "--author", "</ScRiPt><b>")
        _ = await tool.run("edit", trip, "--notes", "<!--<script>", "--author", "&lt;</style>")
        let report = try await Report(tool)
        #expect(report.events.first?.name == Self.hostile)
        #expect(report.events.contains { $0.author == "</ScRiPt><b>" })
        // The only script elements are the page's own two.
        #expect(report.html.ranges(of: /(?i)<\/?script/).count == 4)
        #expect(!report.data.contains("<") && !report.data.contains("\u{2028}"))
        #expect(!report.html.contains("<img"))
    }

    @Test("Nothing in the page asks the network, and its policy would not let it")
    func noNetwork() async throws {
        let tool = try await Tool.withStore()
        _ = await tool.run("add", "organization", "--name", "TAP", "--website", "https://example.org/?a=<b>")
        let report = try await Report(tool)
        let page = report.html.replacing(report.data, with: "")
        #expect(!page.contains("http://") && !page.contains("https://"))
        #expect(!page.contains("url(") && !page.contains("@import") && !page.contains("src="))
        #expect(!page.contains("innerHTML") && !page.contains("insertAdjacentHTML") && !page.contains("eval("))
        #expect(page.contains("default-src 'none'") && !page.contains("unsafe"))
        for reference in page.matches(of: /href="([^"]*)"/) { #expect(reference.output.1.hasPrefix("#")) }
    }

    @Test("A file that is there stays as it is, unless it is to be replaced, and nothing is left beside it")
    func overwriting() async throws {
        let tool = try await Tool.withStore()
        let file = tool.folder.path("log.html")
        try "mine".write(toFile: file, atomically: true, encoding: .utf8)
        let refused = await tool.run("audit", "report", file)
        #expect(refused.code == 2 && refused.error.contains("--force"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
        #expect(await tool.run("audit", "report", file, "--force").code == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("<!doctype html>"))
        let beside = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path(""))
        #expect(beside.sorted() == ["log.html", "store"])
    }

    @Test("With --trip only that trip and what was ever in it is reported")
    func oneTrip() async throws {
        let tool = try await Tool.withStore()
        let lisbon = try await tool.value("add", "trip", "--name", "Lisbon")
        let faro = try await tool.value("add", "trip", "--name", "Faro")
        let tram = try await tool.value("add", "activity", "--name", "Tram 28", "--trip", lisbon)
        let beach = try await tool.value("add", "activity", "--name", "Beach", "--trip", faro)
        _ = await tool.run("move", tram, "--to", faro)
        let report = try await Report(tool, "--trip", lisbon)
        #expect(Set(report.events.map(\.entity)) == [lisbon, tram])
        #expect(!report.html.contains(beach))
        #expect(report.trips[tram] == [lisbon])
        #expect(try await Report(tool).trips[tram] == [faro, lisbon])
        // Names outside of the shown part of the log are looked up.
        let newest = try await Report(tool, "--limit", "1")
        #expect(newest.events.count == 1 && newest.names[lisbon] == "Lisbon")
        _ = await tool.run("edit", beach, "--notes", "Sun cream")
        #expect(try await Report(tool, "--limit", "1").trips[beach] == [faro])
        _ = await tool.run("edit", tram, "--notes", "Sit on the left")
        #expect(try await Report(tool, "--limit", "1").trips[tram] == [faro, lisbon])
    }

    @Test("An edit that was superseded unseen is reported with what superseded it")
    func conflicts() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        _ = await replicas.ana.run("edit", trip, "--name", "Faro", "--author", "ana")
        _ = await replicas.ben.run("edit", trip, "--name", "Porto", "--author", "ben")
        try await replicas.meet()
        let report = try await Report(replicas.ana)
        #expect(report.conflicts == [Report.Conflict(old: "Lisbon", new: "Faro", author: "ben", winner: "Porto")])
        #expect(Set(report.devices) == ["ana's phone", "ben's laptop"])
    }

    @Test("An edit of what was deleted is reported, also by blame, until it is resolved")
    func deletionConflicts() async throws {
        let replicas = try await Replicas()
        let (ana, ben) = (replicas.ana, replicas.ben)
        let trip = try await replicas.trip(named: "Lisbon")
        let walk = try await ana.value("add", "activity", "--name", "Walk", "--trip", trip)
        try await replicas.meet()
        _ = await ana.run("delete", walk, "--author", "ana")
        _ = await ben.run("edit", walk, "--notes", "At noon", "--author", "ben")
        _ = await ana.run("edit", trip, "--name", "Faro", "--author", "ana")
        _ = await ben.run("edit", trip, "--name", "Porto", "--author", "ben")
        try await replicas.meet()
        let deletion = Report.Conflict(old: nil, new: "all", author: "ana", winner: "deleted")
        #expect(Set(try await Report(ana).conflicts.map(\.winner)) == ["deleted", "Porto"])
        #expect(try await Report(ana).conflicts.contains(deletion))
        let blame = try await ana.run("audit", "blame", walk, "--json").object()
        let conflict = try #require(blame.objects("conflicts").first)
        #expect(conflict["subject"] as? String == "deletion")
        #expect(await ana.run("audit", "blame", walk).out.last?.contains("At noon") == true)
        for id in try await ana.run("audit", "conflicts", "--json").objects().compactMap({ $0["id"] as? String }) {
            #expect(await ana.run("resolve", id, "--take", "winner").code == 0)
        }
        #expect(try await Report(ana).conflicts == [])
        #expect(try await ana.run("audit", "blame", walk, "--json").object().objects("conflicts").isEmpty)
        try await replicas.meet()
        try await replicas.expectEqual()
    }

    @Test(
        "The page says when it was made, by the clock of the command, and what it leaves out, in words that count right"
    )
    func head() async throws {
        let tool = try await Tool.withStore()
        let file = tool.folder.path("one.html")
        let outcome = await tool.run("audit", "report", file, "--limit", "1") {
            $0.now = { Date(timeIntervalSince1970: 1_809_221_400) }
        }
        #expect(outcome.code == 0, "\(outcome.error)")
        let html = try String(contentsOfFile: file, encoding: .utf8)
        #expect(html.contains("\"generated\":1809221400000") && html.contains("\"Only the newest 1 commit.\""))
        await tool.expectInvariants()
    }

    @Test("A commit that erases says so, and so does one of which an event is erased")
    func erased() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon", "--notes", "secret")
        #expect(await tool.run("erase", trip, "--yes").code == 0)
        let report = try await Report(tool)
        #expect(report.events.isEmpty && !report.data.contains("secret"))
        #expect(report.data.contains("1 event erased by") && report.data.contains("1 event of 1 commit was erased by"))
        #expect(!report.data.contains("no events"))
        await tool.expectInvariants()
    }

    @Test("An empty store, and a time without commits, make a page as well")
    func empty() async throws {
        let tool = try await Tool.withStore()
        #expect(try await Report(tool).events.isEmpty)
        _ = await tool.run("add", "trip", "--name", "Lisbon")
        let report = try await Report(tool, "--until", "2001-01-01")
        #expect(report.printed["commits"] as? Int == 0)
        #expect(report.html.contains("Only commits up to 2001-01-01T23:59:59.999Z."))
    }

    @Test("What cannot be is refused in words, and nothing is written")
    func refusals() async throws {
        let tool = try await Tool.withStore()
        let file = tool.folder.path("log.html")
        let unknown = "01A1FC91-080E-795C-9F28-740DC9B33B0D"
        let organization = try await tool.value("add", "organization", "--name", "TAP")
        let nowhere = await Tool().run("audit", "report", file)
        #expect(nowhere.code == 2 && nowhere.error.contains("tripstore init"))
        for id in [unknown, organization] {
            let outcome = await tool.run("audit", "report", file, "--trip", id)
            #expect(outcome.code == 2 && outcome.error.contains("There is no trip with the id \(id)"))
        }
        #expect(await tool.run("audit", "report", tool.folder.path("")).code == 2)
        #expect(await tool.run("audit", "report", tool.folder.path("nowhere/log.html")).code == 2)
        #expect(await tool.run("audit", "report").code == 64)
        #expect(await tool.run("audit", "report", file, "--limit", "0").code == 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder.path("")) == ["store"])
    }
}
