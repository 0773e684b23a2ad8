import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("bundle")
struct BundleCommandTests {
    @Test("A whole bundle carries everything, and reading it again, or an older one after it, changes nothing")
    func whole() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.ana.value("add", "trip", "--name", "Lisbon")
        let (first, second) = (replicas.ana.folder.path("first"), replicas.ana.folder.path("second"))
        let wrote = try await replicas.ana.run("bundle", "write", first, "--json").object()
        #expect(wrote["complete"] as? Bool == true && wrote["commits"] as? Int == 3 && wrote["events"] as? Int == 1)
        #expect(wrote["bytes"] as? Int == FileManager.default.contents(atPath: first)?.count)
        _ = try await replicas.ana.value("edit", trip, "--name", "Porto")
        #expect(await replicas.ana.run("bundle", "write", second).code == 0)
        let bytes = FileManager.default.contents(atPath: second)
        let read = try await replicas.ben.run("bundle", "read", second, "--json").object()
        // The grant came with the clone.
        #expect(read.commits("received") == 2 && read.commits("sent") == 0)
        for file in [second, first] {
            let again = try await replicas.ben.run("bundle", "read", file, "--json").object()
            #expect(again.commits("received") == 0)
        }
        #expect(FileManager.default.contents(atPath: second) == bytes)
        // `sync` with a bundle does the same.
        #expect(try await replicas.ben.run("sync", first, "--json").object().commits("received") == 0)
        try await replicas.expectEqual()
    }

    @Test("A bundle since a frontier holds just what lies beyond it: by its text, by a bundle, without hashes")
    func since() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        let frontier = try #require(await replicas.ben.run("status", "--frontier").out.first)
        #expect(try await replicas.ben.run("status", "--json").object()["frontierText"] as? String == frontier)
        let early = replicas.ana.folder.path("early")
        #expect(await replicas.ana.run("bundle", "write", early).code == 0)
        _ = try await replicas.ana.value("edit", trip, "--name", "Porto")
        let short = frontier.split(separator: ",").map { $0.split(separator: ":").prefix(2).joined(separator: ":") }
        for since in [frontier, early, short.joined(separator: ",")] {
            let file = replicas.ana.folder.path("part")
            let wrote = try await replicas.ana.run("bundle", "write", file, "--holds", since, "--json").object()
            #expect(wrote["commits"] as? Int == 1 && wrote["complete"] as? Bool == false, "\(since)")
            #expect(wrote.objects("lines").map { $0["first"] as? Int } == [4])
            #expect(wrote.lacks("unknown"))
        }
        let nothing = try await replicas.ana.run("bundle", "write", early, "--holds", "", "--json").object()
        #expect(nothing["complete"] as? Bool == true)
        #expect(await replicas.ben.run("bundle", "read", replicas.ana.folder.path("part")).code == 0)
        try await replicas.expectEqual()
    }

    @Test("A bundle since a position, a time or a day holds what came here since")
    func sinceThen() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        let position = try await replicas.ana.position()
        _ = try await replicas.ana.value("edit", trip, "--name", "Porto")
        _ = try await replicas.ana.value("add", "trip", "--name", "Faro")
        let log = try await replicas.ana.run("audit", "log", "--json", "--limit", "2").objects()
        let time = try #require(log.last?["timestamp"] as? String)
        for since in ["\(position)", time] {
            let file = replicas.ana.folder.path("since")
            let wrote = try await replicas.ana.run("bundle", "write", file, "--since", since, "--json").object()
            #expect(wrote["commits"] as? Int == 2 && wrote["complete"] as? Bool == false, "\(since)")
        }
        let all = replicas.ana.folder.path("all")
        for since in ["0", String(time.prefix(10))] {
            let wrote = try await replicas.ana.run("bundle", "write", all, "--since", since, "--json").object()
            #expect(wrote["complete"] as? Bool == true, "\(since)")
        }
        let beyond = await replicas.ana.run("bundle", "write", all, "--since", "99")
        #expect(beyond.code == 2 && beyond.error.contains("99"))
        #expect(await replicas.ana.run("bundle", "write", all, "--since", "0", "--holds", "").code == 64)
        #expect(await replicas.ben.run("bundle", "read", replicas.ana.folder.path("since")).code == 0)
        try await replicas.expectEqual()
    }

    @Test("A bundle is packed as told, by the best way otherwise, and says so", arguments: Compression.available)
    func compression(algorithm: Compression) async throws {
        let replicas = try await Replicas()
        for number in 0..<8 { _ = try await replicas.trip(named: "Trip \(number)") }
        let names = algorithm == .none ? [] : [algorithm.rawValue]
        let file = replicas.ana.folder.path("packed")
        let wrote = try await replicas.ana.run(
            "bundle", "write", file, "--compression", algorithm.rawValue, "--json"
        ).object()
        #expect(wrote["compression"] as? [String] == names)
        #expect(wrote["bytes"] as? Int == FileManager.default.contents(atPath: file)?.count)
        let unpacked = try #require(wrote["unpackedBytes"] as? Int)
        #expect((wrote["bytes"] as? Int).map { algorithm == .none ? $0 == unpacked : $0 < unpacked } == true)
        let shown = await replicas.ana.run("bundle", "show", file)
        #expect(shown.out.contains { $0.hasPrefix("  packed    by \(algorithm.rawValue), from ") } == !names.isEmpty)
        let best = try await replicas.ana.run("bundle", "write", file, "--json").object()
        #expect((best["compression"] as? [String])?.first == Compression.available.first?.rawValue)
        #expect(await replicas.ben.run("bundle", "read", file).code == 0)
        #expect(await replicas.ana.run("bundle", "write", file, "--compression", "lzma").code == 64)
        try await replicas.expectEqual()
    }

    @Test("A bundle for a replica holds what it has not acknowledged")
    func forReplica() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        _ = try await replicas.ana.value("edit", trip, "--name", "Porto")
        let (ben, file) = (try await replicas.ben.replica(), replicas.ana.folder.path("for-ben"))
        let wrote = await replicas.ana.run("bundle", "write", file, "--for", ben)
        #expect(wrote.out.first == "Wrote \(file)")
        #expect(wrote.out.contains { $0.hasPrefix("  holds     1 commit, 1 event, ") && $0.hasSuffix(" B") })
        #expect(wrote.out.contains { $0.hasPrefix("  goes on   from commit 3 of ") })
        #expect(await replicas.ben.run("bundle", "read", file).code == 0)
        try await replicas.expectEqual()
    }

    @Test("Unknown heads are reported, and what is here of their replicas is in the bundle")
    func unknownHeads() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.trip(named: "Lisbon")
        _ = try await replicas.ben.value("add", "trip", "--name", "Porto")
        let file = replicas.ben.folder.path("ben")
        #expect(await replicas.ben.run("bundle", "write", file).code == 0)
        let part = replicas.ana.folder.path("part")
        let wrote = try await replicas.ana.run("bundle", "write", part, "--holds", file, "--json").object()
        let ben = try await replicas.ben.replica()
        let unknown = try #require((wrote["unknown"] as? [String])?.first)
        #expect(unknown.hasPrefix("\(ben):2:"))
    }

    @Test("show prints what a file holds, with a store or without, and whether a store can use it")
    func showing() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        let frontier = try #require(await replicas.ana.run("status", "--frontier").out.first)
        _ = try await replicas.ana.value("edit", trip, "--name", "Porto")
        let file = replicas.ana.folder.path("part")
        #expect(await replicas.ana.run("bundle", "write", file, "--holds", frontier).code == 0)
        let (stranger, empty) = (try await Tool.withStore(), try await Tool.withStore())
        _ = try await stranger.value("add", "trip", "--name", "Faro")

        if ProcessInfo.processInfo.environment["TRIPSTORE"] == nil {
            let alone = try await Tool.run(["bundle", "show", file, "--json"]).object()
            #expect(alone.lacks("store") && alone["name"] as? String == "ana's phone")
            #expect((alone["created"] as? String)?.hasSuffix("Z") == true)
            #expect(alone["frontier"] as? [String: Int] == (try await replicas.ana.state()).frontier)
        }
        func use(_ tool: Tool) async throws -> [String: Any] {
            try #require(try await tool.run("bundle", "show", file, "--json").object()["store"] as? [String: Any])
        }
        let (ben, ana, lacking) = (try await use(replicas.ben), try await use(replicas.ana), try await use(empty))
        #expect(ben["lacksStart"] as? Bool == false && ben["bringsNews"] as? Bool == true)
        #expect(ana["lacksStart"] as? Bool == false && ana["bringsNews"] as? Bool == false)
        #expect(lacking["lacksStart"] as? Bool == true && (lacking["missing"] as? [String])?.count == 1)
        #expect(lacking["otherJournal"] as? Bool == false)
        #expect(try await use(stranger)["otherJournal"] as? Bool == true)

        let words = await empty.run("bundle", "show", file).out
        #expect(words.first == "Bundle \(file)")
        #expect(words.contains { $0.hasPrefix("  store     \(empty.path) lacks its start, commit 3 of ") })
        #expect(
            await replicas.ben.run("bundle", "show", file).out.last
                == "  store     \(replicas.ben.path) can read it, and lacks some of it")
        #expect(try await empty.position() == 0)
    }

    @Test("A bundle whose start is not here is refused, naming what is needed, and nothing is stored")
    func missingStart() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        let frontier = try #require(await replicas.ana.run("status", "--frontier").out.first)
        _ = try await replicas.ana.value("edit", trip, "--name", "Porto")
        let file = replicas.ana.folder.path("part")
        #expect(await replicas.ana.run("bundle", "write", file, "--holds", frontier).code == 0)
        let empty = try await Tool.withStore()
        let refused = await empty.run("bundle", "read", file)
        #expect(refused.code == 2 && refused.out.isEmpty)
        #expect(refused.error.contains("commit 3 of replica \(try await replicas.ana.replica())"))
        #expect(try await empty.position() == 0)
        await empty.expectInvariants()
    }
}
