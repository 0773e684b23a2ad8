import StoreSupport
import Testing

/// The items of series that come in several files.
@Suite("Series of calendars, in several files")
struct CalendarSeriesTests {
    private static let series = "SUMMARY:Class\nDTSTART:20270501T090000Z\nRRULE:FREQ=DAILY;COUNT=3"
    private static let second = "SUMMARY:Moved\nRECURRENCE-ID:20270502T090000Z\nDTSTART:20270502T150000Z"

    private static func calendar(_ events: String..., method: String = "PUBLISH", uid: String = "s@test") -> String {
        let events = events.map { "BEGIN:VEVENT\nUID:\(uid)\n\($0)\nEND:VEVENT\n" }.joined()
        return "BEGIN:VCALENDAR\nMETHOD:\(method)\n\(events)END:VCALENDAR\n".replacing("\n", with: "\r\n")
    }

    /// Imports a calendar; returns the report.
    private static func take(_ text: String, _ tool: Tool) async throws -> [String: Any] {
        try tool.write(text, to: "x.ics")
        let outcome = await tool.run("import", tool.folder.path("x.ics"), "--json")
        #expect(outcome.code == 0, "\(outcome.error)")
        return try outcome.object()
    }

    /// The names, starts and stages of the items, by their starts.
    private static func items(_ tool: Tool) async throws -> [String] {
        try await tool.run("list", "activities", "--json").objects().map { item in
            let start = (item["start"] as? [String: Any])?["local"] ?? item["start"] ?? ""
            return "\(item["name"] ?? "") \("\(start)".prefix(16)) \(item["stage"] ?? "")"
        }.sorted()
    }

    @Test(
        "A series, and a file with one of its times alone, are the same items in either order",
        arguments: [true, false])
    func alone(seriesFirst: Bool) async throws {
        let tool = try await Tool.withStore()
        let (series, second) = (Self.calendar(Self.series), Self.calendar(Self.second))
        for text in seriesFirst ? [series, second] : [second, series] { _ = try await Self.take(text, tool) }
        #expect(try await Self.items(tool).count == 3)
        guard seriesFirst else { return await tool.expectInvariants() }
        let names = try await Self.items(tool).map { $0.split(separator: " ")[0] }
        #expect(names == ["Class", "Class", "Moved"])
        // It is found by the start that it had, though it has another now.
        #expect(try await Self.take(second, tool)["events"] as? Int == 0)
        let third = Self.calendar(Self.second.replacing("T150000Z", with: "T200000Z"))
        let report = try await Self.take(third, tool)
        #expect((report["edited"] as? [String: Int])?["activity"] == 1)
        #expect(try await Self.items(tool).count == 3)
        await tool.expectInvariants()
    }

    @Test(
        "A series that moved within its days since a file had one of its times alone has the same items, in either order",
        arguments: [true, false])
    func movedAlone(seriesFirst: Bool) async throws {
        let tool = try await Tool.withStore()
        let moved = Self.series.replacing("T090000Z", with: "T110000Z")
        let second = Self.second.replacing("RECURRENCE-ID:20270502T090000Z", with: "RECURRENCE-ID:20270502T110000Z")
        for events in seriesFirst ? [Self.series, second] : [Self.second, moved] {
            _ = try await Self.take(Self.calendar(events), tool)
        }
        let names = try await Self.items(tool).map { $0.split(separator: " ")[0] }
        #expect(names.count == 3)
        if seriesFirst { #expect(names == ["Class", "Class", "Moved"]) }
        await tool.expectInvariants()
    }

    @Test("A time that the series no longer has is cancelled; one that was never here is not created")
    func exceptions() async throws {
        let tool = try await Tool.withStore()
        let left = Self.calendar(Self.series + "\nEXDATE:20270502T090000Z")
        let other = try await Tool.withStore()
        _ = try await Self.take(left, other)
        #expect(try await Self.items(other).count == 2)

        _ = try await Self.take(Self.calendar(Self.series), tool)
        let report = try await Self.take(left, tool)
        #expect((report["edited"] as? [String: Int])?["activity"] == 1)
        #expect(try await Self.items(tool).filter { $0.hasSuffix("cancelled") }.count == 1)
        #expect(try await Self.items(tool).count == 3)
        #expect(try await Self.take(left, tool)["events"] as? Int == 0)
        // It takes place after all.
        _ = try await Self.take(Self.calendar(Self.series), tool)
        #expect(try await Self.items(tool).filter { $0.hasSuffix("cancelled") }.isEmpty)
        for tool in [tool, other] { await tool.expectInvariants() }
    }

    @Test("A calendar of the method CANCEL cancels all times of a series or one, and creates nothing")
    func cancelled() async throws {
        let whole = Self.calendar("DTSTAMP:20270401T000000Z\nSEQUENCE:2", method: "CANCEL")
        let one = Self.calendar("RECURRENCE-ID:20270503T090000Z\nSEQUENCE:1", method: "CANCEL")
        let empty = try await Tool.withStore()
        for text in [whole, one] { #expect(try await Self.take(text, empty)["events"] as? Int == 0) }
        #expect(await empty.run("trips").out == ["No trips."])

        let tool = try await Tool.withStore()
        _ = try await Self.take(Self.calendar(Self.series), tool)
        #expect(try await Self.take(one, tool)["events"] as? Int == 1)
        #expect(try await Self.items(tool).filter { $0.hasSuffix("cancelled") }.count == 1)
        #expect(try await Self.take(whole, tool)["events"] as? Int == 2)
        #expect(try await Self.items(tool).filter { $0.hasSuffix("cancelled") }.count == 3)
        #expect(try await Self.take(whole, tool)["events"] as? Int == 0)
        #expect(await tool.run("delete", try await Self.firstID(tool)).code == 0)
        // What is deleted is not brought back.
        #expect(try await Self.take(whole, tool)["events"] as? Int == 0)
        for tool in [tool, empty] { await tool.expectInvariants() }
    }

    private static func firstID(_ tool: Tool) async throws -> String {
        try #require(try await tool.run("list", "activities", "--json").objects().first?["id"] as? String)
    }

    @Test("Short UIDs that other calendars have as well name other items there, and the same in the same calendar")
    func shortUIDs() async throws {
        let tool = try await Tool.withStore()
        func text(_ name: String, _ summary: String) -> String {
            Self.calendar("SUMMARY:\(summary)\nDTSTART:20270501T090000Z", uid: "1").replacing(
                "METHOD:PUBLISH", with: "X-WR-CALNAME:\(name)")
        }
        _ = try await Self.take(text("Airline", "Flight"), tool)
        _ = try await Self.take(text("Hotel", "Breakfast"), tool)
        let report = try await Self.take(text("Hotel", "Breakfast"), tool)
        #expect(report["events"] as? Int == 0)
        #expect(try await tool.run("list", "items", "--json").objects().count == 2)
        await tool.expectInvariants()
    }
}
