import Foundation
import StoreSupport
import Synchronization
import Testing
import TripStoreCommands

@Suite("Options that name travellers")
struct PeopleOptionsTests {
    private static func trip() async throws -> Tool {
        let tool = try await Tool.withStore()
        for name in ["Ana", "Ben", "Cleo"] { _ = try await tool.value("add", "traveller", "--name", name) }
        _ = try await tool.value("add", "trip", "--name", "Lisbon", "--travellers", "Ana,Ben")
        return tool
    }

    @Test("A payer, those who take part and their parts are named by their names")
    func names() async throws {
        let tool = try await Self.trip()
        _ = try await tool.value(
            "add", "activity", "--name", "Dinner", "--trip", "Lisbon", "--cost", "90", "--currency", "EUR", "--paid",
            "in-full", "--payer", "Ana", "--participants", "Ana, Ben", "--split", "parts", "--parts", "Ana=2,Ben=1")
        func dinner() async throws -> [String: Any] {
            try #require(try await tool.run("show", "Dinner", "--json").object()["item"] as? [String: Any])
        }
        func id(_ name: String) async throws -> String {
            let shown = try await tool.run("show", name, "--json").object()["entity"] as? [String: Any]
            return try #require(shown?["id"] as? String)
        }
        let (ana, ben) = (try await id("Ana"), try await id("Ben"))
        let item = try await dinner()
        #expect(item["payer"] as? String == ana && item["split"] as? String == "parts")
        #expect(Set(item["participants"] as? [String] ?? []) == [ana, ben])
        #expect(item["parts"] as? [String: Int] == [ana: 2, ben: 1])
        let totals = await tool.run("totals", "Lisbon").out.joined(separator: "\n")
        #expect(totals.contains("30.00") && totals.contains("60.00"), "\(totals)")
        #expect(await tool.run("edit", "Dinner", "--split", "equally", "--payer", "Ben").code == 0)
        let changed = try await dinner()
        #expect(changed["payer"] as? String == ben && changed["split"] as? String == "equally")
        await tool.expectInvariants()
    }

    @Test("A list of travellers replaces the one before, and writes nothing where it is the same")
    func sets() async throws {
        let tool = try await Self.trip()
        func travellers() async throws -> [String] {
            let trip = try await tool.run("show", "Lisbon", "--json").object()["trip"] as? [String: Any]
            return try #require(trip?["travellers"] as? [String])
        }
        let both = try await travellers()
        #expect(both.count == 2)
        #expect(await tool.run("edit", "Lisbon", "--travellers", "Ben,Ana").out == ["Nothing to change."])
        #expect(await tool.run("edit", "Lisbon", "--travellers", "Ben,Cleo").code == 0)
        let others = try await travellers()
        #expect(others.count == 2 && Set(others).intersection(both).count == 1)
        #expect(await tool.run("edit", "Lisbon", "--travellers", "").code == 0)
        #expect(try await travellers().isEmpty)
        await tool.expectInvariants()
    }

    @Test("A traveller that is not there is refused with how to add one, and parts without a number with their form")
    func refused() async throws {
        let tool = try await Self.trip()
        let unknown = await tool.run("edit", "Lisbon", "--travellers", "Ana,Dora")
        #expect(unknown.code == 2 && unknown.error.contains("There is no traveller called 'Dora'"), "\(unknown.error)")
        #expect(unknown.error.contains("'tripstore add traveller --store \(tool.path)' adds one"), "\(unknown.error)")
        _ = try await tool.value("add", "activity", "--name", "Dinner", "--trip", "Lisbon")
        let formless = await tool.run("edit", "Dinner", "--parts", "Ana")
        #expect(formless.code == 64 && formless.error.contains("Give --parts NAME=VALUE"), "\(formless.error)")
        await tool.expectInvariants()
    }

    @Test("What an entity must have is asked for on a terminal, and named elsewhere")
    func missing() async throws {
        let tool = try await Self.trip()
        let refused = await tool.run("add", "activity", "--name", "Dinner")
        #expect(refused.code == 2 && refused.error == "Error: An activity needs '--trip'. Add it.", "\(refused.error)")
        let several = await tool.run("add", "rate", "--trip", "Lisbon")
        #expect(several.error == "Error: A rate needs '--pair' and '--rate'. Add them.", "\(several.error)")
        let questions = Mutex<[String]>([])
        let asked = await tool.run("add", "activity", "--name", "Dinner") { console in
            console.ask = { question in
                questions.withLock { $0.append(question) }
                return "Lisbon"
            }
        }
        #expect(asked.code == 0, "\(asked.error)")
        #expect(questions.withLock { $0 } == ["Trip [Lisbon]:"])
        let silent = await tool.run("add", "activity", "--name", "Dinner", "--json") { $0.ask = { _ in "Lisbon" } }
        #expect(silent.code == 2)
        #expect(await tool.run("add", "activity", "--name", "Dinner", in: { $0.ask = { _ in nil } }).code == 2)
        await tool.expectInvariants()
    }
}
