import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("dump and load")
struct DumpCommandTests {
    @Test("A store that takes a dump in holds the same commits, has the same views, and dumps the same again")
    func roundTrip() async throws {
        let fixture = try await DumpFixture()
        let lines = try await fixture.lines()
        let copy = try await Tool.withStore()
        let dry = try await copy.run("load", fixture.dump, "--dry-run", "--json").object()
        let count = try await fixture.replicas.ana.position()
        #expect(dry["written"] as? Int == count && dry["joined"] as? Bool == true && dry["dryRun"] as? Bool == true)
        #expect(try await copy.position() == 0)
        let loaded = try await copy.run("load", fixture.dump, "--json").object()
        #expect(loaded["written"] as? Int == count && loaded["writtenEvents"] as? Int == loaded["events"] as? Int)
        let (here, there) = (try await fixture.replicas.ana.state(), try await copy.state())
        #expect(here.frontier == there.frontier && here.digests == there.digests && !here.digests.isEmpty)
        let again = try await copy.run("load", fixture.dump, "--json").object()
        #expect(again["written"] as? Int == 0 && again["held"] as? Int == count)

        let second = copy.folder.path("second.jsonl")
        #expect(await copy.run("dump", second).code == 0)
        // Who wrote it, and where a commit is, are of each store.
        let strip = { (line: String) in line.replacing(/"position":\d+,/, with: "") }
        let copied = try String(contentsOfFile: second, encoding: .utf8).split(separator: "\n").map {
            strip(String($0))
        }
        #expect(copied.dropFirst().sorted() == lines.dropFirst().map(strip).sorted())
        await copy.expectInvariants()
        try await fixture.replicas.meet()
        try await fixture.replicas.expectEqual()
    }

    @Test("It has an introduction in commit 1 of each line alone, and so has the audit")
    func introductions() async throws {
        let fixture = try await DumpFixture()
        let lines = try await fixture.lines().map(Tool.Outcome.object).filter { $0["type"] as? String == "commit" }
        let introduced = lines.filter { !$0.lacks("introduction") }
        #expect(introduced.count == 2 && introduced.allSatisfy { $0["sequence"] as? Int == 1 })
        let audited = try await fixture.replicas.ana.run("audit", "log", "--json", "--limit", "1000").objects()
        let joined = audited.filter { !$0.lacks("device") }
        #expect(joined.count == 2 && joined.allSatisfy { $0["sequence"] as? Int == 1 })
        await fixture.replicas.ana.expectInvariants()
    }

    @Test("Written anew, a dump gives a store of another journal the same entities, once")
    func anew() async throws {
        let fixture = try await DumpFixture()
        _ = try await fixture.lines()
        let other = try await Tool.withStore()
        _ = try await other.value("add", "trip", "--name", "Here before")
        let refused = await other.run("load", fixture.dump)
        #expect(refused.code == 2 && refused.error.contains("--anew"))
        let dry = try await other.run("load", fixture.dump, "--anew", "--dry-run", "--json").object()
        let loaded = try await other.run("load", fixture.dump, "--anew", "--json").object()
        #expect(dry["written"] as? Int == loaded["written"] as? Int)
        let position = try await other.position()
        for again in 0..<2 {
            let arguments = again == 0 ? ["load", fixture.dump] : ["load", fixture.dump, "--dry-run"]
            let nothing = try await other.run(arguments + ["--anew", "--json"]).object()
            #expect(nothing["written"] as? Int == 0 && nothing["held"] as? Int == loaded["written"] as? Int)
        }
        #expect(try await other.position() == position)
        // In the store where they were written they are here already.
        let own = try await fixture.replicas.ana.run("load", fixture.dump, "--anew", "--json").object()
        #expect(own["written"] as? Int == 0)

        for list in [["trips"], ["list", "items"], ["list", "own"]] {
            let here = try await fixture.replicas.ana.run(list + ["--all", "--json"]).objects()
            let there = try await other.run(list + ["--all", "--json"]).objects()
            let mine = there.filter { $0["name"] as? String != "Here before" }
            #expect(!here.isEmpty)
            #expect(
                mine.map { NSDictionary(dictionary: $0) }.elementsEqual(here.map { NSDictionary(dictionary: $0) }),
                "\(list): \(mine) and \(here)")
        }
        await other.expectInvariants()
        await fixture.replicas.ana.expectInvariants()
    }

    /// What is in conflict, without the names of commits.
    private static func conflicts(_ tool: Tool, at path: String? = nil) async throws -> [String] {
        let listed = await tool.run(["audit", "conflicts", "--all", "--json", "--store", path ?? tool.path])
        return try listed.objects().map { conflict in
            let values = ["superseded", "winner"].map { (conflict[$0] as? [String: Any])?["value"] ?? "" }
            return "\(conflict["entity"] ?? "") \(conflict["field"] ?? "") \(values) \(conflict["open"] ?? "")"
        }
    }

    @Test("Written anew, a dump shows in history, blame, log and conflicts when it was written, not when it was loaded")
    func times() async throws {
        let fixture = try await DumpFixture()
        let (ana, other) = (fixture.replicas.ana, try await Tool.withStore())
        _ = try await fixture.lines()
        #expect(await other.run("load", fixture.dump, "--anew").code == 0)
        let trip = try #require(try await other.run("trips", "--json").objects().first?["id"] as? String)
        for arguments in [
            ["audit", "log", "--entity", trip, "--reverse", "--json"], ["audit", "blame", trip, "--json"],
            ["audit", "conflicts", "--json"],
        ] {
            let here = await ana.run(arguments).out.map(Self.written).sorted()
            let there = await other.run(arguments).out.map(Self.written).sorted()
            #expect(here == there && here.contains { !$0.isEmpty }, "\(arguments): \(here) and \(there)")
        }
        let column = { (line: String) in line.split(separator: " ").dropFirst().prefix(2).joined(separator: " ") }
        let log = await (
            ana.run("audit", "log", "--entity", trip, "--reverse").out,
            other.run("audit", "log", "--entity", trip, "--reverse").out
        )
        #expect(log.0.map(column).sorted() == log.1.map(column).sorted())
        let shown = await other.run("audit", "show", "\(try await other.position())").out
        #expect(shown.contains { $0.hasPrefix("written ") })
        await other.expectInvariants()
        await ana.expectInvariants()
    }

    private static func written(_ line: String) -> String {
        line.matches(of: /"written":"([^"]*)"/).map { String($0.output.1) }.joined(separator: " ")
    }

    @Test("Written anew, edits that followed one another are in no conflict, and the conflicts of the dump stay")
    func seen() async throws {
        let fixture = try await DumpFixture()
        let (ana, other) = (fixture.replicas.ana, try await Tool.withStore())
        let trip = try await ana.value("add", "trip", "--name", "Evora")
        for name in ["Braga", "Beja"] { _ = try await ana.value("edit", trip, "--name", name) }
        _ = try await ana.value("delete", trip)
        _ = try await ana.value("restore", trip)
        _ = try await fixture.lines()
        #expect(await other.run("load", fixture.dump, "--anew").code == 0)
        let expected = try await Self.conflicts(ana)
        #expect(expected.count == 1 && expected[0].contains("Porto") && expected[0].contains("Faro"))
        #expect(try await Self.conflicts(other) == expected)

        // A copy writes as another replica what follows on what the first one wrote.
        let copy = other.folder.path("copy")
        try FileManager.default.copyItem(atPath: other.path, toPath: copy)
        _ = try await ana.value("edit", trip, "--name", "Viseu")
        _ = try await fixture.lines()
        let loaded = try await other.run("load", fixture.dump, "--anew", "--json", "--store", copy).object()
        #expect(loaded["written"] as? Int == 1)
        #expect(try await Self.conflicts(other, at: copy) == expected)
        await other.expectInvariants()
        await ana.expectInvariants()
    }

    /// The counts of a dry run and of the load after it, which must be equal.
    private static func counts(_ tool: Tool, _ arguments: String...) async throws -> [String: Any] {
        var dry = try await tool.run(["load"] + arguments + ["--dry-run", "--json"]).object()
        let loaded = try await tool.run(["load"] + arguments + ["--json"]).object()
        #expect(dry["dryRun"] as? Bool == true)
        dry["dryRun"] = false
        #expect(NSDictionary(dictionary: dry) == NSDictionary(dictionary: loaded), "\(dry) and \(loaded)")
        return loaded
    }

    @Test(
        "A dry run counts what a load then does: of a part that is here, of a revoked replica, of a commit that is there twice"
    )
    func dryRun() async throws {
        let fixture = try await DumpFixture()
        let (ana, ben) = (fixture.replicas.ana, fixture.replicas.ben)
        _ = try await fixture.lines()
        let copy = try await Tool.withStore()
        let first = try await Self.counts(copy, fixture.dump)
        for name in ["Braga", "Evora"] { _ = try await ana.value("add", "trip", "--name", name) }
        let lines = try await fixture.lines()
        let second = try await Self.counts(copy, fixture.dump)
        #expect(second["written"] as? Int == 2 && second["writtenEvents"] as? Int == 2)
        #expect(second["held"] as? Int == first["written"] as? Int)

        // It does not know yet that it may not write any more.
        let before = try await ana.position()
        _ = try await ben.value("add", "trip", "--name", "Faro")
        let replica = try await ben.replica()
        #expect(await ana.run("revoke", replica, "--keeping", "\(before)").code == 0)
        let bens = ben.folder.path("ben.jsonl")
        #expect(await ben.run("dump", bens).code == 0)
        let third = try await Self.counts(ana, bens)
        #expect(third["written"] as? Int == 0 && third["notTaken"] as? Int == 1, "\(third)")

        let twice = try fixture.file(lines.flatMap { $0.contains("\"events\":[{") ? [$0, $0] : [$0] }, "twice.jsonl")
        let other = try await Tool.withStore()
        let anew = try await Self.counts(other, twice, "--anew")
        #expect(anew["written"] as? Int == anew["held"] as? Int && anew["written"] as? Int ?? 0 > 5)
        for store in [ana, ben, copy, other] { await store.expectInvariants() }
    }

    @Test("Two loads at one time write each commit once")
    func atOnce() async throws {
        let fixture = try await DumpFixture()
        _ = try await fixture.lines()
        let other = try await Tool.withStore()
        async let one = other.run("load", fixture.dump, "--anew", "--json")
        async let two = other.run("load", fixture.dump, "--anew", "--json")
        let loads = try await [one.object(), two.object()]
        let written = loads.map { $0["written"] as? Int ?? 0 }
        let held = loads.map { $0["held"] as? Int ?? 0 }
        #expect(written[0] + held[0] == written[1] + held[1] && written[0] + written[1] == written[0] + held[0])
        let again = try await other.run("load", fixture.dump, "--anew", "--json").object()
        #expect(again["written"] as? Int == 0)
        await other.expectInvariants()
        await fixture.replicas.ana.expectInvariants()
    }

    @Test("Events that another program chose are written anew without the commits' bytes")
    func filtered() async throws {
        let fixture = try await DumpFixture()
        let lines = try await fixture.lines()
        let chosen = lines.filter { !$0.contains("\"type\":\"segment\"") && !$0.contains("Faro") }.map {
            $0.replacing(/,"bytes":"[A-Za-z0-9+\/=]*"}$/, with: "}")
        }
        let file = try fixture.file(chosen)
        let other = try await Tool.withStore()
        #expect(await other.run("load", file, "--anew").code == 0)
        let trips = try await other.run("trips", "--json").objects()
        #expect(trips.map { $0["name"] as? String } == ["Porto"])
        #expect(await other.run("load", file).code == 2)
        await other.expectInvariants()
        await fixture.replicas.ana.expectInvariants()
    }

    @Test("Without a file it goes to standard output, and from there into another store")
    func standardOutput() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let printed = await tool.run("dump")
        #expect(printed.code == 0 && printed.out.first?.contains("\"type\":\"dump\"") == true)
        #expect(printed.out.last == "{\"type\":\"end\",\"segments\":1,\"commits\":2}")
        #expect(await tool.run("dump", "--json").code == 64)
        let file = tool.folder.path("log.jsonl")
        #expect(await tool.run("dump", file).code == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == printed.out.count)
        let again = await tool.run("dump", file)
        #expect(again.code == 2 && again.error.contains("--force"))
        await tool.expectInvariants()
    }

    private static let hasPython = Program.succeeds("python3", "-c", "import json, hashlib, base64")

    @Test(
        "A reader in Python that knows the document alone finds the commits of the log, and verifies their chains",
        .enabled(if: Self.hasPython))
    func python() async throws {
        let fixture = try await DumpFixture()
        _ = try await fixture.lines()
        let output = try #require(
            try Program.run(
                "python3", ["-B", SourceFile.path("Tests/TripStoreCommandsTests/Dumping/read_dump.py"), fixture.dump]))
        #expect(output.code == 0, "\(output.complaint)")
        let audited = try await fixture.replicas.ana.run("audit", "log", "--all", "--reverse", "--json").objects()
        let expected = audited.map { commit in
            "\(commit["position"] ?? 0) \(commit["hash"] ?? "") \(commit["author"] ?? "") "
                + "\((commit["events"] as? [Any])?.count ?? 0) \((commit["statements"] as? [Any])?.count ?? 0)"
        }
        let lines = output.text.split(separator: "\n").map(String.init)
        #expect(lines == expected)
        await fixture.replicas.ana.expectInvariants()
    }
}
