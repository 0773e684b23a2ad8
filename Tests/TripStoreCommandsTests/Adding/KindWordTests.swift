import Foundation
import StoreSupport
import Testing

@testable import TripStoreCommands

@Suite("Words for kinds, and days in words")
struct KindWordTests {
    private static let words: [(String, String, String?)] = [
        ("flight", "transportation", "plane"), ("train", "transportation", "train"), ("bus", "transportation", "other"),
        ("ferry", "transportation", "boat"), ("car", "transportation", "car"), ("taxi", "transportation", "other"),
        ("hotel", "lodging", nil), ("apartment", "lodging", nil),
    ]

    @Test("Each word stands for a kind and, of a journey, its mode")
    func kinds() async throws {
        let tool = try await Tool.planning()
        #expect(Self.words.map(\.0) == ItemWords.all.map { $0.word })
        for (word, kind, mode) in Self.words {
            let added = await tool.plan(["add", word, "By \(word)", "--trip", "Lisbon"])
            #expect(added.code == 0 && added.error.isEmpty, "\(added.error)")
            let item = try await tool.lastItem()
            #expect(item["kind"] as? String == kind && item["mode"] as? String == mode, "\(word): \(item)")
            #expect(item["name"] as? String == "By \(word)")
        }
        await tool.expectInvariants()
    }

    @Test("A word of another language leads to the one that is offered, and the help lists all that are")
    func offered() async {
        for (word, meant) in [
            ("flug", "flight"), ("Fähre", "ferry"), ("hostal", "hotel"), ("mietwagen", "car"), ("dinner", "activity"),
            ("fligth", "flight"),
        ] {
            let outcome = await Tool.run(["add", word, "x"])
            #expect(outcome.code == 64 && outcome.error.contains("Did you mean 'tripstore add \(meant)'?"))
        }
        let help = await Tool.run(["add", "--help"]).out.joined(separator: "\n").components(separatedBy: "\n")
        #expect(help.contains("JOURNEYS AND STAYS:"))
        for word in ItemWords.all { #expect(help.contains { $0.hasPrefix("  \(word.word) ") }) }
        let script = await Tool.run(["--generate-completion-script", "bash"]).out.joined(separator: "\n")
        for name in ["flight", "hotel", "departure", "nights"] { #expect(script.contains(name)) }
    }

    @Test("A flight takes a line: its days in words, its zones from its airports")
    func flight() async throws {
        let tool = try await Tool.planning()
        let line = "add flight LH400,FRA-JFK --trip Lisbon --departure 3 may 10:05 --arrival 12:30".split(
            separator: " ")
        let added = await tool.plan(line.map { String($0).replacing(",", with: " ") })
        #expect(
            added.error == """
                --start is Mon 2027-05-03 10:05 Europe/Berlin, the zone of FRA.
                --end is Mon 2027-05-03 12:30 America/New_York, the zone of JFK.
                """)
        let item = try await tool.lastItem()
        #expect(Tool.words(item["start"]) == "2027-05-03T10:05:00+02:00 Europe/Berlin")
        #expect(Tool.words(item["end"]) == "2027-05-03T12:30:00-04:00 America/New_York")
        // A zone that is given counts before that of the place.
        let given = await tool.plan(["edit", "last", "--arrival", "13:00", "--end-time-zone", "America/Toronto"])
        #expect(given.error == "--end is Mon 2027-05-03 13:00 America/Toronto.")
        await tool.expectInvariants()
    }

    @Test("A stay takes a line: its first day and its nights")
    func stay() async throws {
        let tool = try await Tool.planning()
        let line = ["add", "hotel", "Grand", "--trip", "Lisbon"]
        let added = await tool.plan(line + ["--from", "3", "may", "--nights", "2"])
        #expect(added.code == 0 && added.error == "--start is Mon 2027-05-03.\n--end is Wed 2027-05-05.")
        let days = try await tool.lastItem()
        #expect(days["startDay"] as? String == "2027-05-03" && days["endDay"] as? String == "2027-05-05")
        let inn = ["add", "hotel", "Inn", "--trip", "Lisbon", "--from", "6", "may", "--to", "8", "may"]
        #expect(await tool.plan(inn).code == 0)
        #expect(try await tool.lastItem()["endDay"] as? String == "2027-05-08")
        // A time alone is on the day that the stay has.
        #expect(await tool.plan(["edit", "Grand", "--from", "15:00"]).code == 0)
        #expect(Tool.words(try await tool.lastItem()["start"]) == "2027-05-03T15:00:00+01:00 Europe/Lisbon")
        // A day alone keeps the time.
        #expect(await tool.plan(["edit", "Grand", "--from", "tue", "--nights", "1"]).code == 0)
        let moved = try await tool.lastItem()
        #expect(Tool.words(moved["start"]) == "2027-05-04T15:00:00+01:00 Europe/Lisbon")
        #expect(moved["endDay"] as? String == "2027-05-05")
        for options in [
            ["--nights", "2"], ["--from", "fri", "--nights", "0"],
            ["--from", "fri", "--nights", "2", "--until", "sat"],
        ] {
            let refused = await tool.plan(line + options)
            #expect(refused.code == 64 && refused.error.contains("--nights"), "\(refused.error)")
        }
        #expect(await tool.plan(["edit", "Lisbon", "--nights", "2"]).code == 2)
        await tool.expectInvariants()
    }

    @Test("A time alone follows the item that was planned before, and a zone that nothing tells is the device's")
    func before() async throws {
        let tool = try await Tool.planning()
        func start(_ name: String, _ options: String...) async throws -> String? {
            let added = await tool.plan(["add", "activity", "--name", name, "--trip", "Lisbon"] + options)
            #expect(added.code == 0, "\(added.error)")
            return Tool.words(try await tool.lastItem()["start"])
        }
        #expect(
            try await start("Tram", "--start", "3 may 10:00", "--end", "11:00")
                == "2027-05-03T10:00:00+01:00 Europe/Lisbon")
        #expect(try await start("Dinner", "--start", "20:05") == "2027-05-03T20:05:00+01:00 Europe/Lisbon")
        #expect(try await start("Breakfast", "--start", "8am") == "2027-05-04T08:00:00+01:00 Europe/Lisbon")
        // The end of what is put off is on the new day.
        let later = await tool.plan(["edit", "Tram", "--start", "5 may 10:00", "--end", "12:00"])
        #expect(later.code == 0, "\(later.error)")
        #expect(Tool.words(try await tool.lastItem()["end"]) == "2027-05-05T12:00:00+01:00 Europe/Lisbon")
        _ = try await tool.value("add", "trip", "--name", "Home")
        let call = await tool.plan([
            "add", "activity", "--name", "Call", "--trip", "Home", "--start", "2027-05-03T19:00",
        ])
        #expect(call.error == "--start is Mon 2027-05-03 19:00 Europe/Warsaw, the zone of this device.")
        let timeless = await tool.plan(["add", "hotel", "Grand", "--trip", "Lisbon", "--check-in", "3 may"])
        #expect(timeless.code == 64 && timeless.error.contains("--check-in 2027-05-03 needs a time"))
        await tool.expectInvariants()
    }

    @Test("Lists, agendas and the log take days in words, and name both readings of one that may be two")
    func lists() async throws {
        let tool = try await Tool.planning()
        #expect(await tool.plan(["trips", "--from", "1", "may", "--to", "+5w", "--json"]).out.count == 1)
        #expect(await tool.plan(["trips", "--from", "2 may"]).out == ["No trips."])
        for line in [["trips", "--from", "3/5"], ["agenda", "3/5"], ["trips", "--as-of", "3/5"]] {
            let refused = await tool.plan(line)
            #expect(refused.code == 64 && refused.error.contains("may be 3 May or 5 March"), "\(refused.error)")
        }
        #expect(await tool.plan(["agenda", "4 apr..5 apr"]).out == ["Nothing on Sun 4 – Mon 5 Apr 2027."])
        #expect(await tool.plan(["agenda", "fri"]).out == ["Nothing on Fri 2 Apr 2027."])
        // The words of days need no quotes, and a trip behind them is none of them.
        for line in ["agenda 4 apr", "agenda --json 4 apr --trip Lisbon", "agenda 4 apr .. 5 apr --trip Lisbon"] {
            #expect(await tool.plan(line.split(separator: " ").map(String.init)).code == 0, "\(line)")
        }
        #expect(await tool.run("audit", "log", "--since", "yesterday", "--json").out.isEmpty == false)
        #expect(await tool.run("audit", "log", "--until", "-1w", "--json").out.isEmpty)
        #expect(await tool.plan(["shift", "Lisbon", "--to", "2 may"]).code == 0)
        #expect(try await tool.run("trips", "--json").object()["startDate"] as? String == "2027-05-02")
        await tool.expectInvariants()
    }
}
