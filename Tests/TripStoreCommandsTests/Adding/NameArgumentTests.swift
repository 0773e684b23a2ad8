import StoreSupport
import Testing

@testable import TripStoreCommands

@Suite("Names before the options of what is created")
struct NameArgumentTests {
    @Test("Each kind that has a name takes it without an option")
    func names() async throws {
        let tool = try await Tool.withStore()
        #expect(await tool.run("add", "trip", "Porto").code == 0)
        for kind in ["activity", "lodging", "transportation"] {
            #expect(await tool.run("add", kind, "By \(kind)", "--trip", "Porto").code == 0)
            #expect(await tool.run("show", "By \(kind)").code == 0)
        }
        for kind in ["traveller", "organization"] { #expect(await tool.run("add", kind, "Ana").code == 0) }
        #expect(await tool.run("trips").out.contains { $0.contains("Porto") })
        await tool.expectInvariants()
    }

    @Test("A second name, and one of a kind that has none, are refused")
    func refusals() async throws {
        let tool = try await Tool.withStore()
        let twice = await tool.run("add", "trip", "Porto", "--name", "Lisbon")
        #expect(twice.code == 64 && twice.error.contains("The name is given twice"))
        let none = await tool.run("add", "budget", "Food")
        #expect(none.code == 64 && none.error.contains("A budget has no name: leave 'Food' out."), "\(none.error)")
        await tool.expectInvariants()
    }
}
