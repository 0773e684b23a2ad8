import ArgumentParser
import Foundation
import Logging
import ProjectionEngine
import TripProjections
import TripStore

/// Builds views from an existing log, in a process of its own, so that its memory is that of the rebuild.
struct RebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Build views of a prepared log and tell time and memory as JSON.",
        shouldDisplay: false)

    /// The result.
    struct Outcome: Codable {
        let seconds: Double
        /// User time of the processors: the amount of work, without the cost of getting memory.
        let userSeconds: Double
        let anonymousBytes: Int
        let viewBytes: Int
    }

    @Argument(help: "A store's folder.")
    var folder: String
    @Flag(help: "All built-in views instead of the four.")
    var all = false
    @Option var outcome: String

    func run() async throws {
        let folder = URL(fileURLWithPath: folder)
        // Opening would create one.
        guard FileManager.default.fileExists(atPath: folder.appendingPathComponent("log/data.mdb").path) else {
            throw BenchError("There is no store in \(folder.path). Name the folder of one that is there.")
        }
        let views = folder.appendingPathComponent("rebuilt-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: views) }
        // Every group has the entities as a view.
        let projections: [any Projection] =
            all
            ? BuiltInProjections.all : [TripsByStart(), ChildrenByParent(), EntityHistory()]
        let log = try FilledLog.open(folder)
        let group = ProjectionGroup(
            GroupConfiguration(
                name: "bench", folder: views.path, projections: projections, schema: "\(TripStore.schema)",
                mapSize: 64 << 30
            ),
            log: log, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        var taken = 0.0
        let before = Self.userSeconds
        let peak = try await AnonymousMemory.peak {
            taken = try await seconds { _ = try await group.replace { _ in } }
        }
        let userSeconds = Self.userSeconds - before
        let found = Outcome(
            seconds: taken, userSeconds: userSeconds, anonymousBytes: peak,
            viewBytes: ScratchDirectory.bytesOnDisk(in: views))
        try JSONEncoder().encode(found).write(to: URL(fileURLWithPath: outcome))
    }

    /// This process's user time.
    private static var userSeconds: Double {
        var usage = rusage()
        // RUSAGE_SELF, which is a number on one system and something else on another.
        getrusage(0, &usage)
        return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
    }

    /// Runs it in a process of its own.
    static func run(_ folder: URL, all: Bool) throws -> Outcome {
        let file = folder.appendingPathComponent("outcome.json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Child.run(["rebuild", folder.path, "--outcome", file.path] + (all ? ["--all"] : []))
        return try JSONDecoder().decode(Outcome.self, from: Data(contentsOf: file))
    }
}
