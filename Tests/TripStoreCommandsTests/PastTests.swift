import Foundation
import Testing

@Suite("Commands that look at the past")
struct PastTests {
    /// A trip with an item, and the commands' output about them at each position.
    private struct Recorded {
        let tool: Tool
        let trip: String
        var shown: [Int: [String]] = [:]
        var listed: [Int: [String]] = [:]
        var digests: [Int: [String]] = [:]
        var times: [Int: String] = [:]

        init() async throws {
            tool = try await Tool.withStore()
            let airline = try await tool.value("add", "organization", "--name", "TAP")
            trip = try await tool.value(
                "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
            try await note()
            let flight = try await tool.value(
                "add", "transportation", "--name", "TP1", "--trip", trip, "--mode", "plane", "--start",
                "2027-05-01T11:00", "--start-time-zone", "Europe/Lisbon", "--cost", "99.90", "--currency", "EUR",
                "--organization", airline)
            try await note()
            for arguments in [
                ["edit", flight, "--cost", "120", "--currency", "USD"], ["edit", airline, "--name", "Ryanair"],
                ["edit", trip, "--start-date", "2027-04-30"], ["delete", flight], ["restore", flight],
            ] {
                #expect(await tool.run(arguments).code == 0)
                try await note()
            }
        }

        private mutating func note() async throws {
            // So that commits differ in the millisecond of their times.
            try await Task.sleep(for: .milliseconds(3))
            let position = try await tool.position()
            shown[position] = await tool.run("show", trip, "--json").out
            // Of the past no conflicts are looked for.
            listed[position] = await tool.run("trips", "--json").out.map {
                $0.replacing(#""contested":false"#, with: #""contested":null"#)
            }
            let views = try await tool.run("status", "--digests", "--json").object()["views"] as? [[String: Any]]
            digests[position] = views?.compactMap { $0["digest"] as? String }
            times[position] =
                try await tool.run("audit", "show", "\(position)", "--json").object()["timestamp"] as? String
        }
    }

    @Test("As of each position, and of each commit's time, they say what they said then")
    func everyMoment() async throws {
        let recorded = try await Recorded()
        let tool = recorded.tool
        for (position, time) in recorded.times {
            for moment in ["\(position)", time] {
                #expect(
                    await tool.run("show", recorded.trip, "--as-of", moment, "--json").out == recorded.shown[position])
                #expect(await tool.run("trips", "--as-of", moment, "--json").out == recorded.listed[position])
                let replayed = try await tool.run("replay", "--as-of", moment, "--json").object()
                let views = replayed["views"] as? [[String: Any]]
                #expect(views?.compactMap { $0["digest"] as? String } == recorded.digests[position])
                #expect(replayed["events"] as? Int == position - 1)
            }
        }
        #expect(await tool.run("trips", "--as-of", "1").out == ["No trips."])
        #expect(await tool.run("trips", "--as-of", "1970-01-01").out == ["No trips."])
        let missing = await tool.run("show", recorded.trip, "--as-of", "1")
        #expect(missing.code == 2)
        #expect(missing.error.contains("was not there as of position 1"))
        let lines = await tool.run("replay", "--as-of", "3").out
        #expect(lines.first?.hasPrefix("2 events of the log up to position 3 in ") == true)
        #expect(lines.contains { $0.hasPrefix("entities  ") && $0.contains("2 rows") })
        await tool.expectInvariants()
    }

    @Test("Pages of the past follow each other by the cursor")
    func paging() async throws {
        let tool = try await Tool.withStore()
        for day in 1...3 {
            _ = try await tool.value("add", "trip", "--name", "Trip \(day)", "--start-date", "2027-05-0\(day)")
        }
        let last = try await tool.position()
        _ = try await tool.value("add", "trip", "--name", "Later", "--start-date", "2027-05-04")
        let first = await tool.run("trips", "--as-of", "\(last)", "--json", "--limit", "2")
        let cursor = try #require(try first.objects().last?["next"] as? String)
        let second = await tool.run("trips", "--as-of", "\(last)", "--json", "--limit", "2", "--after", cursor)
        let names = try (first.objects() + second.objects()).map { $0["name"] as? String }
        #expect(names == ["Trip 1", "Trip 2", "Trip 3"])
        #expect(second.error.isEmpty)
        await tool.expectInvariants()
    }
}
