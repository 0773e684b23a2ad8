import Foundation
import StoreSupport
import Synchronization
import Testing
import TripStore
import TripStoreCommands

@Suite("sync")
struct SyncCommandTests {
    @Test("Offline edits on both sides come together: of different fields both stay, of one field the later counts")
    func offlineEdits() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        _ = try await replicas.ana.value("edit", trip, "--name", "Porto", "--author", "ana")
        _ = try await replicas.ana.value("edit", trip, "--destination", "Portugal", "--author", "ana")
        try await Task.sleep(for: .milliseconds(3))
        _ = try await replicas.ben.value("edit", trip, "--name", "Faro", "--notes", "by train", "--author", "ben")
        let tram = try await replicas.ben.value("add", "activity", "--name", "Tram", "--trip", trip, "--author", "ben")

        let report = try await replicas.ana.run("sync", replicas.ben.path, "--json").object()
        #expect((report["peer"] as? [String: Any])?["name"] as? String == "ben's laptop")
        #expect(report.commits("sent") == 2 && report.commits("received") == 3)
        #expect((report["received"] as? [String: Any])?["events"] as? Int == 2)
        #expect(((report["received"] as? [String: Any])?["bytes"] as? Int ?? 0) > 0)
        #expect(report.objects("forks").isEmpty && report["seconds"] is Double)
        #expect(report.lacks("joined") && report.lacks("identityChange") && report.lacks("clockSkews"))
        for tool in [replicas.ana, replicas.ben] {
            let shown = try await tool.trip(trip)
            #expect(shown["name"] as? String == "Faro")
            #expect(shown["destination"] as? String == "Portugal" && shown["notes"] as? String == "by train")
            #expect(
                try await tool.run("show", trip, "--json").object().objects("items").first?["id"] as? String == tram)
        }
        try await replicas.expectEqual()
    }

    @Test("New conflicts are reported: what was superseded, by what, and who wrote each")
    func conflicts() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        _ = try await replicas.ana.value("edit", trip, "--name", "Porto", "--author", "ana")
        try await Task.sleep(for: .milliseconds(3))
        _ = try await replicas.ben.value("edit", trip, "--name", "Faro", "--author", "ben")
        let report = try await replicas.ana.run("sync", replicas.ben.path, "--json").object()
        let conflict = try #require(report.objects("conflicts").first)
        #expect(report.objects("conflicts").count == 1)
        #expect(conflict["entity"] as? String == trip && conflict["field"] as? String == "name")
        let sides = ["superseded", "winner"].map { conflict[$0] as? [String: Any] }
        #expect(sides.map { $0?["value"] as? String } == ["Porto", "Faro"])
        #expect(sides.map { $0?["author"] as? String } == ["ana", "ben"])
        // `resolve` accepts the printed id.
        let id = try #require(conflict["id"] as? String)
        #expect(await replicas.ana.run("resolve", id, "--take", "superseded").code == 0)
        let again = try await replicas.ana.run("sync", replicas.ben.path, "--json").object()
        #expect(again.objects("conflicts").isEmpty && again.commits("sent") == 1)
        #expect(try await replicas.ben.trip(trip)["name"] as? String == "Porto")
        try await replicas.expectEqual()
    }

    @Test("For people: what went each way, in how long, and a line a conflict; names cannot move the cursor")
    func words() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        _ = try await replicas.ana.value("edit", trip, "--name", "Po\u{1B}[2Jrto", "--author", "ana")
        try await Task.sleep(for: .milliseconds(3))
        _ = try await replicas.ben.value("edit", trip, "--name", "Faro", "--author", "ben")
        let synced = await replicas.ana.run("sync", replicas.ben.path)
        let ben = try await replicas.ben.replica()
        #expect(synced.out.first == "Exchanged with \"ben's laptop\", replica \(ben)")
        #expect(synced.out.contains { $0.hasPrefix("  sent      1 commit, 1 event, ") && $0.hasSuffix(" B") })
        #expect(synced.out.contains { $0.hasPrefix("  received  2 commits, 1 event, ") })
        let conflict = try #require(synced.out.first { $0.hasPrefix("  conflict  ") })
        #expect(conflict.contains("name Po\\u{1b}[2Jrto (ana@") && conflict.contains("superseded by Faro (ben@"))
        #expect(synced.error.isEmpty)
        let again = await replicas.ana.run("sync", replicas.ben.path).out
        #expect(again.contains("  sent      nothing") && again.contains("  received  nothing"))
    }

    @Test("A store that holds nothing joins the other's journal, and says so")
    func joining() async throws {
        let (full, empty) = (try await Tool.withStore(), try await Tool.withStore())
        _ = try await full.value("add", "trip", "--name", "Lisbon")
        let journal = try #require(try await full.run("status", "--json").object()["journal"] as? String)
        let replica = try await empty.replica()
        let report = try await empty.run("sync", full.path, "--json").object()
        #expect(report["joined"] as? String == journal)
        // It keeps its replica id, also when it is opened again.
        let wrote = await empty.run("add", "trip", "--name", "Porto")
        #expect(wrote.code == 0 && wrote.error.isEmpty, "\(wrote.error)")
        #expect(try await empty.replica() == replica)
        #expect(report.objects("conflicts").isEmpty)
        #expect(try await empty.run("status", "--json").object()["journal"] as? String == journal)
        #expect(await empty.run("trips", "--undated").out.contains { $0.contains("Lisbon") })
    }

    @Test("The same the other way round: an empty store that is synced with joins")
    func joiningThere() async throws {
        let (full, empty) = (try await Tool.withStore(), try await Tool.withStore())
        _ = try await full.value("add", "trip", "--name", "Lisbon")
        let report = try await full.run("sync", empty.path, "--json").object()
        #expect(report.commits("sent") == 2 && report.lacks("joined"))
        #expect(try await empty.state().frontier == full.state().frontier)
        #expect(await empty.run("trips", "--undated").out.contains { $0.contains("Lisbon") })
    }

    @Test("Two empty stores have nothing to exchange, and the output says that they share no journal yet")
    func bothEmpty() async throws {
        let (one, other) = (try await Tool.withStore(), try await Tool.withStore())
        let synced = await one.run("sync", other.path)
        #expect(synced.code == 0)
        #expect(synced.out.contains { $0.contains("the other holds nothing") })
    }

    @Test("Five hundred edits arrive whole")
    func many() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        let store = try await TripStoreHandle.open(replicas.ana.path)
        try await store.edit(trip, times: 500)
        let report = try await replicas.ben.run("sync", replicas.ana.path, "--json").object()
        #expect(report.commits("received") == 500)
        #expect(try await replicas.ben.trip(trip)["name"] as? String == "Lisbon 500")
        try await replicas.expectEqual()
    }

    @Test("Progress is shown beside the output, and cleared before it")
    func progress() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.ana.value("add", "trip", "--name", "Lisbon")
        let steps = Mutex<[String]>([])
        let console = Console(
            out: { line in steps.withLock { $0.append("out \(line)") } }, error: { _ in },
            progress: { step in steps.withLock { $0.append(step) } })
        let code = await TripStoreCommand.run(
            ["sync", replicas.ben.path, "--store", replicas.ana.path], console: console)
        #expect(code == 0)
        let told = steps.withLock { $0 }
        #expect(told.first == "greeting")
        #expect(told.contains("sending 1 of 1 commit, 100 %"))
        let head = try #require(told.firstIndex { $0.hasPrefix("out Exchanged") })
        #expect(told[head - 1].isEmpty)
    }

    @Test("Stores of different journals are refused with both names and a way on, and nothing is written")
    func otherJournal() async throws {
        let (one, other) = (try await Tool.withStore(), try await Tool.withStore())
        _ = try await one.value("add", "trip", "--name", "Lisbon")
        _ = try await other.value("add", "trip", "--name", "Porto")
        let journals = try await [one, other].asyncMap { tool in
            try await tool.run("status", "--json").object()["journal"] as? String ?? ""
        }
        let refused = await one.run("sync", other.path)
        #expect(refused.code == 2 && refused.out.isEmpty)
        for journal in journals { #expect(refused.error.contains(journal)) }
        #expect(refused.error.contains("--adopt"))
        for tool in [one, other] {
            #expect(try await tool.position() == 2)
            await tool.expectInvariants()
        }
        // The failure is still reported afterwards.
        let peer = try await one.run("peers", "--json").object()
        #expect(peer["lastExchange"] is NSNull && (peer["lastError"] as? String)?.contains(journals[1]) == true)
        let lines = await one.run("peers").out
        #expect(lines.first?.contains("never exchanged to the end") == true)
        #expect(lines.last?.hasPrefix("  failed at 2") == true)
    }

    @Test("What is no peer is refused in words: no such path, another file, the store itself, by whatever way")
    func badPeers() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let link = tool.folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: tool.path)
        let empty = tool.folder.path("empty")
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
        let cases = [
            (tool.folder.path("nowhere"), "There is no store"), (empty, "There is no store"),
            (tool.path + "/replica.key", "is no bundle"), (tool.path, "the very store"), (link, "the very store"),
        ]
        for (peer, words) in cases {
            let refused = await tool.run("sync", peer)
            #expect(refused.code == 2 && refused.out.isEmpty)
            #expect(refused.error.contains(words), "\(refused.error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: empty).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: tool.folder.path("nowhere")))
        #expect(try await tool.position() == 2)
        await tool.expectInvariants()
    }

    @Test(
        "A folder that this user may not write to is refused in words, and no store changes",
        .enabled(if: geteuid() != 0))
    func readOnlyPeer() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.trip(named: "Lisbon")
        _ = try await replicas.ana.value("add", "trip", "--name", "Porto")
        let log = replicas.ben.path + "/log"
        let paths = [log + "/data.mdb", log + "/lock.mdb"]
        for path in paths { chmod(path, 0o444) }
        defer { for path in paths { chmod(path, 0o600) } }
        let refused = await replicas.ana.run("sync", replicas.ben.path)
        #expect(refused.code == 2 && refused.error.contains(log))
        #expect(try await replicas.ana.position() == 3)
    }

    @Test("The views of the other folder show what came when the command ends")
    func otherCatchesUp() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.ana.value("add", "trip", "--name", "Lisbon")
        #expect(await replicas.ana.run("sync", replicas.ben.path).code == 0)
        var options = TripStore.Options()
        options.access = .readOnly
        options.waitsForViews = false
        let other = try await TripStore.open(at: URL(fileURLWithPath: replicas.ben.path), options: options)
        let status = try other.status()
        #expect(!status.views.isEmpty && status.views.allSatisfy { $0.position == status.position })
        await other.close()
        try await replicas.expectEqual()
    }
}

extension Sequence {
    func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
        var found: [T] = []
        for element in self { found.append(try await body(element)) }
        return found
    }
}
