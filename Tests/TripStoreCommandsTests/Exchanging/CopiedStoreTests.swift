import Foundation
import StoreSupport
import Testing

/// X4: no edit is lost, whatever happened to a store's folder.
@Suite("Stores that were copied or restored")
struct CopiedStoreTests {
    @Test("A copied folder says at the first write that it goes on as another replica; the two then exchange")
    func copied() async throws {
        let original = try await Tool.withStore()
        let trip = try await original.value("add", "trip", "--name", "Lisbon")
        let copy = Tool()
        try FileManager.default.createDirectory(at: copy.folder.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: original.path, toPath: copy.path)
        let replica = try await original.replica()

        let wrote = await copy.run("edit", trip, "--notes", "copy")
        #expect(wrote.code == 0 && wrote.error.contains("no longer as \(replica)"))
        let status = try await copy.run("status", "--json").object()
        #expect(status["replica"] as? String != replica)
        #expect((status["identityChange"] as? [String: Any])?["previous"] as? String == replica)
        #expect(try #require(await copy.run("status").out.first).contains("identity  \(replica) wrote here before"))
        // Reported once, and unchanged from then on.
        #expect(await copy.run("edit", trip, "--notes", "the copy").error.isEmpty)
        #expect(await original.run("edit", trip, "--destination", "original").error.isEmpty)
        #expect(try await original.replica() == replica)

        let report = try await original.run("sync", copy.path, "--json").object()
        #expect(report.objects("forks").isEmpty && report.lacks("identityChange"))
        for tool in [original, copy] {
            let shown = try await tool.trip(trip)
            #expect(shown["notes"] as? String == "the copy" && shown["destination"] as? String == "original")
            await tool.expectInvariants()
        }
        #expect(try await original.state() == copy.state())
    }

    @Test("A copied folder that another store exchanges with goes on as another replica, and that is said")
    func copiedPeer() async throws {
        let original = try await Tool.withStore()
        _ = try await original.value("add", "trip", "--name", "Lisbon")
        let copy = Tool()
        try FileManager.default.createDirectory(at: copy.folder.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: original.path, toPath: copy.path)
        let replica = try await original.replica()
        let first = await original.run("sync", copy.path)
        #expect(first.error.hasPrefix("Warning: The other store goes on as another replica than \(replica): "))
        #expect(first.error.hasSuffix("1 warning."))
        let again = try await original.run("sync", copy.path, "--json").object()
        #expect(again["peerIdentityChange"] is NSNull)
        #expect(try await original.replica() == replica)
        #expect(try await copy.replica() != replica)
        for tool in [original, copy] { await tool.expectInvariants() }
    }

    @Test("A store put back from an old copy goes on as another replica, and gets back what it had sent to others")
    func restored() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        let (store, backup) = (replicas.ana.path, replicas.ana.folder.path("backup"))
        try FileManager.default.copyItem(atPath: store, toPath: backup)
        _ = try await replicas.ana.value("edit", trip, "--notes", "after the backup")
        try await replicas.meet()
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.moveItem(atPath: backup, toPath: store)
        let wrote = await replicas.ana.run("edit", trip, "--destination", "after the restore")
        #expect(wrote.error.contains("from now on"))
        let report = try await replicas.ana.run("sync", replicas.ben.path, "--json").object()
        #expect(report.objects("forks").isEmpty)
        let shown = try await replicas.ben.trip(trip)
        #expect(shown["notes"] as? String == "after the backup")
        #expect(shown["destination"] as? String == "after the restore")
        try await replicas.expectEqual()
    }

    @Test(
        "A copy that went unnoticed is found by the exchange: both branches stay, the fork is reported, and both continue under new ids"
    )
    func fork() async throws {
        let (one, two) = (Tool(), Tool())
        for tool in [one, two] {
            try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
        }
        try await TripStoreHandle.open(one.path, isBlind: true).add("Lisbon")
        try FileManager.default.copyItem(atPath: one.path, toPath: two.path)
        try await TripStoreHandle.open(one.path, isBlind: true).add("Porto")
        try await TripStoreHandle.open(two.path, isBlind: true).add("Faro")
        let replica = try await one.replica()
        #expect(try await two.replica() == replica)

        let report = try await one.run("sync", two.path, "--json").object()
        let fork = try #require(report.objects("forks").first)
        #expect(fork["replica"] as? String == replica && fork["sequence"] as? Int == 3)
        #expect((fork["branches"] as? [String])?.count == 2)
        #expect((report["identityChange"] as? [String: Any])?["previous"] as? String == replica)
        for tool in [one, two] {
            #expect(await tool.run("trips", "--undated", "--json").out.count == 3)
            #expect(try await tool.run("status", "--json").object().objects("forks").count == 1)
            #expect(try #require(await tool.run("status").out.first).contains("fork      \(replica) has 2 different"))
            await tool.expectInvariants()
        }
        #expect(try await one.replica() != replica)
        let again = await one.run("sync", two.path)
        #expect(again.code == 0, "\(again.error)")
        #expect(try await one.state().digests == two.state().digests)
    }

    @Test("A copy of a store to which nothing was written goes on in its journal, and one of a member keeps its role")
    func beforeTheFirstWrite() async throws {
        let original = try await Tool.withStore()
        let copy = Tool()
        try FileManager.default.createDirectory(at: copy.folder.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: original.path, toPath: copy.path)
        _ = try await copy.value("add", "trip", "--name", "Lisbon")
        let member = Tool()
        #expect(await Tool.run(["clone", copy.path, member.path, "--name", "member"]).code == 0)
        let moved = Tool()
        try FileManager.default.createDirectory(at: moved.folder.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: member.path, toPath: moved.path)
        _ = try await moved.value("add", "trip", "--name", "Porto")
        for peer in [moved, original] { #expect(await copy.run("sync", peer.path).code == 0) }
        for tool in [original, copy, moved] {
            #expect(await tool.run("trips", "--undated", "--json").out.count == 2)
            await tool.expectInvariants()
        }
        #expect(try await original.state() == copy.state())
    }

    @Test("A store without its key says before the first write that it waits for a grant, and how to get one")
    func withoutKey() async throws {
        let admin = try await Tool.withStore()
        _ = try await admin.value("add", "trip", "--name", "Lisbon")
        let member = Tool()
        #expect(await Tool.run(["clone", admin.path, member.path, "--name", "member"]).code == 0)
        try FileManager.default.removeItem(atPath: member.path + "/replica.key")
        let wrote = await member.run("add", "trip", "--name", "Porto")
        let replica = try await member.replica()
        #expect(wrote.code == 0 && wrote.error.contains("counts here alone"))
        #expect(wrote.error.contains("'tripstore grant \(replica) write'"))
        #expect(await admin.run("grant", replica, "write").code == 0)
        #expect(await admin.run("sync", member.path).code == 0)
        #expect(await admin.run("trips", "--undated", "--json").out.count == 2)
        for tool in [admin, member] { await tool.expectInvariants() }
    }
}
