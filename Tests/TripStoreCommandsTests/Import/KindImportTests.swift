import Foundation
import StoreSupport
import Testing

@Suite("Kinds and repetitions of imported events")
struct KindImportTests {
    /// A calendar of events, each a UID and further lines.
    private static func calendar(_ events: [(uid: String, lines: String)]) -> String {
        let parts = events.map { "BEGIN:VEVENT\nUID:\($0.uid)\nDTSTAMP:20270101T000000Z\n\($0.lines)\nEND:VEVENT" }
        return (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Case//EN"] + parts + ["END:VCALENDAR", ""])
            .joined(separator: "\n").replacing("\n", with: "\r\n")
    }

    /// Imports events into the trip T.
    @discardableResult
    private static func take(_ events: [(uid: String, lines: String)], _ tool: Tool) async throws -> Tool.Outcome {
        try tool.write(calendar(events), to: "in.ics")
        let outcome = await tool.run(
            "import", tool.folder.path("in.ics"), "--time-zone", "Europe/Berlin", "--new-trip", "T", "--json")
        #expect(outcome.code == 0, "\(outcome.error)")
        return outcome
    }

    private static func items(_ tool: Tool, _ what: String = "items") async throws -> [[String: Any]] {
        try await tool.run("list", what, "--json").objects()
    }

    private static func reserved(_ start: String, _ end: String) -> (uid: String, lines: String) {
        (
            "1418fb94e984-0a@rooms.example",
            "DTSTART;VALUE=DATE:\(start)\nDTEND;VALUE=DATE:\(end)\nSUMMARY:Reserved"
        )
    }

    @Test("A kind that a person gives is kept by later imports, which write what is new to the item that is there")
    func keptKind() async throws {
        let tool = try await Tool.withStore()
        let report = try await Self.take([Self.reserved("20270624", "20270628")], tool)
        #expect(report.error.contains("may be a stay"))
        let changed = try await tool.value("edit", "Reserved", "--kind", "lodging")
        #expect(changed.hasPrefix("Changed to lodging "))
        var stays = try await Self.items(tool, "lodgings")
        #expect(stays.map { $0["endDay"] as? String } == ["2027-06-28"])
        #expect(changed.contains(try #require(stays.first?["id"] as? String)))
        let again = try await Self.take([Self.reserved("20270624", "20270628")], tool)
        #expect(try again.object()["events"] as? Int == 0)
        try await Self.take([Self.reserved("20270623", "20270627")], tool)
        stays = try await Self.items(tool, "lodgings")
        #expect(stays.map { $0["startDay"] as? String } == ["2027-06-23"])
        #expect(stays.map { $0["endDay"] as? String } == ["2027-06-27"])
        let other: (uid: String, lines: String) = (
            "other@rooms.example", Self.reserved("20270623", "20270627").lines
        )
        #expect(try await Self.take([other], tool).object()["events"] as? Int == 0)
        #expect(try await Self.items(tool).count == 1)
        await tool.expectInvariants()
    }

    @Test(
        "edit --kind says what it would do, does nothing twice, is undone as one, and refuses what is no kind of items")
    func editKind() async throws {
        let tool = try await Tool.withStore()
        try await Self.take([Self.reserved("20270624", "20270628")], tool)
        let before = try await tool.position()
        let preview = await tool.run("edit", "Reserved", "--kind", "lodging", "--dry-run")
        #expect(preview.code == 0 && preview.out.first == "Would change the kind of 1:")
        #expect(await tool.run("edit", "Reserved", "--kind", "trip").error.contains("Give activity, lodging or"))
        #expect(try await tool.position() == before)
        _ = try await tool.value("edit", "Reserved", "--kind", "lodging")
        #expect(try await tool.value("edit", "last", "--kind", "lodging") == "It is of the kind lodging already.")
        #expect(await tool.run("undo", "--last").code == 0)
        #expect(try await Self.items(tool).map { $0["kind"] as? String } == ["activity"])
        await tool.expectInvariants()
    }

    @Test("All items that meet a condition get another kind in one commit")
    func editAllKinds() async throws {
        let tool = try await Tool.withStore()
        let stays: [(uid: String, lines: String)] = ["20270601", "20270605"].map { day in
            ("\(day)@rooms.example", "DTSTART;VALUE=DATE:\(day)\nSUMMARY:Reserved")
        }
        try await Self.take(stays + [("c@x.example", Self.concert)], tool)
        let position = try await tool.position()
        let changed = try await tool.value("edit", "activities", "--where", #"name = "Reserved""#, "--kind", "lodging")
        #expect(changed.hasPrefix("Changed to lodging 2 "))
        #expect(try await Self.items(tool, "lodgings").count == 2)
        #expect(try await Self.items(tool, "activities").count == 1)
        let wrong = await tool.run("edit", "trips", "--where", #"name = "T""#, "--kind", "lodging")
        #expect(wrong.error.contains("the kind of items alone"))
        #expect(await tool.run("undo", "--last").code == 0)
        #expect(try await Self.items(tool, "activities").count == 3)
        #expect(try await tool.position() > position)
        await tool.expectInvariants()
    }

    @Test("Files of railways become journeys, and the night train needs no bed")
    func trains() async throws {
        let tool = try await Tool.withStore()
        try await Self.take(
            [
                (
                    "b1@rail.example",
                    "DTSTART;TZID=Europe/Warsaw:20270726T181500\nDTEND;TZID=Europe/Berlin:20270727T083100\n"
                        + "SUMMARY:Warszawa Centralna -> Luxembourg\nDESCRIPTION:platform 5 (EC 1197)"
                ),
                (
                    "b4@rail.example",
                    "DTSTART;TZID=Europe/Vienna:20270730T203900\nDTEND;TZID=Europe/Rome:20270731T090500\n"
                        + "SUMMARY:Nachtzug Wien - Rom"
                ),
                (
                    "b5@air.example",
                    "DTSTART:20270801T100000Z\nDTEND:20270801T203000Z\nSUMMARY:United Airlines 837 San Francisco to Tokyo"
                ),
            ], tool)
        let journeys = try await Self.items(tool)
        #expect(journeys.map { $0["mode"] as? String } == ["train", "train", "plane"])
        #expect(journeys.map { $0["arrivalName"] as? String } == ["Luxembourg", "Rom", "Tokyo"])
        await tool.expectInvariants()
    }

    private static let concert = "DTSTART:20270613T184500Z\nDTEND:20270613T194500Z\nSUMMARY:Concert"

    @Test(
        "An event with another UID is the item of an earlier import by its booking, its flight and day, or its name and times",
        arguments: [
            (concert, concert, 1),
            (
                "DTSTART:20270613T184500Z\nSUMMARY:TP 551 LIS-FRA",
                "DTSTART:20270613T194500Z\nSUMMARY:TP551 LIS to FRA", 1
            ),
            (
                "DTSTART;VALUE=DATE:20270613\nDTEND;VALUE=DATE:20270615\nSUMMARY:Hotel Sol\nDESCRIPTION:Booking: A77X1",
                "DTSTART;VALUE=DATE:20270614\nDTEND;VALUE=DATE:20270616\nSUMMARY:Hotel Sol\nDESCRIPTION:Booking: A77X1",
                1
            ),
            (concert, concert.replacing("T1845", with: "T1815"), 2),
            (
                "DTSTART:20270613T184500Z\nDTEND:20270613T194500Z\nSUMMARY:Night ferry\nDESCRIPTION:Booking: A77X1",
                "DTSTART:20270620T184500Z\nDTEND:20270620T194500Z\nSUMMARY:Night ferry\nDESCRIPTION:Booking: A77X1",
                2
            ),
            (concert + "\nDESCRIPTION:Booking: A77X1", concert + "\nDESCRIPTION:Booking: B88Y2", 2),
        ])
    func otherUID(first: String, second: String, count: Int) async throws {
        let tool = try await Tool.withStore()
        try await Self.take([("aaaa-1@x.example", first)], tool)
        let report = try await Self.take([("bbbb-2@x.example", second)], tool)
        let items = try await Self.items(tool)
        #expect(items.count == count, "\(items)")
        #expect(report.error.contains("another UID than before") == (count == 1))
        #expect(try await Self.take([("cccc-3@x.example", second)], tool).object()["events"] as? Int == 0)
        await tool.expectInvariants()
    }

    @Test(
        "A stay with another UID and other nights is named where it may be one that is there",
        arguments: [
            (13, 19, "", true), (11, 14, "", true), (16, 20, "", true), (14, 16, "", true), (10, 13, "", false),
            (13, 19, "\nDESCRIPTION:Booking: B88Y2", false),
        ])
    func otherNights(first: Int, last: Int, text: String, isNamed: Bool) async throws {
        let tool = try await Tool.withStore()
        func stay(_ first: Int, _ last: Int) -> String {
            "SUMMARY:Hotel Sol\nDTSTART;VALUE=DATE:202706\(first)\nDTEND;VALUE=DATE:202706\(last)"
        }
        try await Self.take([("a1@x.example", stay(13, 17) + "\nDESCRIPTION:Booking: A77X1")], tool)
        let report = try await Self.take([("b2@x.example", stay(first, last) + text)], tool)
        #expect(report.error.contains("may be the same") == isNamed, "\(report.error)")
        #expect(try await Self.items(tool).count == 2)
        // One that begins when the other ends is another.
        #expect(try await !Self.take([("c3@x.example", stay(20, 22))], tool).error.contains("may be the same"))
        await tool.expectInvariants()
    }

    @Test("An event that is recognised is no fault: --strict takes it in")
    func strictRecognition() async throws {
        let tool = try await Tool.withStore()
        try await Self.take([("a1@x.example", Self.concert)], tool)
        try tool.write(Self.calendar([("b2@x.example", Self.concert + "\nLOCATION:Hall")]), to: "in.ics")
        let report = await tool.run(
            "import", tool.folder.path("in.ics"), "--time-zone", "Europe/Berlin", "--new-trip", "T", "--strict")
        #expect(report.code == 0 && report.error.contains("another UID than before"), "\(report.error)")
        #expect(try await Self.items(tool).count == 1)
        await tool.expectInvariants()
    }

    @Test("Two events of one file that look the same are two items, also when both come with other UIDs")
    func twoAlike() async throws {
        let tool = try await Tool.withStore()
        try await Self.take([("a1@x.example", Self.concert), ("a2@x.example", Self.concert)], tool)
        #expect(try await Self.items(tool).count == 2)
        // One that keeps its UID is not taken for the other.
        try await Self.take([("a1@x.example", Self.concert), ("b2@x.example", Self.concert)], tool)
        try await Self.take([("c1@x.example", Self.concert), ("c2@x.example", Self.concert)], tool)
        #expect(try await Self.items(tool).count == 2)
        await tool.expectInvariants()
    }

    @Test("An item that a person made and that looks the same is named, and stays as it is")
    func likelyDuplicate() async throws {
        let tool = try await Tool.withStore()
        try await Self.take([("a1@x.example", "DTSTART:20270612T184500Z\nSUMMARY:Market")], tool)
        _ = try await tool.value(
            "add", "activity", "--name", "Concert", "--trip", "T", "--start", "2027-06-13T18:45", "--start-time-zone",
            "UTC", "--end", "2027-06-13T19:45", "--end-time-zone", "UTC", "--notes", "row 3")
        let report = try await Self.take([("b2@x.example", Self.concert)], tool)
        #expect(report.error.contains("seems to be the same"))
        let notes = try await Self.items(tool).compactMap { $0["notes"] as? String }
        #expect(notes.count == 3 && notes.contains("row 3"))
        await tool.expectInvariants()
    }
}
