import Foundation
import Testing

@Suite("Conflicts and their resolving")
struct AuditConflictsTests {
    /// A trip that both renamed concurrently; Ben's write is later.
    private func renamed() async throws -> (replicas: Replicas, trip: String) {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        #expect(await replicas.ana.run("edit", trip, "--name", "Porto", "--author", "ana").code == 0)
        try await Task.sleep(for: .milliseconds(3))
        #expect(await replicas.ben.run("edit", trip, "--name", "Faro", "--author", "ben").code == 0)
        try await replicas.meet()
        return (replicas, trip)
    }

    @Test("Two who wrote one field unseen are a conflict, in words and in JSON, and blame marks the field")
    func field() async throws {
        let (replicas, trip) = try await renamed()
        for tool in [replicas.ana, replicas.ben] {
            let conflict = try await tool.run("audit", "conflicts", "--json").object()
            #expect(conflict["subject"] as? String == "field")
            #expect(conflict["kind"] as? String == "trip")
            #expect(conflict["entity"] as? String == trip)
            #expect(conflict["field"] as? String == "name")
            #expect(conflict["open"] as? Bool == true)
            let (superseded, winner) = (conflict["superseded"] as? [String: Any], conflict["winner"] as? [String: Any])
            #expect(superseded?["value"] as? String == "Porto" && superseded?["author"] as? String == "ana")
            #expect(winner?["value"] as? String == "Faro" && winner?["author"] as? String == "ben")
            let line = try #require(await tool.run("audit", "conflicts", "--trip", trip).out.first)
            let id = try #require(conflict["id"] as? String)
            let short = String(id.prefix(12)) + id.dropFirst(64)
            #expect(line.hasPrefix("\(short)  open  trip \"Faro\" \(trip): name Porto (ana@"))
            #expect(line.contains("superseded by Faro (ben@"))
            let fields = try #require(
                try await tool.run("audit", "blame", trip, "--json").object()["fields"] as? [[String: Any]])
            #expect(fields.map { $0["contested"] as? Bool } == [true])
            #expect(
                await tool.run("audit", "blame", trip).out.contains { $0.contains("name") && $0.hasSuffix("* Faro") })
            await tool.expectInvariants()
        }
    }

    @Test(
        "Either side can be made to stand; then the conflict is resolved, for both",
        arguments: ["superseded", "winner"])
    func resolving(side: String) async throws {
        let (replicas, trip) = try await renamed()
        let ana = replicas.ana
        let id = try #require(try await ana.run("audit", "conflicts", "--json").object()["id"] as? String)
        let resolved = await ana.run("resolve", id, "--take", side, "--author", "ana")
        #expect(resolved.code == 0, "\(resolved.error)")
        let value = side == "winner" ? "Faro" : "Porto"
        let change = side == "winner" ? "name stays Faro" : "name Faro → Porto"
        #expect(resolved.out.first?.hasPrefix("Wrote trip \"Faro\" \(trip): \(change) (position ") == true)
        try await replicas.meet()
        for tool in [ana, replicas.ben] {
            let named = (try await tool.run("show", trip, "--json").object()["trip"] as? [String: Any])?["name"]
            #expect(named as? String == value)
            #expect(await tool.run("audit", "conflicts").out == ["No conflicts."])
            #expect(await tool.run("audit", "conflicts", "--json").out.isEmpty)
            let all = try await tool.run("audit", "conflicts", "--all", "--json").objects()
            #expect(all.map { $0["open"] as? Bool } == [false])
        }
        let again = await ana.run("resolve", id, "--take", side)
        #expect(again.code == 0 && again.out == ["Nothing to change: the conflict is resolved, and that side stands."])
        let other = await ana.run("resolve", id, "--take", side == "winner" ? "superseded" : "winner")
        #expect(other.code == 2 && other.error.contains("is resolved"))
        await ana.expectInvariants()
    }

    @Test(
        "An edit of what another deleted is a conflict; to take the edit restores, to take the deletion deletes again",
        arguments: ["superseded", "winner"])
    func deletion(side: String) async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        #expect(await replicas.ana.run("edit", trip, "--notes", "sunny", "--author", "ana").code == 0)
        #expect(await replicas.ben.run("delete", trip, "--author", "ben").code == 0)
        try await replicas.meet()
        let ben = replicas.ben
        let conflict = try await ben.run("audit", "conflicts", "--json").object()
        #expect(conflict["subject"] as? String == "deletion")
        let id = try #require(conflict["id"] as? String)
        let resolved = await ben.run("resolve", id, "--take", side)
        #expect(resolved.out.first?.hasPrefix(side == "winner" ? "Deleted trip" : "Restored trip") == true)
        if side == "superseded" {
            let shown = try await ben.run("show", trip, "--json").object()["trip"] as? [String: Any]
            #expect(shown?["notes"] as? String == "sunny")
        } else {
            #expect(await ben.run("show", trip).code == 2)
        }
        #expect(await ben.run("audit", "conflicts", "--json").out.isEmpty)
        await ben.expectInvariants()
    }

    @Test("An item put into a trip that another deleted is a conflict; to take it restores the trip")
    func itemOfDeletedTrip() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        #expect(await replicas.ana.run("delete", trip, "--author", "ana").code == 0)
        try await Task.sleep(for: .milliseconds(3))
        _ = try await replicas.ben.value("add", "activity", "--name", "Tram", "--trip", trip, "--author", "ben")
        try await replicas.meet()
        let ana = replicas.ana
        let conflict = try await ana.run("audit", "conflicts", "--trip", trip, "--json").object()
        #expect(conflict["subject"] as? String == "parentDeletion")
        #expect(conflict["name"] as? String == "Tram")
        let id = try #require(conflict["id"] as? String)
        let receipt = try await ana.run("resolve", id, "--take", "superseded", "--json").object()
        #expect((receipt["entities"] as? [[String: Any]])?.first?["id"] as? String == trip)
        #expect((try await ana.run("show", trip, "--json").object()["items"] as? [Any])?.count == 1)
        await ana.expectInvariants()
    }
}
