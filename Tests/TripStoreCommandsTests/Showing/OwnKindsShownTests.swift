import Foundation
import StoreSupport
import Testing
import TripStore

/// A kind that the tool does not declare, as its log describes it.
private struct Expense: OwnEntity {
    let id: Identifier<Expense>
    var what = ""
    var trip: Trip.ID?
    var cost: Money?
    var isShared = true
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ what: String, of trip: Trip.ID) { (id, self.what, self.trip) = (.new(), what, trip) }

    static let schema = Schema<Expense>(
        "org.example.expenses", 1, "expense",
        [
            Field(1, "what", \.what, isRequired: true), .parent("trip", \.trip), Field(3, "cost", \.cost),
            Field(4, "isShared", \.isShared),
        ])
}

@Suite("Apps' own kinds in the tool")
struct OwnKindsShownTests {
    private func store(of tool: Tool) async throws -> TripStore {
        try await TripStore.open(at: URL(fileURLWithPath: tool.path))
    }

    @Test("They are created, listed, shown, edited, moved, deleted and restored by the names that the log has")
    func commands() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let unknown = await tool.run("add", "own", "expense", "--set", "what=dinner")
        #expect(unknown.code == 2 && unknown.error.contains("describes no kind 'expense'"))
        let opened = try await store(of: tool)
        try await opened.describe([Expense.schema], by: "app")
        await opened.close()
        let dinner = try await tool.value(
            "add", "own", "expense", "--set", "what=dinner", "--set", "trip=Lisbon", "--set", "cost=40.50 EUR")
        #expect(Expense.ID(dinner).map { OwnKind(of: $0.reference) } == Expense.schema.ownKind)
        #expect(await tool.run("edit", "dinner", "--set", "isShared=no", "--set", "what=Dinner").code == 0)
        let shown = await tool.run("show", "dinner").out
        #expect(
            shown == [
                "Dinner", "  expense", "  trip  trip \"Lisbon\" \(trip)", "  cost  40.50 EUR", "  isShared  no",
                "  \(dinner)",
            ])
        #expect(await tool.run("show", "Lisbon").out.suffix(3) == ["", "From apps", "  expense Dinner"])
        #expect(await tool.run("list", "own", "expense").out.first?.contains("Dinner") == true)
        #expect(await tool.run("list", "own", "--trip", "Lisbon").out.count == 1)
        let json = try #require(try await tool.run("show", "dinner", "--json").object()["entity"] as? [String: Any])
        #expect(json["kind"] as? String == "own.expense" && json["name"] as? String == "Dinner")
        let fields = try #require(json["fields"] as? [String: Any])
        #expect(fields["isShared"] as? Bool == false && fields["trip"] as? String == trip)
        let porto = try await tool.value("add", "trip", "--name", "Porto")
        #expect(await tool.run("move", "Dinner", "--to", "Porto").code == 0)
        #expect(await tool.run("edit", "Dinner", "--clear", "cost").code == 0)
        let guarded = try await tool.value("add", "trip", "--name", "Faro", "--protected")
        #expect(await tool.run("move", "Dinner", "--to", guarded).code == 0)
        #expect(await tool.run("delete", "Dinner").error.contains("protected"))
        #expect(await tool.run("move", "Dinner", "--to", "Porto").code == 0)
        #expect(await tool.run("delete", "Dinner").code == 0)
        #expect(await tool.run("list", "own").out == ["No entities from apps."])
        #expect(await tool.run("restore", "Dinner").code == 0)
        #expect(
            await tool.run("audit", "log", "--kind", "own", "--trip", "Lisbon").out.contains { $0.contains("expense") })
        #expect(await tool.run("undo", "--last").code == 0)
        #expect(await tool.run("delete", "Porto").code == 0)
        let reopened = try await store(of: tool)
        #expect(try reopened.entities(Expense.self).rows.isEmpty)
        try await reopened.restore(try #require(Trip.ID(porto)))
        try await reopened.restore(try #require(Expense.ID(dinner)))
        let read = try #require(try reopened.entities(Expense.self).rows.first)
        #expect(read.what == "Dinner" && read.trip == Trip.ID(porto) && read.cost == nil && !read.isShared)
        await reopened.close()
        await tool.expectInvariants()
    }

    @Test("Bad names and values are refused, with what there is")
    func refused() async throws {
        let tool = try await Tool.withStore()
        let opened = try await store(of: tool)
        try await opened.describe([Expense.schema], by: "app")
        await opened.close()
        let commands: [([String], String)] = [
            (["add", "own", "expanse"], "It describes expense."),
            (["add", "own", "expense", "--set", "x=1"], "It names cost, isShared, trip, what."),
            (["add", "own", "expense", "--set", "cost=much"], "is no value of 'cost'"),
            (["add", "own", "expense", "--set", "trip=Nowhere"], "There is no entity called 'Nowhere'"),
            (["list", "items", "expense"], "goes with 'own'"),
        ]
        for (arguments, words) in commands {
            let result = await tool.run(arguments)
            #expect(result.code != 0 && result.error.contains(words), "\(arguments): \(result.error)")
        }
        await tool.expectInvariants()
    }
}
