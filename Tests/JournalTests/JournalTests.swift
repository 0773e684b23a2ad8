import Foundation
import StoreSupport
import TestSupport
import Testing

/// The sample app in `Tools/samples/Journal`, in processes of their own: none knows what another has declared.
@Suite("The sample app")
struct JournalTests {
    private let folder = TemporaryFolder()

    /// Runs the app, and returns the lines that it prints.
    private func journal(_ version: Int, _ store: String, _ arguments: String...) throws -> [String] {
        let output = try run("journal", ["\(version)", folder.path(store)] + arguments)
        #expect(output.code == 0, "\(arguments): \(output.complaint)")
        return output.text.split(separator: "\n").map(String.init)
    }

    @discardableResult
    private func tool(_ arguments: String...) throws -> String {
        let output = try run("tripstore", arguments)
        #expect(output.code == 0, "\(arguments): \(output.complaint)")
        return output.text
    }

    private func run(_ program: String, _ arguments: [String]) throws -> Program.Output {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = try KilledProcess.executable(program).path
        return try #require(try Program.run("env", ["XDG_STATE_HOME=\(folder.path("state"))", path] + arguments))
    }

    /// Makes the replica of a store a member.
    private func grant(_ store: String, by owner: String) throws {
        let status = try Data(tool("status", "--json", "--store", folder.path(store)).utf8)
        let members = try #require(try JSONSerialization.jsonObject(with: status) as? [String: Any])
        try tool("grant", try #require(members["replica"] as? String), "--store", folder.path(owner))
    }

    /// Carries everything from one end to the other and back.
    private func sync() throws {
        for peer in ["old", "new", "old"] {
            try tool("sync", folder.path(peer), "--store", folder.path("between"))
        }
    }

    @Test("An older version, a newer one and a store without the app between them keep what each wrote")
    func versions() throws {
        _ = try journal(1, "old", "add", "Lisbon")
        _ = try journal(1, "old", "rate", "Lisbon", "4")
        _ = try journal(1, "old", "label", "Lisbon", "sea", "sun")
        _ = try journal(1, "old", "visit", "Lisbon")
        try tool("clone", folder.path("old"), folder.path("between"))
        try tool("clone", folder.path("between"), folder.path("new"))
        try grant("new", by: "old")

        // Both write at the same time.
        _ = try journal(1, "old", "label", "Lisbon", "food")
        _ = try journal(1, "old", "unlabel", "Lisbon", "sun")
        _ = try journal(1, "old", "visit", "Lisbon")
        _ = try journal(2, "new", "label", "Lisbon", "sun", "food", "music")
        _ = try journal(2, "new", "visit", "Lisbon")
        _ = try journal(2, "new", "stops", "Lisbon", "Belém", "Sintra", "Cascais")
        _ = try journal(2, "new", "move", "Lisbon", "2", "0")
        _ = try journal(2, "new", "pack", "Lisbon", "passport")
        try sync()
        // The older one edits what has fields that it does not know.
        _ = try journal(1, "old", "rate", "Lisbon", "5")
        try sync()
        try tool("sync", folder.path("new"), "--store", folder.path("between"))

        let first = ["rating 5", "labels food music sea", "visits 3"]
        #expect(try journal(1, "old", "show", "Lisbon") == first)
        #expect(
            try journal(2, "new", "show", "Lisbon") == first + ["stops Cascais Belém Sintra", "packed passport"])
        #expect(try journal(2, "old", "show", "Lisbon") == journal(2, "new", "show", "Lisbon"))
        // The tool has the names from the log.
        let shown = try tool("show", "Lisbon", "--store", folder.path("between"))
        #expect(shown.contains("stops  Cascais, Belém, Sintra") && shown.contains("visits  3"), "\(shown)")
        for store in ["old", "between", "new"] { try tool("audit", "verify", "--store", folder.path(store)) }
    }

    @Test("Entities of a kind that only the newer version has pass the others, and are hidden and back with their trip")
    func kinds() throws {
        _ = try journal(2, "new", "add", "Lisbon")
        _ = try journal(2, "new", "write", "Lisbon", "2027-05-01", "Landed", "sea", "sun")
        try tool("clone", folder.path("new"), folder.path("between"))
        try tool("clone", folder.path("between"), folder.path("old"))
        for store in ["between", "old"] { try grant(store, by: "new") }
        try sync()
        _ = try journal(1, "old", "rate", "Lisbon", "4")
        try tool("edit", "Landed", "--set", "text=Landed late", "--store", folder.path("between"))
        try tool(
            "add", "own", "entry", "--set", "text=Slept", "--set", "trip=Lisbon", "--store", folder.path("between"))
        try sync()
        let shown = try tool("show", "Lisbon", "--store", folder.path("old"))
        #expect(shown.contains("entry Landed late") && shown.contains("entry Slept"), "\(shown)")
        let entries = ["2027-05-01 Landed late #sea #sun", "some day Slept"]
        #expect(try journal(2, "new", "entries", "Lisbon") == entries)
        try tool("delete", "Lisbon", "--store", folder.path("old"))
        try sync()
        #expect(try tool("list", "own", "--store", folder.path("new")).contains("No entities"))
        try tool("restore", "Lisbon", "--store", folder.path("old"))
        try sync()
        #expect(try journal(2, "new", "entries", "Lisbon") == entries)
        for store in ["old", "between", "new"] { try tool("audit", "verify", "--store", folder.path(store)) }
    }

    @Test("A field that a version replaced: versions before and after it write and read one trip")
    func replaced() throws {
        _ = try journal(1, "old", "add", "Lisbon")
        _ = try journal(1, "old", "rate", "Lisbon", "4")
        try tool("clone", folder.path("old"), folder.path("between"))
        try tool("clone", folder.path("between"), folder.path("new"))
        for store in ["between", "new"] { try grant(store, by: "old") }
        try sync()
        #expect(try journal(3, "new", "show", "Lisbon").first == "score 80")
        _ = try journal(3, "new", "score", "Lisbon", "35")
        try sync()
        #expect(try journal(1, "old", "show", "Lisbon").first == "rating 1")
        _ = try journal(1, "old", "rate", "Lisbon", "5")
        try sync()
        try tool("sync", folder.path("new"), "--store", folder.path("between"))
        #expect(try journal(3, "new", "show", "Lisbon").first == "score 100")
        for store in ["old", "between", "new"] { try tool("audit", "verify", "--store", folder.path(store)) }
    }

    @Test("A kept store shows each version of the app what the last write to either field means")
    func keptReplaced() throws {
        let log = folder.path("kept/log")
        try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: SourceFile.path("Tests/KeptStores/2026-11-replaced/log/data.mdb"), toPath: log + "/data.mdb")
        for (trip, rating, score) in [("Lisbon", "5", "100"), ("Porto", "4", "90"), ("Faro", "none", "none")] {
            #expect(try journal(1, "kept", "show", trip).first == "rating \(rating)")
            #expect(try journal(3, "kept", "show", trip).first == "score \(score)")
        }
        #expect(try journal(2, "kept", "entries", "Lisbon") == ["2027-05-01 Landed #sea #sun"])
        try tool("audit", "verify", "--store", folder.path("kept"))
    }

    @Test("What breaks a rule is refused in words, and nothing is written")
    func refused() throws {
        _ = try journal(1, "old", "add", "Lisbon")
        let output = try run("journal", ["1", folder.path("old"), "rate", "Lisbon", "6"])
        #expect(output.code == 1 && output.complaint.contains("not allowed by the app's rule"), "\(output.complaint)")
        #expect(try journal(1, "old", "show", "Lisbon").first == "rating none")
        #expect(try run("journal", ["1", folder.path("old"), "stops", "Lisbon", "Belém"]).code == 1)
    }
}
