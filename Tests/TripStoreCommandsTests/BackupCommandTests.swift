import Foundation
import StoreSupport
import Testing
import TripStoreCommands

@Suite("backup")
struct BackupCommandTests {
    @Test("A backup opens, holds what the store did, and says aloud that it holds the key")
    func backup() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let target = tool.folder.path("backup")
        let outcome = await tool.run("backup", target)
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(outcome.out.first == "Backed up 2 commits with 1 event to \(target), verified")
        #expect(outcome.out.contains { $0.contains("holds the replica's private key") })
        #expect(outcome.out.contains { $0.contains("copy the folder back") })
        let narrow = await tool.run("backup", tool.folder.path("narrow")) { $0.layout = TextLayout(columns: 80) }
        #expect(narrow.out.allSatisfy { $0.count <= 80 } && narrow.out.count > 3, "\(narrow.out)")
        let state = try await tool.state()
        _ = try await tool.value("edit", trip, "--name", "Porto")

        let json = try await tool.run("backup", tool.folder.path("second"), "--json").object()
        #expect(json["backup"] as? String == tool.folder.path("second"))
        #expect(json["commits"] as? Int == 3 && json["holdsKey"] as? Bool == true)
        #expect(json["position"] as? Int == 3)

        // Copied to the store's old path.
        try FileManager.default.removeItem(atPath: tool.path)
        try FileManager.default.copyItem(atPath: target, toPath: tool.path)
        let edited = await tool.run("edit", trip, "--notes", "By train")
        #expect(edited.code == 0 && edited.error.contains("from now on and no longer as"))
        let names = await tool.run("trips", "--undated", "--json").out
        #expect(names.count == 1 && names[0].contains("Lisbon"))
        #expect(try await tool.state() != state)
        await tool.expectInvariants()
    }

    @Test("A store without views, or with views of nonsense, is backed up all the same")
    func withoutViews() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        try FileManager.default.removeItem(atPath: tool.path + "/views")
        #expect(await tool.run("backup", tool.folder.path("backup")).code == 0)
        #expect(!FileManager.default.fileExists(atPath: tool.path + "/views"))
        await tool.expectInvariants()
    }

    @Test("To make a store where there is one is refused, and writes nothing to it")
    func initBesideStore() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        try FileManager.default.removeItem(atPath: tool.path + "/views")
        let refused = await tool.run("init")
        #expect(refused.code == 2 && refused.error.contains("There is a store at \(tool.path) already: replica "))
        #expect(!FileManager.default.fileExists(atPath: tool.path + "/views"))
        await tool.expectInvariants()
    }

    @Test("A target that is in use or in the store, and a store that is not there, are refused in words")
    func refused() async throws {
        let tool = try await Tool.withStore()
        let cases = [
            (tool.path, tool.path + "/backup", "lies in the store"), (tool.path, tool.path, "lies in the store"),
            (tool.path, tool.folder.url.path, "no empty folder"),
            (tool.folder.path("nowhere"), tool.folder.path("backup"), "There is no "),
        ]
        for (store, target, words) in cases {
            let refused = await Tool.run(["backup", target, "--store", store])
            #expect(refused.code == 2 && refused.out.isEmpty)
            #expect(refused.error.contains(words), "\(refused.error)")
        }
        #expect(await Tool.run(["backup", "--store", tool.path]).code == 64)
        #expect(!FileManager.default.fileExists(atPath: tool.folder.path("backup")))
        await tool.expectInvariants()
    }
}
