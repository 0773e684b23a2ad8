import StoreSupport
import Testing

@testable import TripStoreCommands

@Suite("Commands in hints")
struct HintTests {
    @Test("A command that a hint names has the store that the command line names, and none where it names none")
    func store() async throws {
        let tool = try await Tool.withStore()
        let missing = await tool.run("show", "nothing")
        #expect(missing.error.contains("'tripstore list --deleted --store \(tool.path)'"), "\(missing.error)")
        let json = await tool.run("show", "nothing", "--json")
        let fault = try #require(try Tool.Outcome.object(json.error)["error"] as? [String: Any])
        #expect((fault["hint"] as? String)?.contains("'tripstore list --deleted --store \(tool.path)'") == true)
        #expect(
            await tool.run("peers").out == [
                "No peers yet: 'tripstore sync PEER --store \(tool.path)' exchanges with one."
            ])
        let configured = await Tool.run(["show", "nothing"]) { $0.environment = ["TRIPSTORE": tool.path] }
        #expect(configured.error.contains("'tripstore list --deleted'"), "\(configured.error)")
        await tool.expectInvariants()
    }

    @Test(
        "Where there is no store, the hint makes it in the folder that the command line names, quoted where it must be")
    func missingStore() async {
        let tool = Tool()
        let folder = tool.folder.path("my trips")
        let missing = await Tool.run(["trips", "--store", folder])
        #expect(
            missing.code == 2 && missing.error.contains("'tripstore init --store \"\(folder)\"'"), "\(missing.error)")
        let configured = await Tool.run(["trips"]) { $0.environment = ["TRIPSTORE": folder] }
        #expect(configured.code == 2 && configured.error.contains("'tripstore init'"), "\(configured.error)")
    }

    @Test("A folder with a space is quoted, and a command with a store or without any stays as it is")
    func forms() {
        func hinted(_ text: String, _ options: [String]) -> String {
            var console = Console(out: { _ in }, error: { _ in })
            console = console.forCommand(options)
            return Console.$current.withValue(console) { text.onThisStore }
        }
        let text =
            "'tripstore trips' or 'tripstore config' or 'tripstore clone X Y' or 'tripstore sync X --store Y' or 'tripstore add trip --help'"
        let rest = text.dropFirst("'tripstore trips'".count)
        #expect(hinted(text, ["--store", "my trips"]) == "'tripstore trips --store \"my trips\"'\(rest)")
        #expect(hinted(text, ["--store=a", "x", "--store=~/b"]) == "'tripstore trips --store ~/b'\(rest)")
        #expect(hinted(text, ["--", "--store", "a"]) == text)
        #expect(hinted(text, ["--store"]) == text)
        let missing = "There is no command 'tripstore add x'. Did you mean 'tripstore add bus"
        #expect(hinted(missing + "'?", ["--store", "a"]) == missing + " --store a'?")
    }

    @Test("The command that undoes an import can be typed as it is printed")
    func undoing() async throws {
        let tool = try await Tool.withStore()
        let event = ["UID:1", "DTSTART:20270501T100000Z", "DTEND:20270501T110000Z", "SUMMARY:Tram"]
        let lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT"] + event + ["END:VEVENT", "END:VCALENDAR", ""]
        try tool.write(lines.joined(separator: "\r\n"), to: "tram.ics")
        let imported = await tool.run("import", tool.folder.path("tram.ics"))
        let line = try #require(imported.out.last, "\(imported.error)")
        let command = try #require(line.firstMatch(of: /'tripstore (.*)'/)?.output.1, "\(line)")
        let words = command.split(separator: " ").map(String.init)
        #expect(words.prefix(2) == ["undo", "--correlation"] && words.suffix(2) == ["--store", tool.path], "\(words)")
        #expect(await Tool.run(words).code == 0)
        #expect(await tool.run("trips").out == ["No trips."])
        await tool.expectInvariants()
    }
}
