import StoreSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("Options that a command does not have")
struct UnknownOptionsTests {
    @Test(
        "An unknown option is named with those that may be meant",
        arguments: [
            ("add activity --payr Ana", "Unknown option '--payr'. Did you mean '--payer'?"),
            ("add activity --price 3", "Unknown option '--price'. Did you mean '--cost'?"),
            ("add entry --until 2027-05-01", "Unknown option '--until'. Did you mean '--due-day'?"),
            ("add entry --traveller Ana", "Unknown option '--traveller'. Did you mean '--assignee'?"),
            ("trips --strat", "Unknown option '--strat'."),
            ("list activities --were 'cost > 3 EUR'", "Unknown option '--were'. Did you mean '--where'?"),
            ("edit Tram --payr=Ana", "Unknown option '--payr'. Did you mean '--payer'?"),
            (
                "add activity --coordinates 3",
                "Unknown option '--coordinates'. Did you mean '--latitude'? 'tripstore add activity"
            ),
            (
                "add flight LH1 --to Porto",
                "Unknown option '--to'. Did you mean '--arrival-name'? 'tripstore add flight --help-all' lists them all."
            ),
            ("add trip --xylophone", "Unknown option '--xylophone'. 'tripstore add trip --help-all' lists them all."),
        ])
    func near(line: String, message: String) async {
        let outcome = await Tool.run(line.split(separator: " ").map(String.init) + ["--store", "/nowhere"])
        #expect(outcome.code == 64 && outcome.error.hasPrefix("Error: \(message)"), "\(outcome.error)")
    }

    @Test("Every unknown option of a command line is named")
    func all() async throws {
        let outcome = await Tool.run(["add", "activity", "--payr", "Ana", "--xylophone", "3", "--store", "/nowhere"])
        #expect(outcome.error.hasPrefix("Error: Unknown options '--payr' and '--xylophone'. Did you mean '--payer'?"))
        let json = await Tool.run(["trips", "--json", "--xylophone", "--store", "/nowhere"])
        let fault = try #require(try Tool.Outcome.object(json.error)["error"] as? [String: Any])
        #expect(fault["code"] as? String == "usage")
        #expect((fault["message"] as? String)?.hasPrefix("Unknown option '--xylophone'") == true)
        // What follows -- is no option.
        #expect(await Tool.run(["show", "--store", "/nowhere", "--", "--xylophone"]).code == 2)
    }

    @Test(
        "An option that only other commands have leads to these, those beside the command first",
        arguments: [
            (
                "add trip --name x --payer Ana",
                " have '--payer': 'tripstore add activity --help-all' lists it."
            ),
            ("trips --overwrite-key", nil),
            ("trips --subscription x", "'tail' has '--subscription': 'tripstore tail --help-all' lists it."),
            (
                "audit blame Tram --follow",
                "'audit log' has '--follow': 'tripstore audit log --help-all' lists it."
            ),
        ])
    func ofOthers(line: String, advice: String?) async {
        let outcome = await Tool.run(line.split(separator: " ").map(String.init) + ["--store", "/nowhere"])
        #expect(outcome.code == 64 && !outcome.error.contains("'--name'"), "\(outcome.error)")
        if let advice { #expect(outcome.error.hasSuffix(advice), "\(outcome.error)") }
        #expect(outcome.error.contains("lists them all.") == (advice == nil), "\(outcome.error)")
    }

    @Test("Each option that a word of the same meaning leads to is one of a kind or of a command")
    func synonyms() {
        let fields = FieldOption.all(for: AnyKind.self).map(\.name) + ["kind", "time-zone"]
        for (word, meant) in UnknownOptions.synonyms {
            #expect(!meant.isEmpty && meant.allSatisfy(fields.contains), "\(word): \(meant)")
        }
    }

    @Test("Options of another kind than the entity's are all named")
    func unfit() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let outcome = await tool.run("edit", "Lisbon", "--seat", "3A", "--mode", "plane")
        #expect(
            outcome.error == "Error: '--mode' and '--seat' do not fit: \(trip) is of the kind trip. Leave them out.")
        let one = await tool.run("edit", "Lisbon", "--seat", "3A")
        #expect(one.error == "Error: '--seat' does not fit: \(trip) is of the kind trip. Leave it out.")
        await tool.expectInvariants()
    }
}
