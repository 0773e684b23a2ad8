import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("clone")
struct CloneCommandTests {
    @Test("A clone holds what the other does, under the same journal, as a replica of its own with its name")
    func cloning() async throws {
        let original = try await Tool.withStore()
        let trip = try await original.value("add", "trip", "--name", "Lisbon")
        let copy = Tool()
        let report = try await Tool.run(["clone", original.path, copy.path, "--name", "tablet", "--json"]).object()
        #expect(report["store"] as? String == copy.path)
        // Including the grant that makes it a member.
        #expect(report.commits("received") == 3 && report.commits("sent") == 0)
        let (here, there) = (
            try await original.run("status", "--json").object(), try await copy.run("status", "--json").object()
        )
        #expect(report["replica"] as? String == there["replica"] as? String)
        #expect(here["replica"] as? String != there["replica"] as? String)
        #expect(here["journal"] as? String == there["journal"] as? String)
        #expect(there.lacks("identityChange"))
        #expect(try await original.state() == copy.state())

        _ = try await copy.value("edit", trip, "--name", "Porto")
        let log = try await copy.run("audit", "log", "--json").objects()
        #expect(log.contains { $0["device"] as? String == "tablet" })
        await copy.expectInvariants()
        await original.expectInvariants()
    }

    @Test("Status reports an unfinished clone, and sync with its source completes it")
    func unfinished() async throws {
        let original = try await Tool.withStore()
        _ = try await original.value("add", "trip", "--name", "Lisbon")
        let journal = try #require(try await original.run("status", "--json").object()["journal"] as? String)
        let copy = Tool()
        #expect(await copy.run("init", "--journal", journal).code == 0)
        let note = copy.path + "/clone.unfinished"
        try Data("tripstore clone v1\n\(journal)\n\(original.path)\n".utf8).write(to: URL(fileURLWithPath: note))
        let text = await copy.run("status").out.joined(separator: "\n")
        #expect(text.contains("\nclone     was cut off") && text.contains("from \(original.path)"), "\(text)")
        #expect(try await copy.run("status", "--json").object()["unfinishedClone"] as? String == original.path)
        #expect(await copy.run("sync", original.path).code == 0)
        #expect(try await copy.run("status", "--json").object().lacks("unfinishedClone"))
        #expect(!FileManager.default.fileExists(atPath: note))
        #expect(try await original.state().frontier == copy.state().frontier)
        await copy.expectInvariants()
    }

    @Test("A store that holds nothing yet is cloned with its journal, so that the two may write apart and meet")
    func empty() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.ana.value("add", "trip", "--name", "Lisbon")
        _ = try await replicas.ben.value("add", "trip", "--name", "Porto")
        try await replicas.meet()
        #expect(await replicas.ben.run("trips", "--undated", "--json").out.count == 2)
        try await replicas.expectEqual()
    }

    @Test("A complete bundle is cloned, one that goes on from somewhere is not, and leaves nothing behind")
    func bundles() async throws {
        let original = try await Tool.withStore()
        _ = try await original.value("add", "trip", "--name", "Lisbon")
        let (whole, part) = (original.folder.path("whole"), original.folder.path("part"))
        #expect(await original.run("bundle", "write", whole).code == 0)
        _ = try await original.value("add", "trip", "--name", "Porto")
        #expect(await original.run("bundle", "write", part, "--holds", whole).code == 0)
        let copy = Tool()
        let refused = await Tool.run(["clone", part, copy.path])
        #expect(refused.code == 2 && refused.error.contains("is not here"))
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        let cloned = await Tool.run(["clone", whole, copy.path])
        let replica = try await copy.replica()
        #expect(
            cloned.out.first?.hasPrefix("Made a store at \(copy.path), replica \(replica), from \"test\", ") == true)
        #expect(await copy.run("bundle", "read", part).code == 0)
        #expect(try await original.state() == copy.state())
        await copy.expectInvariants()
    }

    @Test("A folder that is in use, a peer that is none: refused in words, and nothing is changed or left behind")
    func refused() async throws {
        let original = try await Tool.withStore()
        _ = try await original.value("add", "trip", "--name", "Lisbon")
        let other = try await Tool.withStore()
        let full = original.folder.path("full")
        try FileManager.default.createDirectory(atPath: full, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: full + "/file"))
        let cut = original.folder.path("cut")
        #expect(await original.run("bundle", "write", cut).code == 0)
        try FileHandle(forWritingTo: URL(fileURLWithPath: cut)).truncate(atOffset: 200)
        let new = original.folder.path("new")
        let cases = [
            (original.path, other.path, "There is a store"), (original.path, full, "is not empty"),
            (original.path, full + "/file", "is a file"), (original.folder.path("nowhere"), new, "There is no "),
            (cut, new, "cut off"), (full + "/file", new, "no bundle"),
            (original.path, original.path, "There is a store"),
        ]
        for (peer, folder, words) in cases {
            let refused = await Tool.run(["clone", peer, folder])
            #expect(refused.code == 2 && refused.out.isEmpty)
            #expect(refused.error.contains(words), "\(refused.error)")
        }
        #expect(!FileManager.default.fileExists(atPath: new))
        #expect(try FileManager.default.contentsOfDirectory(atPath: full) == ["file"])
        #expect(try await other.position() == 0)
        #expect(try await original.position() == 2)
    }

    @Test(
        "A clone that was killed is continued by the same command, and another journal is refused by name",
        arguments: ["", "/log", "/log/data.mdb", "/replica.key", "/views"])
    func killed(file: String) async throws {
        let original = try await Tool.withStore()
        let writer = try await TripStoreHandle.open(original.path)
        for number in 0..<60 { try await writer.store.create(Trip(name: "\(number)", notes: Self.longText)) }
        await writer.store.close()
        let copy = Tool()
        let isKilled = try KilledProcess.run(
            ["clone", original.path, copy.path], untilThereIs: copy.path + file, program: "tripstore")
        guard isKilled, FileManager.default.fileExists(atPath: copy.path + "/clone.unfinished") else { return }

        let other = try await Tool.withStore()
        _ = try await other.value("add", "trip", "--name", "Faro")
        let journals = [
            try await original.run("status", "--json").object()["journal"],
            try await other.run("status", "--json").object()["journal"],
        ]
        let refused = await Tool.run(["clone", other.path, copy.path])
        #expect(refused.code == 2 && refused.out.isEmpty)
        for journal in journals { #expect(refused.error.contains(try #require(journal as? String))) }

        let again = await Tool.run(["clone", original.path, copy.path])
        #expect(again.code == 0, "\(again.error)")
        #expect(try await original.state() == copy.state())
        #expect(!FileManager.default.fileExists(atPath: copy.path + "/clone.unfinished"))
        #expect(await Tool.run(["clone", original.path, copy.path]).error.contains("There is a store"))
        await copy.expectInvariants()
    }

    private static let longText = String(repeating: "x", count: 60_000)

    @Test("Without a peer or a folder it is no command line", arguments: [[], ["x"], ["x", "y", "z"]])
    func usage(arguments: [String]) async {
        let outcome = await Tool.run(["clone"] + arguments)
        #expect(outcome.code == 64 && !outcome.error.isEmpty)
    }
}
