import Foundation
import TripStoreTestSupport

/// One or two processes that are started on a store, and killed.
struct KillRound: Sendable {
    struct Result: Sendable {
        var kills = 0
        /// The processes' output, each one's in order.
        var lines: [JournalLine] = []
        var failures: [String] = []
        /// Whether nothing is left to be killed in: an import ran to its end.
        var isComplete = false
    }

    let root: String
    let kind: KillTrial.Kind
    let seed: UInt64

    /// The most journal lines after which a process is killed.
    private static let mostLines = 80

    /// Writes that a process must have acknowledged after the other one was killed.
    private static let laterWrites = 6

    private var command: String {
        switch kind {
        case .writers: "tasks s 4 100000"
        case .exchanges: "exchanging s t 100000"
        case .rebuilds: "rebuilding s 100000"
        // They run another program: `ImportTrial`.
        case .importers: ""
        }
    }

    func run() throws -> Result {
        var random = SeededRandom(seed: seed)
        var result = Result()
        let processes = try (0..<Int.random(in: 1...2, using: &random)).map { _ in
            try WorkerProcess(in: root, variables: Self.variables(root))
        }
        for process in processes {
            process.begin("open s")
            if kind == .exchanges { process.begin("open t") }
            process.begin(command)
        }
        for (index, process) in processes.enumerated() {
            // Some are killed while they open it.
            for _ in 0..<Int.random(in: 0...Self.mostLines, using: &random) {
                // A process that was refused something prints no more.
                guard process.refusals.isEmpty, process.readLine() != nil else { break }
            }
            usleep(UInt32.random(in: 0..<3000, using: &random))
            process.kill()
            result.kills += 1
            if index == 0, processes.count == 2, let hindrance = processes[1].hindrance(to: Self.laterWrites) {
                result.failures.append("the other process does not go on: \(hindrance)")
            }
        }
        for process in processes {
            result.lines += process.lines
            result.failures += process.refusals.map { "a process was refused: \($0)" }
        }
        return result
    }

    /// The environment of the processes that use a folder.
    static func variables(_ root: String) -> [String: String] {
        ["XDG_STATE_HOME": root + "/state", "SWIFT_BACKTRACE": "enable=no"]
    }
}
