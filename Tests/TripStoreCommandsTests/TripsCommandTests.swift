import Foundation
import StoreSupport
import Testing

@Suite("trips and show")
struct TripsCommandTests {
    @Test("Without a range all trips are listed, those without dates last, page by page as well")
    func undatedLast() async throws {
        let tool = try await Tool.withStore()
        #expect(await tool.run("trips").out == ["No trips."])
        _ = try await tool.value("add", "trip", "--name", "Some day")
        #expect(await tool.run("trips").out.first?.hasSuffix("Some day") == true)
        _ = try await tool.value("add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01")
        _ = try await tool.value("add", "trip", "--name", "Porto", "--start-date", "2027-05-02")
        _ = try await tool.value("add", "trip", "--name", "Other day")
        let all = ["Lisbon", "Porto", "Some day", "Other day"]
        #expect(try names(await tool.run("trips", "--json")) == all)
        #expect(
            try names(await tool.run("trips", "--json", "--reverse")) == ["Porto", "Lisbon", "Other day", "Some day"])
        #expect(try names(await tool.run("trips", "--json", "--as-of", "3")) == ["Lisbon", "Some day"])
        #expect(try names(await tool.run("trips", "--json", "--from", "2027-05-02")) == ["Porto"])
        for limit in 1...4 {
            var (found, cursor): ([String], String?) = ([], nil)
            repeat {
                let after = cursor.map { ["--after", $0] } ?? []
                let page = await tool.run(["trips", "--json", "--limit", "\(limit)"] + after)
                found += try names(page)
                cursor = try page.objects().last?["next"] as? String
            } while cursor != nil && found.count < 8
            #expect(found == all, "pages of \(limit)")
        }
        #expect(await tool.run("trips", "--limit", "4").error.isEmpty)
        await tool.expectInvariants()
    }

    @Test("The last day of the calendar is a day like any other")
    func lastDay() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "End", "--start-date", "9999-12-31")
        _ = try await tool.value("add", "trip", "--name", "Start", "--start-date", "0001-01-01")
        #expect(try names(await tool.run("trips", "--json", "--to", "9999-12-31")) == ["Start", "End"])
        #expect(try names(await tool.run("trips", "--json", "--from", "9999-12-31")) == ["End"])
        #expect(try names(await tool.run("trips", "--json", "--from", "2027-05-01", "--overlapping")) == ["End"])
        #expect(try names(await tool.run("trips", "--json", "--to", "9999-12-30")) == ["Start"])
        let page = await tool.run("trips", "--json", "--to", "9999-12-31", "--limit", "1")
        let cursor = try #require(try page.objects().last?["next"] as? String)
        #expect(
            try names(await tool.run("trips", "--json", "--to", "9999-12-31", "--limit", "1", "--after", cursor))
                == ["End"])
        await tool.expectInvariants()
    }

    @Test("An end that a merge put before its start is printed as views have it")
    func mendedEnds() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.ana.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-10")
        let tram = try await replicas.ana.value(
            "add", "activity", "--name", "Tram", "--trip", trip, "--start", "2027-05-02T10:00", "--start-time-zone",
            "Europe/Lisbon", "--end", "2027-05-02T18:00")
        try await replicas.meet()
        #expect(await replicas.ana.run("edit", trip, "--start-date", "2027-05-09").code == 0)
        #expect(await replicas.ben.run("edit", trip, "--end-date", "2027-05-03").code == 0)
        #expect(await replicas.ana.run("edit", tram, "--start", "2027-05-02T17:00").code == 0)
        #expect(await replicas.ben.run("edit", tram, "--end", "2027-05-02T11:00").code == 0)
        try await replicas.meet()
        let row = try await replicas.ana.run("trips", "--json").object()
        #expect(row["startDate"] as? String == "2027-05-09" && row["endDate"] as? String == "2027-05-09")
        let shown = try await replicas.ana.run("show", trip, "--json").object()
        let (shownTrip, item) = (shown["trip"] as? [String: Any], shown.objects("items").first)
        #expect(shownTrip?["endDate"] as? String == "2027-05-09")
        #expect(item?.moment("start") == "2027-05-02T17:00:00+01:00")
        #expect(item?.moment("end") == "2027-05-02T17:00:00+01:00")
        try await replicas.expectEqual()
    }
}
