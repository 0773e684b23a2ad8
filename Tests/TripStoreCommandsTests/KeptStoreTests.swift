import Foundation
import StoreSupport
import TestSupport
import Testing

/// Stores that earlier versions made, in `Tests/KeptStores`: every later version opens them, and shows what is in them.
@Suite("Stores of earlier versions")
struct KeptStoreTests {
    static let versions = ["2026-11", "2026-11-replaced"]

    private static func path(_ version: String, _ name: String) -> String {
        SourceFile.path("Tests/KeptStores/\(version)/\(name)")
    }

    private static func lines(_ version: String, _ name: String) throws -> [[String: Any]] {
        try String(contentsOfFile: path(version, name), encoding: .utf8).split(separator: "\n")
            .map { try Tool.Outcome.object(String($0)) }
    }

    /// Later versions may add members.
    private func expect(_ found: [[String: Any]], toHave expected: [[String: Any]], _ comment: Comment) {
        #expect(found.count == expected.count, comment)
        for (found, expected) in zip(found, expected) {
            for (name, value) in expected {
                #expect(Self.has(value, found[name]), "\(comment): \(name) is \(String(describing: found[name]))")
            }
        }
    }

    private static func has(_ expected: Any, _ found: Any?) -> Bool {
        switch (expected, found) {
        case (let expected as [String: Any], let found as [String: Any]):
            expected.allSatisfy { has($0.value, found[$0.key]) }
        case (let expected as [Any], let found as [Any]):
            expected.count == found.count && zip(expected, found).allSatisfy { has($0, $1) }
        default: (found as? NSObject) == (expected as? NSObject)
        }
    }

    private func expectContents(_ tool: Tool, _ version: String) async throws {
        for (file, arguments) in [
            ("trips.json", ["trips", "--json"]), ("items.json", ["list", "items", "--trip", "Lisbon", "--json"]),
            ("conflicts.json", ["audit", "conflicts", "--json"]), ("audit.json", ["audit", "log", "--json"]),
        ] {
            let found = try await tool.run(arguments).objects()
            expect(found, toHave: try Self.lines(version, file), "\(file)")
        }
    }

    @Test("The folder is shown as it was, and written to by another replica", arguments: versions)
    func folder(version: String) async throws {
        let tool = Tool()
        let log = tool.folder.path("store/log")
        try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Self.path(version, "log/data.mdb"), toPath: log + "/data.mdb")
        try await expectContents(tool, version)
        #expect(await tool.run("edit", "Someday", "--notes", "later").code == 0)
        #expect(await tool.run("edit", "Lisbon", "--set", "rating=5", "--insert", "labels=late").code == 0)
        await tool.expectInvariants()
    }

    @Test("The bundle has the same, and the edits of a later version are merged with it", arguments: versions)
    func bundle(version: String) async throws {
        let tool = Tool()
        #expect(await Tool.run(["clone", Self.path(version, "store.bundle"), tool.path]).code == 0)
        let found = try await tool.run("trips", "--json").objects()
        expect(found, toHave: try Self.lines(version, "trips.json"), "trips")
        #expect(await tool.run("edit", "Lisbon", "--notes", "later").code == 0)
        #expect(await tool.run("bundle", "read", Self.path(version, "store.bundle")).code == 0)
        await tool.expectInvariants()
    }
}
