import Foundation
import StoreSupport
import Synchronization
import Testing
import TripStoreCommands

@Suite("What editing commands warn of and ask")
struct EditingWarningsTests {
    private func trip() async throws -> Tool {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-03-27", "--end-date", "2027-10-31")
        return tool
    }

    @Test("Of items outside of their trip's days, and of no others")
    func outside() async throws {
        let tool = try await trip()
        let line = ["add", "activity", "--trip", "Lisbon", "--start-time-zone", "Europe/Lisbon", "--name"]
        let inside = await tool.run(line + ["in", "--start", "2027-03-27T00:00"])
        #expect(inside.code == 0 && inside.error.isEmpty)
        let outside = await tool.run(line + ["out", "--start", "2027-10-31T23:00", "--end", "2027-11-01T01:00"])
        #expect(outside.code == 0)
        #expect(
            outside.error == """
                Warning: Mon 1 Nov 2027 is outside of the days of the trip 'Lisbon', Sat 27 Mar – Sun 31 Oct 2027.
                1 warning.
                """)
        // An item that was outside before is not reported again.
        #expect(await tool.run("edit", "out", "--notes", "n").error.isEmpty)
        #expect(await tool.run("edit", "in", "--start", "2027-03-26T10:00").error.contains("Fri 26 Mar 2027"))
        await tool.expectInvariants()
    }

    @Test(
        "Of items before the first day of a trip that has no last one, and behind the last of one without a first; not of ideas"
    )
    func openEnds() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "From", "--start-date", "2027-05-03")
        _ = try await tool.value("add", "trip", "--name", "To", "--end-date", "2027-05-03")
        func warning(_ trip: String, _ day: String, _ more: String...) async -> String {
            let line = ["add", "activity", "--name", "Tour", "--trip", trip, "--start-day", day, "--end-day", day]
            return await tool.run(line + more).error
        }
        #expect(
            await warning("From", "2027-05-01") == """
                Warning: Sat 1 May 2027 is outside of the days of the trip 'From', which begins on Mon 3 May 2027.
                1 warning.
                """)
        #expect(
            await warning("To", "2027-05-04") == """
                Warning: Tue 4 May 2027 is outside of the days of the trip 'To', which ends on Mon 3 May 2027.
                1 warning.
                """)
        for (trip, day) in [("From", "2027-05-04"), ("To", "2027-05-01")] { #expect(await warning(trip, day) == "") }
        #expect(await warning("From", "2027-05-01", "--stage", "idea") == "")
        for (trip, day) in [("From", "Sat 1 May 2027"), ("To", "Tue 4 May 2027")] {
            #expect(
                await tool.run("agenda", "--trip", trip, "--findings").out == [
                    "\(day): \"Tour\" is outside of the trip's days"
                ])
        }
        await tool.expectInvariants()
    }

    @Test("Of times that clocks skip or show twice, and which was taken")
    func clockChanges() async throws {
        let tool = try await trip()
        func added(_ time: String) async throws -> (error: String, start: String?) {
            let name = UUID().uuidString
            let outcome = await tool.run(
                "add", "activity", "--trip", "Lisbon", "--name", name, "--start", time, "--start-time-zone",
                "Europe/Berlin")
            #expect(outcome.code == 0)
            let item = try await tool.run("show", try #require(outcome.out.first), "--json").object()["item"]
            return (outcome.error, (item as? [String: Any])?.moment("start"))
        }
        let skipped = try await added("2027-03-28T02:30")
        #expect(skipped.start == "2027-03-28T03:30:00+02:00")
        #expect(skipped.error.contains("--start 2027-03-28T02:30 does not exist in Europe/Berlin"))
        #expect(skipped.error.contains("2027-03-28T03:30:00+02:00 was taken"))
        let twice = try await added("2027-10-31T02:30")
        #expect(twice.start == "2027-10-31T02:30:00+02:00")
        #expect(twice.error.contains("comes twice in Europe/Berlin: the first was taken, 2027-10-31T02:30:00+02:00"))
        #expect(twice.error.contains("For the other type 2027-10-31T02:30:00+01:00."))
        // The suggested input selects the other time, without a warning.
        let second = try await added("2027-10-31T02:30:00+01:00")
        #expect(second.start == "2027-10-31T02:30:00+01:00" && second.error.isEmpty)
        for time in ["2027-03-28T01:59", "2027-03-28T03:00", "2027-10-31T01:59", "2027-10-31T03:00"] {
            #expect(try await added(time).error.isEmpty, "\(time)")
        }
        await tool.expectInvariants()
    }

    @Test("Who mends a zone alone keeps the time that clocks show")
    func zones() async throws {
        let tool = try await trip()
        _ = try await tool.value(
            "add", "activity", "--trip", "Lisbon", "--name", "Tram", "--start", "2027-05-01T10:00:00.250",
            "--start-time-zone", "Europe/Lisbon")
        #expect(await tool.run("edit", "Tram", "--start-time-zone", "Asia/Tokyo").code == 0)
        let item = try #require(try await tool.run("show", "Tram", "--json").object()["item"] as? [String: Any])
        #expect(item.moment("start") == "2027-05-01T10:00:00.250+09:00")
        await tool.expectInvariants()
    }

    @Test("Costs and times are taken as JSON prints them")
    func printedValues() async throws {
        let tool = try await trip()
        _ = try await tool.value(
            "add", "activity", "--trip", "Lisbon", "--name", "Tram", "--start", "2027-05-01T10:00",
            "--start-time-zone", "Europe/Lisbon", "--cost", "3.10", "--currency", "EUR")
        let tram = try #require(try await tool.run("show", "Tram", "--json").object()["item"] as? [String: Any])
        func text(_ name: String) throws -> String {
            String(decoding: try JSONSerialization.data(withJSONObject: try #require(tram[name])), as: UTF8.self)
        }
        _ = try await tool.value(
            "add", "activity", "--trip", "Lisbon", "--name", "Other", "--start", try text("start"), "--cost",
            try text("cost"))
        let other = try #require(try await tool.run("show", "Other", "--json").object()["item"] as? [String: Any])
        #expect(try #require(other["start"] as? NSDictionary) == (tram["start"] as? NSDictionary))
        #expect(try #require(other["cost"] as? NSDictionary) == (tram["cost"] as? NSDictionary))
        #expect(await tool.run("edit", "Other", "--cost", "{}").code == 2)
        #expect(await tool.run("edit", "Other", "--paid", "inFull").code == 0)
        #expect(await tool.run("edit", "Other", "--paid", "in-full").out == ["Nothing to change."])
        await tool.expectInvariants()
    }

    @Test(
        "Deleting a protected trip or an item of it asks first, and is refused where there is no terminal")
    func protection() async throws {
        let tool = try await trip()
        _ = try await tool.value("add", "activity", "--trip", "Lisbon", "--name", "Tram")
        #expect(await tool.run("edit", "Lisbon", "--protected").code == 0)
        for name in ["Lisbon", "Tram"] {
            let refused = await tool.run("delete", name)
            #expect(refused.code == 2 && refused.error.contains("--yes"), "\(refused.error)")
        }
        let asked = Mutex<[String]>([])
        for (answer, code) in [("n", 2), ("", 2), ("Yes", 0)] as [(String, Int32)] {
            let outcome = await tool.run("delete", "Tram") { console in
                console.ask = { question in
                    asked.withLock { $0.append(question) }
                    return answer
                }
            }
            #expect(outcome.code == code, "\(outcome.error)")
        }
        #expect(
            asked.withLock { $0 }
                == Array(repeating: "The trip 'Lisbon' is protected. Delete all the same? [y/N]", count: 3))
        #expect(await tool.run("delete", "Lisbon", "--yes").code == 0)
        await tool.expectInvariants()
    }
}
