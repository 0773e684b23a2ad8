import Foundation
import StoreSupport
import Testing
import TripStoreCommands

@Suite("Undoing and doing again")
struct UndoCommandTests {
    /// A trip named in one commit and renamed in the next.
    private func renamed() async throws -> (tool: Tool, trip: String) {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon", "--author", "ana")
        #expect(await tool.run("edit", trip, "--name", "Porto", "--author", "ana").code == 0)
        return (tool, trip)
    }

    private func name(_ tool: Tool, _ trip: String) async throws -> String? {
        (try await tool.run("show", trip, "--json").object()["trip"] as? [String: Any])?["name"] as? String
    }

    @Test("A dry run says what an undoing then does, and writes nothing")
    func dryRun() async throws {
        let (tool, trip) = try await renamed()
        let change = "edited trip \"Porto\" \(trip): name Porto → Lisbon"
        let planned = await tool.run("undo", "--commit", "3", "--dry-run")
        #expect(planned.code == 0)
        #expect(planned.out == [change, "To undo the commit at position 3: 1 change to put back."])
        #expect(try await tool.run("undo", "--commit", "3", "--dry-run", "--json").object()["dryRun"] as? Bool == true)
        #expect(try await tool.position() == 3)
        #expect(try await name(tool, trip) == "Porto")

        let undone = await tool.run("undo", "--commit", "3", "--author", "ben")
        #expect(
            undone.out == [change, "Undid the commit at position 3: 1 change put back by the commit at position 4."])
        #expect(try await name(tool, trip) == "Lisbon")
        let again = "edited trip \"Lisbon\" \(trip): name Lisbon → Porto"
        let redone = await tool.run("redo", "--author", "ben", "--dry-run")
        #expect(redone.out.first == again && redone.code == 0)
        #expect(try await tool.position() == 4)
        #expect(await tool.run("redo", "--author", "ben").out.first == again)
        #expect(try await name(tool, trip) == "Porto")
        await tool.expectInvariants()
    }

    @Test("A redo of what another replica undid too says what stands, and is no failure")
    func undoneElsewhere() async throws {
        let (tool, _) = try await renamed()
        let other = Tool()
        #expect(await Tool.run(["clone", tool.path, other.path]).code == 0)
        #expect(await tool.run("undo", "--commit", "3", "--author", "ana").code == 0)
        #expect(await other.run("undo", "--commit", "3", "--author", "ben").code == 0)
        #expect(await other.run("sync", tool.path).code == 0)
        for (tool, author) in [(tool, "ana"), (other, "ben")] {
            for option in [["--dry-run"], []] {
                let redone = await tool.run(["redo", "--author", author] + option)
                #expect(redone.code == 0 && redone.out.first?.hasSuffix("as well, which stands") == true, "\(redone)")
            }
            let object = try await tool.run("redo", "--author", author, "--json").object()
            let kept = try #require((object["kept"] as? [[String: Any]])?.first)
            #expect(kept["position"] as? Int != nil && kept["replica"] as? String != nil)
            #expect(kept["field"] as? String == "name")
        }
        for tool in [tool, other] { await tool.expectInvariants() }
    }

    @Test("Without an author the last work is that of this device, and with an empty one that of any device")
    func withoutAuthor() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let other = Tool()
        #expect(await Tool.run(["clone", tool.path, other.path]).code == 0)
        #expect(await other.run("edit", trip, "--name", "Porto").code == 0)
        #expect(await other.run("sync", tool.path).code == 0)
        #expect(await tool.run("undo", "--last", "--dry-run").code == 2)
        let any = await tool.run("undo", "--last", "--dry-run", "--author", "")
        #expect(any.code == 0 && any.out.first?.hasSuffix("name Porto → Lisbon") == true, "\(any)")
        #expect(await other.run("undo", "--last", "--dry-run").out.first == any.out.first)
        for tool in [tool, other] { await tool.expectInvariants() }
    }

    @Test("JSON names the commits, what is put back, and the receipts")
    func json() async throws {
        let (tool, trip) = try await renamed()
        let report = try await tool.run("undo", "--last", "--author", "ana", "--json").object()
        #expect(report["dryRun"] as? Bool == false)
        #expect(report["commits"] as? [Int] == [3])
        let change = try #require((report["changes"] as? [[String: Any]])?.first)
        #expect(change["kind"] as? String == "trip" && change["id"] as? String == trip)
        #expect(change["verb"] as? String == "edited" && change["field"] as? String == "name")
        #expect(change["old"] as? String == "Porto" && change["new"] as? String == "Lisbon")
        #expect((report["kept"] as? [Any])?.isEmpty == true)
        let receipt = try #require((report["receipts"] as? [[String: Any]])?.first)
        #expect(receipt["position"] as? Int == 4 && receipt["sequence"] as? Int == 4)
        // The previous commit is the creation; before it that author has none.
        let created = try await tool.run("undo", "--last", "--author", "ana", "--json").object()
        #expect((created["changes"] as? [[String: Any]])?.first?["verb"] as? String == "deleted")
        #expect((created["changes"] as? [[String: Any]])?.first?["field"] is NSNull)
        #expect(await tool.run("undo", "--last", "--author", "ana").code == 2)
        #expect(await tool.run("trips").out == ["No trips."])
        await tool.expectInvariants()
    }

    @Test("What another changed since stays, with the reason; if nothing else is left, the exit code is 1")
    func kept() async throws {
        let (tool, trip) = try await renamed()
        #expect(await tool.run("edit", trip, "--name", "Faro", "--author", "ben").code == 0)
        let reason = "changed since by ben at position 4"
        for arguments in [["--dry-run"], []] {
            let outcome = await tool.run(["undo", "--commit", "3"] + arguments)
            #expect(outcome.code == 1)
            #expect(outcome.out.first == "kept trip \"Faro\" \(trip): name, \(reason)")
            #expect(outcome.out.last?.contains("0 changes") == true)
            #expect(outcome.out.last?.contains("1 stays as it is") == true)
        }
        let report = await tool.run("undo", "--commit", "3", "--json")
        #expect(report.code == 1)
        let kept = try #require((try report.object()["kept"] as? [[String: Any]])?.first)
        #expect(kept["field"] as? String == "name" && kept["reason"] as? String == reason)
        #expect((try report.object()["receipts"] as? [Any])?.isEmpty == true)
        #expect(try await tool.position() == 4)
        await tool.expectInvariants()
    }

    @Test("Of a trip everything after a position is undone, and its items' edits with it")
    func trip() async throws {
        let (tool, trip) = try await renamed()
        let other = try await tool.value("add", "trip", "--name", "Other")
        let tram = try await tool.value("add", "activity", "--name", "Tram", "--trip", trip)
        let before = await tool.run("show", trip, "--json").out
        let since = try await tool.position()
        #expect(await tool.run("edit", tram, "--notes", "n").code == 0)
        #expect(await tool.run("edit", trip, "--destination", "d").code == 0)
        #expect(await tool.run("edit", other, "--destination", "d").code == 0)
        _ = try await tool.value("add", "activity", "--name", "Boat", "--trip", trip)
        let undone = await tool.run("undo", "--trip", trip, "--since", "\(since)")
        #expect(undone.code == 0)
        #expect(undone.out.count == 4)
        #expect(undone.out.last?.hasPrefix("Undid the commits at positions 6 to 7, 9: 3 changes put back") == true)
        let after = await tool.run("show", trip, "--json").out
        // Everything except the time of the last change.
        let names = { (lines: [String]) in lines.map { $0.replacing(/"updatedAt":"[^"]*"/, with: "") } }
        #expect(names(after) == names(before))
        await tool.expectInvariants()
    }

    @Test("Of many changes the first are listed, and the number of the others; JSON has all")
    func many() async throws {
        let tool = try await Tool.withStore()
        let export = try ExportFixture(trips: (0..<53).map { ExportFixture.trip($0, [:]) })
        let imported = await export.withFile { await tool.run("import", $0, "--author", "ana") }
        #expect(imported.code == 0)
        let plan = await tool.run("undo", "--last", "--author", "ana", "--dry-run")
        #expect(plan.out.count == 52 && plan.out[50] == "3 more changes: --json lists all")
        #expect(plan.out.last?.contains(": 53 changes to put back") == true, "\(plan.out.last ?? "")")
        let undone = try await tool.run("undo", "--last", "--author", "ana", "--json").object()
        #expect((undone["changes"] as? [Any])?.count == 53)
        await tool.expectInvariants()
    }

    @Test("The last work of an author is a whole import, and it is said what is undone; the one before comes next")
    func lastImport() async throws {
        let tool = try await Tool.withStore()
        for file in [ExportFixture.planned, ExportFixture.actual] {
            if file == ExportFixture.actual { _ = await tool.run("trips", "--json") }
            #expect(await tool.run("import", file, "--author", "ana").code == 0)
        }
        let after = await tool.run("trips", "--json").out
        let position = try await tool.position()
        let undone = await tool.run("undo", "--last", "--author", "ana")
        #expect(undone.code == 0)
        #expect(undone.error.hasPrefix("Undoing the commits at positions "))
        #expect(undone.error.contains(" to \(position), one piece of work such as an import"))
        let alone = try await Tool.withStore()
        #expect(await alone.run("import", ExportFixture.planned).code == 0)
        #expect(await tool.run("trips").out == alone.run("trips").out)
        #expect(await tool.run("redo", "--author", "ana").code == 0)
        let names = { (lines: [String]) in lines.map { $0.replacing(/"updatedAt":"[^"]*"/, with: "") } }
        #expect(names(await tool.run("trips", "--json").out) == names(after))
        for _ in 0..<2 { #expect(await tool.run("undo", "--last", "--author", "ana").code == 0) }
        #expect(try await tool.run("status", "--json").object()["trips"] as? Int == 0)
        #expect(await tool.run("undo", "--last", "--author", "ana").code == 2)
        await tool.expectInvariants()
    }

    @Test("An import is undone by the correlation that it prints, and redone")
    func importing() async throws {
        let tool = try await Tool.withStore()
        let planned = await tool.run("import", ExportFixture.planned)
        #expect(planned.code == 0)
        // Everything except the times of the last changes.
        func trips() async -> [String] {
            await tool.run("trips", "--all", "--json").out.map { $0.replacing(/"updatedAt":"[^"]*"/, with: "") }
        }
        let before = await trips()
        let actual = await tool.run("import", ExportFixture.actual)
        let line = try #require(actual.out.first { $0.hasPrefix("undo") })
        let correlation = try #require(line.firstMatch(of: /[0-9A-F-]{36}/)).output
        let after = await trips()
        let undone = await tool.run("undo", "--correlation", String(correlation))
        #expect(undone.code == 0, "\(undone.error)")
        #expect(undone.out.last?.contains("stay") == false)
        #expect(await trips() == before)
        #expect(await tool.run("redo").code == 0)
        #expect(await trips() == after)
        await tool.expectInvariants()
    }

    @Test("Undoing and redoing show how far they are, and options that exclude each other are named")
    func progress() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        for (words, stage) in [(["undo", "--last"], "putting back"), (["redo"], "doing again")] {
            let shown = Shown()
            let outcome = await Tool.run(words + ["--store", tool.path]) { $0.progress = { shown.add($0) } }
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(shown.lines.contains("planning") && shown.lines.contains("\(stage) 0 of 1 commit, 0 %"))
            #expect(shown.lines.last == "", "\(shown.lines)")
        }
        let both = await tool.run("undo", "--commit", "1", "--last")
        #expect(both.code == 64 && both.error.contains("--commit and --last say what to undo"), "\(both.error)")
        let undated = await tool.run("trips", "--undated", "--to", "2027-05-01", "--overlapping")
        #expect(undated.error.contains("leave out --to and --overlapping."), "\(undated.error)")
        let table = await tool.run("trips", "--bom")
        #expect(table.error.contains("--bom goes with --csv. Leave it out"), "\(table.error)")
        let deleted = await tool.run("list", "--deleted", "--sort", "name", "--csv", "--as-of", "1")
        #expect(deleted.error.contains("leave out --sort, --csv and --as-of."), "\(deleted.error)")
        let counted = await tool.run("list", "trips", "--count", "--sort", "name")
        #expect(counted.error.contains("--count prints a number: leave out --sort."), "\(counted.error)")
        await tool.expectInvariants()
    }
}
