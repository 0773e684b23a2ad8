import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("The agenda in the tool")
struct AgendaCommandTests {
    private static func tool() async throws -> Tool {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Japan", "--start-date", "2027-05-05", "--end-date", "2027-05-09")
        _ = try await tool.value(
            "add", "lodging", "--name", "Ryokan", "--trip", "Japan", "--start", "2027-05-05T15:00", "--start-time-zone",
            "Asia/Tokyo", "--end", "2027-05-07T11:00", "--end-time-zone", "Asia/Tokyo")
        _ = try await tool.value(
            "add", "transportation", "--name", "JL 74", "--mode", "plane", "--trip", "Japan", "--start",
            "2027-05-07T20:05", "--start-time-zone", "Asia/Tokyo", "--end", "2027-05-07T08:35", "--end-time-zone",
            "Pacific/Honolulu")
        _ = try await tool.value(
            "add", "activity", "--name", "=Call()", "--trip", "Japan", "--start", "2027-05-08T09:00",
            "--start-time-zone",
            "Asia/Tokyo")
        return tool
    }

    @Test("For people days are headings, and times those of the place")
    func text() async throws {
        let tool = try await Self.tool()
        #expect(
            await tool.run("agenda", "--trip", "Japan").out == [
                "Wed 5 May 2027  Tokyo time", "                 beginning of the trip: Japan",
                "  15:00          check-in: Ryokan", "", "Thu 6 May 2027  Tokyo time",
                "                 night 2 of 2: Ryokan", "",
                "Fri 7 May 2027  Tokyo time – Honolulu time", "  11:00          check-out: Ryokan",
                "  20:05 – 08:35  JL 74", "  14:00          =Call() (09:00 Tokyo time)", "",
                "Sun 9 May 2027", "                 end of the trip: Japan", "", "Look at",
                "  Fri 7 – Sat 8 May 2027: no bed for 2 nights",
            ])
        let day = await tool.run("agenda", "2027-05-07").out
        #expect(day.first == "Fri 7 May 2027  Tokyo time – Honolulu time")
        #expect(day.contains("  20:05 – 08:35  JL 74  (Japan)"), "\(day)")
        #expect(await tool.run("agenda", "2027-05-01..2027-05-03").out == ["Nothing on Sat 1 – Mon 3 May 2027."])
        #expect(
            await tool.run("agenda", "2027-05", "--findings").out == [
                "Fri 7 – Sat 8 May 2027: no bed for 2 nights (Japan)"
            ])
        #expect(await tool.run("agenda", "2027-04", "--findings").out == ["Nothing to look at."])
        #expect(await tool.run("agenda", "2027-05", "--as-of", "1").out == ["Nothing on Sat 1 – Mon 31 May 2027."])
        #expect(await tool.run("agenda").code == 0)
        #expect(await tool.run("agenda", "tomorrow").code == 0)
    }

    @Test("With --json it is a line a day, or a finding")
    func json() async throws {
        let tool = try await Self.tool()
        let days = try await tool.run("agenda", "2027-05-06..2027-05-08", "--json").objects()
        #expect(days.map { $0["day"] as? String } == ["2027-05-06", "2027-05-07", "2027-05-08"])
        let entries = try #require(days[1]["entries"] as? [[String: Any]])
        #expect(entries.map { $0["name"] as? String } == ["Ryokan", "JL 74", "=Call()"])
        #expect(entries.map { $0["role"] as? String } == ["ends", "whole", "starts"])
        let findings = try await tool.run("agenda", "--trip", "Japan", "--findings", "--json").objects()
        #expect(findings.map { $0["problem"] as? String } == ["noBed"])
        #expect(findings.first?["lastDay"] as? String == "2027-05-08")
    }

    @Test("With --csv it is a table with a header, in which no text is a formula")
    func csv() async throws {
        let tool = try await Self.tool()
        let lines = await tool.run("agenda", "--trip", "Japan", "--csv").out
        #expect(lines.count == 8 && lines.allSatisfy { $0.hasSuffix("\r") })
        #expect(
            lines.first == "day,role,kind,id,name,trip,tripName,begins,ends,zone,night,nights,stage\r")
        let call = try #require(lines.first { $0.contains("Call") })
        #expect(
            call.contains(",'=Call(),")
                && call.hasSuffix(",Japan,2027-05-07T14:00:00-10:00,,Pacific/Honolulu,,,planned\r"))
        let findings = await tool.run("agenda", "--trip", "Japan", "--csv", "--findings").out
        #expect(
            findings.last?.hasPrefix("noBed,") == true
                && findings.last?.hasSuffix(",Japan,2027-05-07,2027-05-08,,,,,,,\r") == true)
    }

    @Test(
        "What is no day, no range, too long or no trip is refused with what to do",
        arguments: [
            (["2027-02-30"], 64, "2027-02-30"), (["2027-05-08..2027-05-01"], 64, "2027-05-01..2027-05-08"),
            (["2000-01-01..2027-05-01"], 2, "shorter range"), (["--trip", "Porto"], 2, "no trip called 'Porto'"),
            (["--csv", "--json"], 64, "exclude each other"),
        ] as [([String], Int32, String)])
    func refused(arguments: [String], code: Int32, words: String) async throws {
        let tool = try await Self.tool()
        let outcome = await tool.run(["agenda"] + arguments)
        #expect(outcome.code == code && outcome.out.isEmpty)
        #expect(outcome.error.contains(words), "\(outcome.error)")
    }

    @Test("A trip that is not there has no agenda")
    func gone() async throws {
        let tool = try await Self.tool()
        let id = try #require(try await tool.run("trips", "--json").object()["id"] as? String)
        #expect(await tool.run("delete", "Japan").code == 0)
        for command in ["agenda", "totals"] {
            let arguments = command == "agenda" ? ["--trip", id] : [id]
            let outcome = await tool.run([command] + arguments)
            #expect(outcome.code == 2 && outcome.error.contains("tripstore restore \(id)"), "\(outcome)")
            #expect(await tool.run([command] + arguments + ["--as-of", "3"]).code == 0)
        }
        await tool.expectInvariants()
    }
}
