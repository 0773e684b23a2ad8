import Foundation
import TripStoreTestSupport

/// One or two processes that are started on a store, and killed.
struct KillRound: Sendable {
    struct Result: Sendable {
        var kills = 0
        /// What the processes had said, each one's in order.
        var lines: [JournalLine] = []
        var failures: [String] = []
    }

    let root: String
    let kind: KillTrial.Kind
    let isFirst: Bool
    let exports: [String]
    let seed: UInt64

    /// Lines of a journal after which a process is killed, at most.
    private static let mostLines = 80

    func run() throws -> Result {
        var random = SeededRandom(seed: seed)
        return kind == .importers ? try runImporters(&random) : try runWorkers(&random)
    }

    private var variables: [String: String] { ["XDG_STATE_HOME": root + "/state", "SWIFT_BACKTRACE": "enable=no"] }

    private var command: String {
        switch kind {
        case .writers, .importers: "tasks s 4 100000"
        case .exchanges: "exchanging s t 100000"
        case .rebuilds: "rebuilding s 100000"
        }
    }

    private func runWorkers(_ random: inout SeededRandom) throws -> Result {
        var result = Result()
        let processes = try (0..<Int.random(in: 1...2, using: &random)).map { _ in
            try WorkerProcess(in: root, variables: variables)
        }
        for process in processes {
            process.begin("open s")
            if kind == .exchanges { process.begin("open t") }
            process.begin(command)
        }
        for (index, process) in processes.enumerated() {
            // Some are killed as they open it.
            for _ in 0..<Int.random(in: 0...Self.mostLines, using: &random) where process.readLine() == nil { break }
            usleep(UInt32.random(in: 0..<3000, using: &random))
            process.kill()
            result.kills += 1
            // The other one goes on.
            if index == 0, processes.count == 2, (0..<12).contains(where: { _ in processes[1].readLine() == nil }) {
                result.failures.append("the other process ended by itself: \(processes[1].refusals)")
            }
        }
        for process in processes {
            result.lines += process.lines
            result.failures += process.refusals.map { "a process was refused: \($0)" }
        }
        return result
    }

    /// Imports are begun and killed, one or two at once; the last one is let through.
    private func runImporters(_ random: inout SeededRandom) throws -> Result {
        var result = Result()
        if isFirst {
            let worker = try WorkerProcess(in: root, variables: variables)
            for command in ["open s", "small s 3", "close s"] {
                if case .failed(let error) = worker.tell(command) { result.failures.append(error) }
            }
            worker.end()
            result.lines = worker.lines
        }
        let processes = try (0..<Int.random(in: 1...2, using: &random)).map { index in
            try startImport(exports[index % exports.count])
        }
        for process in processes {
            usleep(UInt32.random(in: 0..<500_000, using: &random))
            if process.isRunning {
                kill(process.processIdentifier, SIGKILL)
                result.kills += 1
            }
            process.waitUntilExit()
            if process.terminationReason == .exit, process.terminationStatus != 0 {
                result.failures.append("an import ended with \(process.terminationStatus)")
            }
        }
        return result
    }

    private func startImport(_ export: String) throws -> Process {
        let process = Process()
        process.executableURL = try Products.file("tripstore")
        process.arguments = ["import", "--store", root + "/s", export]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
