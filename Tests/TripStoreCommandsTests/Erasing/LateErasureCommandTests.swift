import Testing
import TripStoreCommands

@Suite("Erasures of what came late on the command line")
struct LateErasureCommandTests {
    @Test("What came late under an erased trip is listed after its erasure, and is named when that is taken back")
    func takenBack() async throws {
        let (tool, other) = (try await Tool.withStore(), Tool())
        #expect(await Tool.run(["clone", tool.path, other.path, "--name", "second"]).code == 0)
        let trip = try await other.value("add", "trip", "--name", "Lisbon")
        #expect(await other.run("sync", tool.path).code == 0)
        #expect(await tool.run("erase", trip, "--yes").code == 0)
        let stated = try #require(try await tool.run("erasures", "--json").object()["position"] as? Int)
        let porto = try await tool.value("add", "trip", "--name", "Porto")
        #expect(await tool.run("erase", porto, "--yes").code == 0)
        _ = try await other.value("add", "activity", "--name", "Tram", "--trip", trip)
        // The store that erased hides it once it is met again.
        for _ in 0..<2 { #expect(await other.run("sync", tool.path).code == 0) }
        for tool in [tool, other] {
            #expect(await tool.run("show", trip).code == 2)
            #expect(await tool.run("list", "items").out.contains { $0.contains("Tram") } == false)
        }
        let listed = await tool.run("erasures").out
        #expect(listed.count == 3)
        #expect(listed.dropFirst().first?.contains("1 event of 1 commit, late after \(stated), was hidden by") == true)
        let lateAfter = try await tool.run("erasures", "--json").objects().map { $0["lateAfter"] as? [Int] }
        #expect(lateAfter == [[], [], [stated]])

        let back = await tool.run("erasures", "--take-back", "\(stated)")
        #expect(back.code == 0 && back.out.count == 2, "\(back.out)")
        #expect(back.out.allSatisfy { $0.contains(", and taken back by ") })
        #expect(back.out.last?.contains("1 event of 1 commit, late after \(stated), was erased by") == true)
        #expect(await other.run("sync", tool.path).code == 0)
        for tool in [tool, other] {
            #expect(await tool.run("show", trip).code == 0)
            #expect(await tool.run("list", "items").out.contains { $0.contains("Tram") })
        }
        for tool in [tool, other] { await tool.expectInvariants() }
    }

    @Test("What came late is taken back alone, and its erasure stays")
    func alone() async throws {
        let (tool, other) = (try await Tool.withStore(), Tool())
        #expect(await Tool.run(["clone", tool.path, other.path, "--name", "second"]).code == 0)
        let trip = try await other.value("add", "trip", "--name", "Lisbon")
        #expect(await other.run("sync", tool.path).code == 0)
        #expect(await tool.run("erase", trip, "--yes").code == 0)
        _ = try await other.value("add", "activity", "--name", "Tram", "--trip", trip)
        for _ in 0..<2 { #expect(await other.run("sync", tool.path).code == 0) }
        let late = try #require(try await tool.run("erasures", "--json").objects().last?["position"] as? Int)
        let back = await tool.run("erasures", "--take-back", "\(late)")
        #expect(back.code == 0 && back.out.count == 1 && back.out.first?.contains("late after") == true)
        #expect(await tool.run("show", trip).code == 2)
        let again = await tool.run("erasures", "--take-back", "\(late)")
        #expect(again.code == 2 && again.error.contains("was taken back before"))
        for tool in [tool, other] { await tool.expectInvariants() }
    }
}
