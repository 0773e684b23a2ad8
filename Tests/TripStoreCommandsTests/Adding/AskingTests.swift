import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStoreCommands

@Suite("Asking for what is added")
struct AskingTests {
    @Test("Without a kind each field is asked for, and Enter takes what stands in brackets")
    func flight() async throws {
        let tool = try await Tool.planning()
        let typed = TypedAnswers(["", "flight", "TP1 LIS-FRA", "", "", "2 may 10:05", "14:10", "99.90 EUR"])
        let added = await tool.plan(["add"], typing: typed)
        #expect(added.code == 0 && added.out.count == 1)
        #expect(
            typed.questions == [
                "Trip [Lisbon]:", "Kind [activity]:", "Name:", "From [none]:", "To [none]:", "Starts [2027-05-01]:",
                "Ends [none]:", "Cost [none]:",
            ])
        #expect(
            added.error == """
                  Sun 2027-05-02 10:05 Europe/Lisbon, the zone of LIS.
                  Sun 2027-05-02 14:10 Europe/Berlin, the zone of FRA.
                """)
        let item = try await tool.lastItem()
        #expect(item["kind"] as? String == "transportation" && item["mode"] as? String == "plane")
        #expect(item["name"] as? String == "TP1 LIS-FRA")
        #expect(Tool.words(item["start"]) == "2027-05-02T10:05:00+01:00 Europe/Lisbon")
        #expect(Tool.words(item["end"]) == "2027-05-02T14:10:00+02:00 Europe/Berlin")
        #expect((item["cost"] as? [String: Any])?["minor"] as? Int == 9990)
        await tool.expectInvariants()
    }

    @Test("A wrong answer is asked again with the reason, and a question mark is explained")
    func mistakes() async throws {
        let tool = try await Tool.planning()
        let typed = TypedAnswers([
            "?", "Porto", "Lisbon", "spaceship", "", "", "Tram 28", "", "3/5", "fri 20:05", "", "12", "12 eur",
        ])
        let added = await tool.plan(["add", "ask"], typing: typed)
        #expect(added.code == 0 && typed.questions.count == 13, "\(added.error)")
        for words in [
            "The trip of what is created.", "no trip called 'Porto'", "'spaceship' is no kind", "It is needed.",
            "may be 3 May or 5 March", "needs its currency",
            "  Fri 2027-05-07 20:05 Europe/Lisbon, the zone of Lisbon.",
        ] { #expect(added.error.contains(words), "\(words): \(added.error)") }
        let item = try await tool.lastItem()
        #expect(item["kind"] as? String == "activity")
        #expect(Tool.words(item["start"]) == "2027-05-07T20:05:00+01:00 Europe/Lisbon")
        await tool.expectInvariants()
    }

    @Test("A stay is asked for by its days, of which the second is the one after the first")
    func stay() async throws {
        let tool = try await Tool.planning()
        let typed = TypedAnswers(["", "hotel", "Grand", "Sintra", "", "", ""])
        let added = await tool.plan(["add"], typing: typed)
        #expect(added.code == 0, "\(added.error)")
        #expect(typed.questions.suffix(3) == ["Starts [2027-05-01]:", "Ends [+1d]:", "Cost [none]:"])
        let item = try await tool.lastItem()
        #expect(item["startDay"] as? String == "2027-05-01" && item["endDay"] as? String == "2027-05-02")
        #expect(item["customLocationName"] as? String == "Sintra")
        await tool.expectInvariants()
    }

    @Test("The end of the input leaves with nothing written")
    func left() async throws {
        let tool = try await Tool.planning()
        let before = try await tool.position()
        for answers in [[], [""], ["", "hotel"], ["", "hotel", "Grand", "", "3 may"]] {
            let left = await tool.plan(["add"], typing: TypedAnswers(answers))
            #expect(left.code == 2 && left.out.isEmpty && left.error.hasSuffix("Error: Nothing was written."))
        }
        // A script that never gives what is needed ends as well.
        let endless = await tool.plan(["add"], typing: TypedAnswers(Array(repeating: "", count: 1_000)))
        #expect(endless.code == 2 && endless.error.hasSuffix("Error: Nothing was written."))
        #expect(try await tool.position() == before)
        await tool.expectInvariants()
    }

    @Test("Where there is no trip, one is asked for")
    func firstTrip() async throws {
        let tool = try await Tool.withStore()
        let typed = TypedAnswers(["Lisbon", "1 may", "+7d", ""])
        let added = await tool.plan(["add"], typing: typed)
        #expect(typed.questions == ["Name:", "First day [none]:", "Last day [none]:", "Destination [none]:"])
        #expect(added.code == 0 && added.error.contains("  Sat 2027-05-08."), "\(added.error)")
        let trip = try await tool.run("trips", "--json").object()
        #expect(trip["startDate"] as? String == "2027-05-01" && trip["endDate"] as? String == "2027-05-08")
        await tool.expectInvariants()
    }

    @Test("Where nobody can be asked, an error says what is missing")
    func silent() async throws {
        let tool = try await Tool.planning()
        let refused = await tool.plan(["add"])
        #expect(refused.code == 64 && refused.error.hasPrefix("Error: The kind is missing, and what it needs"))
        let json = await tool.plan(["add", "--json"], typing: TypedAnswers(["", "", "x"]))
        #expect(json.code == 64 && json.error.contains("\"usage\""))
        await tool.expectInvariants()
    }

    @Test("What a command lacks is asked for, with the trip to come as the default, and nothing else")
    func missing() async throws {
        let tool = try await Tool.planning()
        let typed = TypedAnswers(["Dinner", ""])
        #expect(await tool.plan(["add", "activity", "--notes", "n"], typing: typed).code == 0)
        #expect(typed.questions == ["Name:", "Trip [Lisbon]:"])
        let flight = TypedAnswers([""])
        #expect(await tool.plan(["add", "flight", "TP1"], typing: flight).code == 0)
        #expect(flight.questions == ["Trip [Lisbon]:"])
        await tool.expectInvariants()
    }

    @Test("A kind alone is asked for as without one, and a word of the same meaning is taken for it")
    func bare() async throws {
        let tool = try await Tool.planning()
        let train = TypedAnswers(["", "CP 123", "Lisboa", "Porto", "5 may 9:39", "12:35", ""])
        #expect(await tool.plan(["add", "train"], typing: train).code == 0)
        let ends = ["From [none]:", "To [none]:", "Starts [2027-05-01]:", "Ends [none]:", "Cost [none]:"]
        #expect(train.questions == ["Trip [Lisbon]:", "Name:"] + ends)
        let item = try await tool.lastItem()
        #expect(item["mode"] as? String == "train" && item["name"] as? String == "CP 123", "\(item)")
        let flight = TypedAnswers(["", "plane", "TP1 LIS-FRA", "", "", "3 mai", "3 may 10:05", "", ""])
        let added = await tool.plan(["add"], typing: flight)
        #expect(added.error.contains("  '3 mai' is no day and no time."), "\(added.error)")
        #expect(try await tool.lastItem()["mode"] as? String == "plane")
        await tool.expectInvariants()
    }

    private static let hasPython = Program.succeeds("python3", "-c", "import pty")

    @Test(
        "On a terminal answers are typed, and Ctrl-D and Ctrl-C leave with nothing written",
        .enabled(if: Self.hasPython))
    func terminal() async throws {
        let tool = try await Tool.planning()
        let script = SourceFile.path("Tests/TripStoreCommandsTests/Adding/type_answers.py")
        func type(_ answers: String) throws -> String {
            try tool.shell("LC_ALL=C.UTF-8 python3 -B '\(script)' '\(answers)' \"$T\" add").text
        }
        let before = try await tool.position()
        let left = try type("Lisbon|^D")
        #expect(left.contains("Error: Nothing was written.") && left.hasSuffix("code 2\n"), "\(left)")
        let interrupted = try type("Lisbon|flight|^C")
        #expect(interrupted.contains("Interrupted. Nothing was written.") && interrupted.hasSuffix("signal 2\n"))
        #expect(try await tool.position() == before)
        let added = try type("Lisbon|flight|TP1 LIS-FRA|||2 may 2027 10:05|14:10|99.90 EUR")
        #expect(added.contains("  Sun 2027-05-02 14:10 Europe/Berlin, the zone of FRA."), "\(added)")
        #expect(added.hasSuffix("code 0\n"))
        #expect(try await tool.lastItem()["name"] as? String == "TP1 LIS-FRA")
        await tool.expectInvariants()
    }
}
