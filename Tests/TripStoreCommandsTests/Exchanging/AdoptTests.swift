import Foundation
import StoreSupport
import Testing

@Suite("sync --adopt")
struct AdoptTests {
    /// Two stores that were created separately, each with a trip.
    private func strangers() async throws -> (one: Tool, other: Tool) {
        let (one, other) = (try await Tool.withStore(), try await Tool.withStore())
        _ = try await one.value("add", "trip", "--name", "Lisbon")
        let porto = try await other.value("add", "trip", "--name", "Porto", "--notes", "by train")
        _ = try await other.value("add", "activity", "--name", "Cellar", "--trip", porto)
        return (one, other)
    }

    @Test("The other's entities are written anew here, with their ids, and the other stays as it is")
    func adopting() async throws {
        let (one, other) = try await strangers()
        let before = try await other.state()
        let report = try await one.run("sync", other.path, "--adopt", "--author", "ana", "--json").object()
        let adopted = try #require(report["adopted"] as? [String: Int])
        #expect(adopted == ["created": 2, "edited": 0, "deleted": 0, "restored": 0, "unchanged": 0])
        #expect(report["commits"] as? Int == 1)
        let names = try await one.run("trips", "--undated", "--json").objects().compactMap { $0["name"] as? String }
        #expect(Set(names) == ["Lisbon", "Porto"])
        let last = try await one.run("audit", "log", "--limit", "1", "--json").object()
        #expect(last["author"] as? String == "ana")
        #expect(last["correlation"] as? String == report["correlation"] as? String)

        let after = try await other.state()
        #expect(after.frontier == before.frontier && after.digests == before.digests)
        // Neither expects the other any more.
        for tool in [one, other] { #expect(await tool.run("peers", "--json").out.isEmpty) }
        await one.expectInvariants()
        await other.expectInvariants()
    }

    @Test("Done again, it takes over what was written there since, and then nothing more")
    func again() async throws {
        let (one, other) = try await strangers()
        #expect(await one.run("sync", other.path, "--adopt").code == 0)
        let porto = try #require(try await other.run("trips", "--undated", "--json").object()["id"] as? String)
        try await Task.sleep(for: .milliseconds(3))
        _ = try await other.value("edit", porto, "--name", "Oporto")
        let second = await one.run("sync", other.path, "--adopt")
        #expect(second.out.first == "Adopted what the other holds, and left it as it is")
        #expect(second.out.contains("  entities     0 created, 1 edited, 0 deleted, 0 restored, 1 unchanged"))
        #expect(try await one.trip(porto)["name"] as? String == "Oporto")
        let third = try await one.run("sync", other.path, "--adopt", "--json").object()
        #expect(
            third["adopted"] as? [String: Int] == [
                "created": 0, "edited": 0, "deleted": 0, "restored": 0, "unchanged": 2,
            ])
        #expect(third["commits"] as? Int == 0 && third.lacks("correlation"))
        await one.expectInvariants()
    }

    @Test("All of it is undone by its correlation")
    func undo() async throws {
        let (one, other) = try await strangers()
        let report = try await one.run("sync", other.path, "--adopt", "--json").object()
        let correlation = try #require(report["correlation"] as? String)
        #expect(await one.run("undo", "--correlation", correlation).code == 0)
        #expect(await one.run("trips", "--undated", "--json").out.count == 1)
    }

    @Test("A bundle of another journal is adopted as its store would be, and stays as it is")
    func bundle() async throws {
        let (one, other) = try await strangers()
        let file = other.folder.path("other.bundle")
        #expect(await other.run("bundle", "write", file).code == 0)
        let bytes = FileManager.default.contents(atPath: file)
        let report = try await one.run("sync", file, "--adopt", "--json").object()
        #expect((report["adopted"] as? [String: Int])?["created"] == 2)
        #expect(FileManager.default.contents(atPath: file) == bytes)
        await one.expectInvariants()
    }

    @Test("With the same journal it is an exchange")
    func sameJournal() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.ana.value("add", "trip", "--name", "Lisbon")
        let report = try await replicas.ben.run("sync", replicas.ana.path, "--adopt", "--json").object()
        #expect(report["adopted"] == nil && report.commits("received") == 1)
        try await replicas.expectEqual()
    }

    @Test("What the other deleted or restored since counts as that, and not as an edit")
    func deletions() async throws {
        let (one, other) = try await strangers()
        #expect(await one.run("sync", other.path, "--adopt").code == 0)
        let porto = try #require(try await other.run("trips", "--undated", "--json").object()["id"] as? String)
        for (command, counts) in [
            ("delete", ["created": 0, "edited": 0, "deleted": 1, "restored": 0, "unchanged": 1]),
            ("restore", ["created": 0, "edited": 0, "deleted": 0, "restored": 1, "unchanged": 1]),
        ] {
            try await Task.sleep(for: .milliseconds(3))
            #expect(await other.run(command, porto).code == 0)
            let report = try await one.run("sync", other.path, "--adopt", "--json").object()
            #expect(report["adopted"] as? [String: Int] == counts)
        }
        try await Task.sleep(for: .milliseconds(3))
        #expect(await other.run("delete", porto).code == 0)
        #expect(
            await one.run("sync", other.path, "--adopt").out
                .contains("  entities     0 created, 0 edited, 1 deleted, 0 restored, 1 unchanged"))
        await one.expectInvariants()
    }
}
