public import Foundation
import Spawning

/// Runs trials in processes of their own, which are restarted when a trial ends one.
public struct Trials: Sendable {
    /// Which files are damaged, by their names in `Trial.Area`.
    public var areas: [String]
    public var first: UInt64
    public var count: UInt64
    public var sampleSeed: UInt64
    /// The parent of the stores.
    public var scratch: String
    /// The program of the second process: it must run `Trials.work` with the arguments that follow.
    public var executable: URL
    public var arguments: [String]

    /// Seconds after which a step counts as hanging.
    private static let patience = 120.0

    /// The results of trials.
    public struct Summary: Sendable {
        /// Area and result → how often.
        public var counts: [String: Int] = [:]
        /// Violations: crashes, hangs, wrong outputs.
        public var failures: [String] = []

        public var total: Int { counts.values.reduce(0, +) }

        public static func += (sum: inout Summary, one: Summary) {
            sum.counts.merge(one.counts, uniquingKeysWith: +)
            sum.failures += one.failures
        }
    }

    public init(
        areas: [String], first: UInt64, count: UInt64, sampleSeed: UInt64 = 1, scratch: String, executable: URL,
        arguments: [String]
    ) {
        self.areas = areas
        self.first = first
        self.count = count
        self.sampleSeed = sampleSeed
        self.scratch = scratch
        self.executable = executable
        self.arguments = arguments
    }

    /// The names of all areas.
    public static let allAreas = Trial.Area.allCases.map(\.rawValue)

    /// The command lines of the trials, with words in place of paths and ids: each command of the tool is among them.
    public static var commandLines: [[String]] {
        let places = Sample.Places(root: "trials")
        return TrialStep.allCases.map { $0.arguments(places, Sample.Subjects()) }.filter { !$0.isEmpty }
    }

    /// The work of the second process. Throws what prevents the trials.
    public static func work(root: String, first: UInt64, end: UInt64, areas: [String], sampleSeed: UInt64) async throws
    {
        let worker = Worker(
            root: root, numbers: first..<end, areas: areas.compactMap { Trial.Area(rawValue: $0) },
            sampleSeed: sampleSeed)
        try await worker.run()
    }

    /// Runs them, one after the other. Blocks this thread. Calls `failed` with each failure.
    public func run(_ failed: (String) -> Void = { _ in }) throws -> Summary {
        let root = scratch + "/trials-\(UUID().uuidString.prefix(8))"
        defer {
            for path in [root, Worker.progressPath(root), Worker.resultsPath(root), root + ".said"] {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
        var summary = Summary()
        var next = first
        while next < first + count {
            let end = try runProcess(root, from: next)
            let under = progress(root)
            guard let end else { break }
            guard let (number, words) = under, number >= next else {
                throw TrialError("The trials could not begin: \(end) \(said(root))")
            }
            let failure = "\(words): \(end)\n\(said(root))"
            failed(failure)
            summary.failures.append(failure)
            summary.counts["died", default: 0] += 1
            next = number + 1
        }
        try collect(root, &summary, failed)
        return summary
    }

    /// Nil if it did all its work; otherwise how it ended.
    private func runProcess(_ root: String, from next: UInt64) throws -> String? {
        try? FileManager.default.removeItem(atPath: root)
        try? FileManager.default.removeItem(atPath: Worker.progressPath(root))
        for folder in ["/tmp", "/out", "/state"] {
            try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
        }
        _ = FileManager.default.createFile(atPath: root + ".said", contents: nil)
        let process = Process()
        process.executableURL = executable
        process.arguments =
            arguments + ["--worker", root, "--first", "\(next)", "--end", "\(first + count)"]
            + ["--sample-seed", "\(sampleSeed)"] + areas.flatMap { ["--area", $0] }
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_STATE_HOME"] = root + "/state"
        environment["TMPDIR"] = root + "/tmp"
        environment["TRIPSTORE"] = nil
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        let output = FileHandle(forWritingAtPath: root + ".said")
        process.standardOutput = output
        process.standardError = output
        try process.start()
        var (last, since) = ("", Date())
        while process.isRunning {
            usleep(100_000)
            let now = (try? String(contentsOfFile: Worker.progressPath(root), encoding: .utf8)) ?? ""
            if now != last { (last, since) = (now, Date()) }
            guard since.timeIntervalSinceNow < -Self.patience else { continue }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            return "nothing for \(Int(Self.patience)) s"
        }
        process.waitUntilExit()
        if process.terminationReason == .uncaughtSignal { return "ended by signal \(process.terminationStatus)" }
        return process.terminationStatus == 0 ? nil : "ended with code \(process.terminationStatus)"
    }

    /// The current trial, and its current step.
    private func progress(_ root: String) -> (UInt64, String)? {
        guard let text = try? String(contentsOfFile: Worker.progressPath(root), encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n").map(String.init)
        guard lines.count == 3, let number = UInt64(lines[0]) else { return nil }
        return (number, "\(lines[1]), in \(lines[2])")
    }

    private func said(_ root: String) -> String {
        let text = (try? String(contentsOfFile: root + ".said", encoding: .utf8)) ?? ""
        return String(text.suffix(2000))
    }

    private func collect(_ root: String, _ summary: inout Summary, _ failed: (String) -> Void) throws {
        let text = (try? String(contentsOfFile: Worker.resultsPath(root), encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 3).map(String.init)
            guard parts.count >= 3 else { continue }
            summary.counts["\(parts[1]) \(parts[2])", default: 0] += 1
            guard parts.count == 4 else { continue }
            let failure = parts[3].replacingOccurrences(of: "\u{2028}", with: "\n")
            failed(failure)
            summary.failures.append(failure)
        }
    }
}
