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
    let circumstances: Circumstances

    /// The most journal lines after which a process is killed.
    private static let mostLines = 80

    /// Writes that a process must have acknowledged after the other one was killed.
    private static let laterWrites = 6

    private var commands: [String] {
        let store = circumstances.store
        let clock = circumstances.lead > 0 ? ["clock \(circumstances.lead)"] : []
        switch kind {
        case .writers: return clock + ["found \(store)", "tasks \(store) 4 100000"]
        case .exchanges: return clock + ["open \(store)", "open t", "exchanging \(store) t 100000"]
        case .rebuilds: return clock + ["found \(store)", "rebuilding \(store) 100000"]
        // They run another program: `ImportTrial`.
        case .importers: return []
        }
    }

    func run() throws -> Result {
        var random = SeededRandom(seed: seed)
        var result = Result()
        let processes = try (0..<Int.random(in: 1...2, using: &random)).map { _ in
            try WorkerProcess(in: root, variables: Self.variables(root, home: circumstances.home))
        }
        for process in processes { for command in commands { process.begin(command) } }
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

    /// The environment of the processes that use a folder, at a home.
    static func variables(_ root: String, home: String = Circumstances.checkedHome) -> [String: String] {
        ["XDG_STATE_HOME": "\(root)/\(home)", "SWIFT_BACKTRACE": "enable=no"]
    }
}
