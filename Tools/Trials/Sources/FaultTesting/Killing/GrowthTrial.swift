import Foundation

/// Whether the log's file grows without bound beside a living process after another one was killed.
public enum GrowthTrial {
    public struct Outcome: Sendable {
        /// Bytes by which the file grew over the commits, with the other process killed and with it closed.
        public let afterKill: Int
        public let afterClose: Int
        public let commits: Int

        /// Whether a kill makes it grow more than it would without, but for a write-ahead file's size.
        public var isBounded: Bool { afterKill <= afterClose + 2 << 20 }
    }

    /// Runs it in a folder. Throws `FaultTestingError` if a process does not follow its commands.
    public static func run(in folder: String, commits: Int = 1000) async throws -> Outcome {
        try await Task.onThread {
            Outcome(
                afterKill: try growth(in: folder + "/kill", commits) { $0.kill() },
                afterClose: try growth(in: folder + "/close", commits) {
                    _ = $0.tell("close s")
                    $0.end()
                }, commits: commits)
        }
    }

    private static func growth(
        in root: String, _ commits: Int, _ stop: (WorkerProcess) -> Void
    ) throws -> Int {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let variables = ["XDG_STATE_HOME": root + "/state"]
        let (living, other) = (
            try WorkerProcess(in: root, variables: variables), try WorkerProcess(in: root, variables: variables)
        )
        func tell(_ process: WorkerProcess, _ command: String) throws -> String {
            guard case .done(let answer) = process.tell(command) else {
                throw FaultTestingError("'\(command)' was not done in \(root).")
            }
            return answer
        }
        for process in [living, other] { _ = try tell(process, "open s") }
        _ = try tell(other, "small s 20")
        stop(other)
        _ = try tell(living, "small s 20")
        let before = Int(try tell(living, "size s")) ?? 0
        _ = try tell(living, "small s \(commits)")
        let after = Int(try tell(living, "size s")) ?? 0
        living.end()
        return after - before
    }
}
