import Foundation
import TestSupport
import Testing

/// Counts the instructions of `HotPaths` on a store that it makes.
final class Valgrind {
    static var isThere: Bool { Program.succeeds("valgrind", "--version") && Program.succeeds("strip", "--version") }

    let isOptimised: Bool
    private let folder: URL
    private let executable: String
    private let events: Int

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hot-paths-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let given = ProcessInfo.processInfo.environment["TRIPSTORE_HOT_PATHS"]
        isOptimised = given != nil
        let original = try given ?? Self.beside("HotPaths").path
        // Valgrind cannot read the debug information of Swift's linker.
        executable = folder.appendingPathComponent("HotPaths").path
        #expect(try Program.run("strip", ["-g", "-o", executable, original])?.code == 0)
        let prepared = try #require(try Program.run(executable, ["prepare", folder.path + "/store"]))
        events = try #require(
            Int(prepared.text.trimmingCharacters(in: .whitespacesAndNewlines)), "\(prepared.complaint)")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The instructions of one run of a path, or of one event of it: the fewest of several counts if the first are
    /// above the limit.
    ///
    /// The runtime finds the types of generics in a table by their addresses, which differ in each process. Where many
    /// collide, a path that took 22,300 instructions takes 23,200: that is no property of the path.
    func instructions(of path: HotPathTests.Path, limit: Int) throws -> Int {
        // One-time work, above all opening and the first use of each type, is in both.
        let few = max(1, path.count / 10)
        var first = Int.max
        var second = Int.max
        for _ in 0..<6 {
            first = min(first, try count(path, few))
            second = min(second, try count(path, few + path.count))
            if perUnit(second - first, of: path) <= limit { break }
        }
        return perUnit(second - first, of: path)
    }

    private func perUnit(_ instructions: Int, of path: HotPathTests.Path) -> Int {
        let unitsOfRun =
            switch path.unit {
            case .run: 1
            case .storedEvent: events
            case .event(let inRun): inRun
            }
        return instructions / (path.count * unitsOfRun)
    }

    private func count(_ path: HotPathTests.Path, _ runs: Int) throws -> Int {
        let output = try #require(
            try Program.run(
                "valgrind",
                [
                    "--tool=callgrind", "--callgrind-out-file=/dev/null", executable, path.name,
                    folder.path + "/store", "\(runs)",
                ]))
        #expect(output.code == 0, "\(output.complaint)")
        // As in "==7== Collected : 12345".
        let line = output.complaint.split(separator: "\n").first { $0.contains("Collected :") }
        return try #require(line?.split(separator: " ").last.flatMap { Int($0) }, "\(output.complaint)")
    }

    /// An executable of the package; it lies beside the tests.
    private static func beside(_ name: String) throws -> URL {
        let places =
            [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()].compactMap { $0 }
            + ProcessInfo.processInfo.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
        let found = places.map { $0.appendingPathComponent(name) }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        return try #require(found)
    }
}
