import Foundation
import StoreSupport
import Testing
import TripStore

extension OutputPart {
    /// Two replicas that meet, by folder and by bundle, and strangers.
    static func replicas(_ session: inout OutputSession) async throws {
        let (ana, ben, empty) = (session.tool, Tool(), try await Tool.withStore())
        let trip = try await session.add("trip", "--name", "Lisbon")
        try await session.run("clone", "clone", ana.path, ben.path, "--name", "ben's laptop")
        _ = try await ana.value("edit", trip, "--name", "Porto")
        _ = try await ben.value("edit", trip, "--name", "Faro")
        let (whole, part) = (ana.folder.path("whole"), ana.folder.path("part"))
        #expect(await ben.run("bundle", "write", whole).code == 0)
        try await session.run("peer", "peers")
        try await session.run("written bundle", "bundle", "write", part, "--holds", whole)
        try await session.run("shown bundle", "bundle", "show", part)
        try await session.run("exchange", "bundle", "read", whole)
        let dump = session.tool.folder.path("log.jsonl")
        try await session.run("written dump", "dump", dump)
        try await session.run("load", "load", dump)
        try await session.run("load", "load", dump, "--anew", "--dry-run")
        let ticket = ana.folder.path("ticket.txt")
        try "ticket".write(toFile: ticket, atomically: true, encoding: .utf8)
        #expect(await ana.run("attach", trip, ticket).code == 0)
        try await session.run("exchange", "sync", ben.path)
        try await session.run("conflict", "audit", "conflicts", code: 1)
        // One edits an entity that the other deletes.
        _ = try await ana.value("edit", trip, "--notes", "sunny", "--destination", "L")
        _ = try await ben.value("delete", trip)
        try await session.run("exchange", "sync", ben.path)
        try await session.run("status", "status")
        try await session.run("peer", "peers")
        try await session.run("renamed peer", "peers", "--rename", try await ben.replica(), "--as", "Ben's")
        try await session.run("forgotten peer", "peers", "--forget", try await ben.replica())

        var joining = OutputSession(tool: empty)
        try await joining.run("exchange", "sync", ana.path)
        let stranger = try await Tool.withStore()
        _ = try await stranger.value("add", "trip", "--name", "Rome")
        try await joining.run("adoption", "sync", stranger.path, "--adopt")
        try await joining.run("adoption", "sync", stranger.path, "--adopt")
        session = OutputSession(tool: ana, lines: session.lines + joining.lines)
        for tool in [ben, empty, stranger] { await tool.expectInvariants() }
    }

    /// Copies that wrote separately as one replica, and a clock that is ahead.
    static func copies(_ session: inout OutputSession) async throws {
        let (one, two) = (Tool(), Tool())
        for tool in [one, two] {
            try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
        }
        try await TripStoreHandle.open(one.path, isBlind: true).add("Lisbon")
        try FileManager.default.copyItem(atPath: one.path, toPath: two.path)
        try await TripStoreHandle.open(one.path, isBlind: true).add("Porto")
        try await TripStoreHandle.open(two.path, isBlind: true).add("Faro")
        var copied = OutputSession(tool: one)
        try await copied.run("exchange", "sync", two.path)
        try await copied.run("status", "status")
        _ = try await copied.add("trip", "--name", "Braga")
        try await copied.run("members", "members")

        let ahead = Tool()
        #expect(await Tool.run(["clone", session.tool.path, ahead.path]).code == 0)
        var options = TripStore.Options()
        let now = options.dependencies.now
        options.dependencies.now = { now() + 3_600_000 }
        let store = try await TripStore.open(at: URL(fileURLWithPath: ahead.path), options: options)
        try await store.create(Trip(name: "Lisbon"))
        await store.close()
        try await session.run("exchange", "sync", ahead.path)
        session = OutputSession(tool: session.tool, lines: session.lines + copied.lines)
        for tool in [one, two, ahead] { await tool.expectInvariants() }
    }
}
