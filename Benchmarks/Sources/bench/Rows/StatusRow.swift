import Foundation
import TripStore

/// The tool, as a process from start to end.
struct StatusRow: Row {
    let name = "status"
    let work = "`tripstore status`, whole process"
    let peer = "–"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let beside = URL(fileURLWithPath: Child.ownPath).deletingLastPathComponent().appendingPathComponent("tripstore")
        let tool = ProcessInfo.processInfo.environment["TRIPSTORE_TOOL"] ?? beside.path
        guard FileManager.default.isExecutableFile(atPath: tool) else {
            throw BenchError("\(tool) is no program. Run Tools/bench, which builds it.")
        }
        let folder = try scratch.makeFolder("store")
        try await TripStore.filled(folder, events: scratch.settings.events).close()
        let state = try scratch.makeFolder("state")
        let command = [tool, "status", "--store", folder.path]
        let times = try (0..<(scratch.settings.isSingle ? 1 : 20)).map { _ in
            try secondsOf {
                try Child.spawn(command, environment: ["XDG_STATE_HOME": state.path], discardsOutput: true)
            }
        }
        return Outcome(measurements: [Measurement(ours: .seconds(times.median), goal: .atMost(40e-3))])
    }
}
