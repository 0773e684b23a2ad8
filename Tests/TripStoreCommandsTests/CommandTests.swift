import Foundation
import StoreSupport
import Testing

@Suite("Commands")
struct CommandTests {
    @Test("A trip is added, listed, shown, edited, deleted and restored")
    func lifeOfATrip() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
        let tram = try await tool.value(
            "add", "activity", "--name", "Tram 28", "--trip", trip, "--start", "2027-05-02T10:00",
            "--start-time-zone", "Europe/Lisbon", "--cost", "3.10", "--currency", "EUR", "--paid", "in-full")
        let row = try await tool.run("trips", "--json").object()
        #expect(row["id"] as? String == trip)
        #expect(row["itemCount"] as? Int == 1)
        #expect((row["cost"] as? [[String: Any]])?.first?["minor"] as? Int == 310)
        let shown = try await tool.run("show", trip, "--json").object()
        let item = try #require((shown["items"] as? [[String: Any]])?.first)
        #expect(item["id"] as? String == tram)
        #expect(item.moment("start") == "2027-05-02T10:00:00+01:00")
        #expect((item["start"] as? [String: Any])?["zone"] as? String == "Europe/Lisbon")
        #expect(item["end"] is NSNull)
        #expect(try await tool.run("edit", trip, "--name", "Porto", "--json").object()["changed"] as? Bool == true)
        #expect(try await tool.run("edit", trip, "--name", "Porto", "--json").object()["changed"] as? Bool == false)
        #expect(await tool.run("edit", tram, "--clear", "cost").code == 0)
        #expect((try await tool.run("trips", "--json").object()["cost"] as? [Any])?.isEmpty == true)
        #expect(await tool.run("delete", trip).code == 0)
        #expect(await tool.run("trips", "--json").out.isEmpty)
        #expect(await tool.run("restore", trip).code == 0)
        #expect(await tool.run("trips", "--json").out.count == 1)
        await tool.expectInvariants()
    }

    @Test("Every kind of entity takes every option, and shows what it was given")
    func everyOption() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--destination", "L", "--notes", "N", "--protected")
        let airline = try await tool.value(
            "add", "organization", "--name", "TAP", "--phone", "1", "--email", "a@b.c", "--website", "w", "--logo-url",
            "l",
            "--city", "Lisboa", "--latitude", "38.7", "--longitude", "-9.1")
        let flight = try await tool.value(
            "add", "transportation", "--name", "TP1", "--trip", trip, "--mode", "plane", "--start",
            "2027-05-01T10:00:00Z", "--start-time-zone", "Europe/Lisbon", "--end", "2027-05-01T14:00",
            "--end-time-zone",
            "America/New_York", "--cost", "-5", "--currency", "jpy", "--confirmation", "X", "--organization", airline,
            "--custom-location-name", "Gate 3", "--hides-location", "--street", "S", "--notes", "n")
        let shown = try await tool.run("show", trip, "--json").object()
        let item = try #require((shown["items"] as? [[String: Any]])?.first)
        #expect(item["id"] as? String == flight)
        #expect(item["mode"] as? String == "plane")
        #expect(item["confirmation"] as? String == "X")
        #expect(item.moment("start") == "2027-05-01T11:00:00+01:00")
        #expect(item.moment("end") == "2027-05-01T14:00:00-04:00")
        #expect((item["cost"] as? [String: Any])?["minor"] as? Int == -5)
        #expect((item["organization"] as? [String: Any])?["name"] as? String == "TAP")
        #expect(item["hidesLocation"] as? Bool == true)
        #expect((item["address"] as? [String: Any])?["street"] as? String == "S")
        #expect((shown["trip"] as? [String: Any])?["isProtected"] as? Bool == true)
        let other = try await tool.value("add", "trip", "--name", "Porto")
        #expect(await tool.run("move", flight, "--to", other).code == 0)
        #expect((try await tool.run("show", trip, "--json").object()["items"] as? [Any])?.isEmpty == true)
        await tool.expectInvariants()
    }

    @Test("Pages follow each other by the cursor that the last one names")
    func paging() async throws {
        let tool = try await Tool.withStore()
        for day in 1...5 {
            _ = try await tool.value("add", "trip", "--name", "Trip \(day)", "--start-date", "2027-05-0\(day)")
        }
        _ = try await tool.value("add", "trip", "--name", "Some day")
        var names: [String] = []
        var arguments = ["trips", "--json", "--limit", "2", "--reverse"]
        for _ in 0..<3 {
            let outcome = await tool.run(arguments)
            let rows = try outcome.objects()
            names += try rows.map { try #require($0["name"] as? String) }
            #expect(rows.dropLast().allSatisfy { $0["next"] is NSNull })
            guard let cursor = rows.last?["next"] as? String else { break }
            arguments = ["trips", "--json", "--limit", "2", "--reverse", "--after", cursor]
        }
        #expect(names == ["Trip 5", "Trip 4", "Trip 3", "Trip 2", "Trip 1", "Some day"])
        #expect(try await tool.run("trips", "--undated", "--json").object()["name"] as? String == "Some day")
        #expect(await tool.run("trips", "--from", "2027-05-02", "--to", "2027-05-03", "--json").out.count == 2)
        await tool.expectInvariants()
    }

    @Test("The audit log shows who changed what, from what to what")
    func audit() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon", "--author", "ana")
        _ = await tool.run("edit", trip, "--name", "Porto", "--author", "ben")
        let lines = await tool.run("audit", "log", "--entity", trip).out
        #expect(lines.count == 2)
        #expect(lines[0].contains("ben@") && lines[0].contains("name Lisbon → Porto"))
        // Of a commit with several events only the selected ones are shown.
        let other = try await tool.value("add", "trip", "--name", "Faro")
        #expect(await tool.run("delete", trip, other).code == 0)
        #expect(await tool.run("audit", "log", "--entity", other).out.count == 2)
        #expect(await tool.run("restore", trip, other).code == 0)
        let commit = try await tool.run("audit", "log", "--author", "ben", "--json").object()
        let change = try #require(
            ((commit["events"] as? [[String: Any]])?.first?["changes"] as? [[String: Any]])?.first)
        #expect(change["field"] as? String == "name")
        #expect(change["old"] as? String == "Lisbon")
        #expect(change["new"] as? String == "Porto")
        #expect(await tool.run("audit", "show", "2").out.contains { $0.contains("author       ana") })
        #expect(await tool.run("audit", "log", "--limit", "1").out.first?.contains("restored") == true)
        let verified = try await tool.run("audit", "verify", "--json").object()
        #expect(verified["ok"] as? Bool == true)
        #expect(verified["commits"] as? Int == 6)
        await tool.expectInvariants()
    }

    @Test("Replay rebuilds, compares, and builds elsewhere")
    func replay() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let digests = try await tool.run("replay", "--json").object()["views"] as? [[String: Any]]
        let compared = try await tool.run("replay", "--verify", "--json").object()["views"] as? [[String: Any]]
        #expect(compared?.allSatisfy { $0["matches"] as? Bool == true } == true)
        #expect(compared?.compactMap { $0["digest"] as? String } == digests?.compactMap { $0["digest"] as? String })
        let one = try await tool.run("replay", "--view", "trip-totals", "--json").object()["views"] as? [[String: Any]]
        #expect(one?.compactMap { $0["name"] as? String } == ["trip-totals"])
        let elsewhere = tool.folder.path("views")
        #expect(await tool.run("replay", "--into", elsewhere).code == 0)
        #expect(FileManager.default.fileExists(atPath: elsewhere + "/data.mdb"))
        await tool.expectInvariants()
    }
}
