import Foundation
import StoreSupport
import Testing
import TripStoreCommands

@Suite("The configuration")
struct ConfigurationTests {
    private func run(_ tool: Tool, _ environment: [String: String], _ arguments: String...) async -> Tool.Outcome {
        await Tool.run(arguments) { $0.environment = environment }
    }

    @Test("An option counts more than the environment, and that more than the file")
    func precedence() async throws {
        let tool = try await Tool.withStore()
        var environment = ["TRIPSTORE_CONFIG": tool.folder.path("config.json")]
        func author(_ option: String...) async throws -> String? {
            let line = ["edit", "Lisbon", "--notes", UUID().uuidString] + option
            let edited = await Tool.run(line) { $0.environment = environment }
            #expect(edited.code == 0, "\(edited.error)")
            return try await tool.run("audit", "log", "--limit", "1", "--json").object()["author"] as? String
        }
        #expect(await run(tool, environment, "config", "store", tool.path).code == 0)
        #expect(await run(tool, environment, "config", "author", "ana").code == 0)
        #expect(await run(tool, environment, "add", "trip", "--name", "Lisbon").code == 0)
        #expect(try await author() == "ana")
        environment["TRIPSTORE_AUTHOR"] = "ben"
        #expect(try await author() == "ben")
        #expect(try await author("--author", "cem") == "cem")
        #expect(try await author("--author", "") == "")

        let shown = try await run(tool, environment, "config", "--json").object()
        #expect((shown["author"] as? [String: Any])?["source"] as? String == "TRIPSTORE_AUTHOR")
        #expect((shown["store"] as? [String: Any])?["source"] as? String == tool.folder.path("config.json"))
        #expect(shown["currency"] is NSNull)
        #expect(await run(tool, environment, "config", "--unset", "store").code == 0)
        #expect(await run(tool, environment, "status").code == 64)
        await tool.expectInvariants()
    }

    @Test("It is shown whole on a narrow terminal: what does not fit goes on below")
    func narrow() async throws {
        let tool = try await Tool.withStore()
        try tool.write(#"{"currency":"EUR"}"#, to: "config.json")
        let file = tool.folder.path("config.json")
        for columns in [40, 80] {
            let shown = await Tool.run(["config"]) { console in
                console.environment = ["TRIPSTORE_CONFIG": file, "TRIPSTORE": "/a/folder/of/a/store/with/a/long/name"]
                console.layout = TextLayout(columns: columns)
            }
            #expect(shown.out.allSatisfy { $0.count <= columns }, "\(shown.out)")
            let text = shown.out.map { $0.trimmingCharacters(in: .whitespaces) }.joined()
            #expect(text.contains(file) && text.contains("/a/folder/of/a/store/with/a/long/name"), "\(shown.out)")
            #expect(shown.out.joined(separator: " ").replacing(/\ +/, with: " ").contains("as Europe/Lisbon"))
        }
        await tool.expectInvariants()
    }

    @Test("A configuration that is a link stays one, and the file that it leads to is changed")
    func link() async throws {
        let tool = try await Tool.withStore()
        try tool.write("{\"author\":\"ana\"}", to: "dotfile.json")
        let link = tool.folder.path("config.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "dotfile.json")
        #expect(await run(tool, ["TRIPSTORE_CONFIG": link], "config", "currency", "EUR").code == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "dotfile.json")
        #expect(
            try Tool.Outcome.object(tool.text(of: "dotfile.json")) as? [String: String] == [
                "author": "ana", "currency": "EUR",
            ])
        #expect(try tool.names() == ["store", "config.json", "dotfile.json"])
        await tool.expectInvariants()
    }

    @Test("Zone and currency are taken where an item names none")
    func zoneAndCurrency() async throws {
        let tool = try await Tool.withStore()
        let environment = [
            "TRIPSTORE": tool.path, "TRIPSTORE_TIME_ZONE": "Europe/Lisbon", "TRIPSTORE_CURRENCY": "EUR",
        ]
        #expect(await run(tool, environment, "add", "trip", "--name", "T").code == 0)
        let added = await run(
            tool, environment, "add", "activity", "--name", "Tram", "--trip", "T", "--start", "2027-05-01T10:00",
            "--cost", "3.10")
        #expect(added.code == 0, "\(added.error)")
        let item = try #require(try await tool.run("show", "Tram", "--json").object()["item"] as? [String: Any])
        #expect(item.moment("start") == "2027-05-01T10:00:00+01:00")
        #expect((item["cost"] as? [String: Any])?["minor"] as? Int == 310)
        await tool.expectInvariants()
    }

    @Test("What is no configuration, or sets what cannot be, is refused by the name of its place")
    func faults() async throws {
        let tool = try await Tool.withStore()
        let file = tool.folder.path("config.json")
        for (environment, words) in [
            (["TRIPSTORE_CURRENCY": "XYZ"], "TRIPSTORE_CURRENCY"), (["TRIPSTORE_TIME_ZONE": "Nowhere"], "no zone"),
            (["TRIPSTORE_CONFIG": file], file),
        ] {
            try tool.write("[]", to: "config.json")
            let refused = await run(tool, environment, "config")
            #expect(refused.code == 2 && refused.error.contains(words), "\(refused.error)")
        }
        #expect(await run(tool, ["TRIPSTORE_CONFIG": file], "config", "author", "ana").code == 2)
        let refused = await run(tool, ["TRIPSTORE_CONFIG": file], "trips")
        #expect(refused.code == 2 && refused.error.hasPrefix("Error: The configuration \(file) is no JSON object"))
        #expect(try tool.text(of: "config.json") == "[]")
        #expect(await run(tool, [:], "config", "author", "ana").error.contains("no place"))
        #expect(await run(tool, [:], "config", "time-zone", "Nowhere").code == 64)
    }

    @Test("The rest of the file stays, also what only a later version knows")
    func unknownSettings() async throws {
        let tool = try await Tool.withStore()
        try tool.write(#"{"colour":"red","author":"ana"}"#, to: "config.json")
        let environment = ["TRIPSTORE_CONFIG": tool.folder.path("config.json")]
        #expect(await run(tool, environment, "config", "currency", "eur").code == 0)
        #expect(try tool.text(of: "config.json") == "{\"author\":\"ana\",\"colour\":\"red\",\"currency\":\"eur\"}\n")
    }
}
