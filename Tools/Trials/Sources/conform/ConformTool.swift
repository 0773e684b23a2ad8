import ArgumentParser
import Foundation

/// Reads the files of suites that others wrote, and prints how many are read as they should be.
@main
struct ConformTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conform", abstract: "Read the suites of other programs for iCalendar and JSON.")

    @Argument(help: "Folders with the suites, in any depth.", completion: .directory)
    var folders: [String]

    @Option(name: .long, help: "A file that names what is being read, for the case of a crash.")
    var trace: String?

    @Option(name: .long, help: "The share of a suite, in percent, below which the exit code is 1.")
    var least = 99.0

    func run() throws {
        var results: [String: SuiteResult] = [:]
        for file in folders.flatMap({ SuiteFile.all(in: $0) }) {
            if let trace { try? Data(file.path.utf8).write(to: URL(fileURLWithPath: trace)) }
            for (suite, fault) in file.faults() { results[suite, default: SuiteResult()].add(fault, of: file) }
        }
        guard !results.isEmpty else {
            throw ValidationError("No file of a suite that is known lies in \(folders.joined(separator: ", ")).")
        }
        let sorted = results.sorted { $0.key < $1.key }
        print(Self.row("suite", "files", "passed", "failed", "%"))
        for (name, result) in sorted {
            print(
                Self.row(
                    name, "\(result.total)", "\(result.passed)", "\(result.failures.count)",
                    String(format: "%.1f", result.percent)))
        }
        for (name, result) in sorted where !result.failures.isEmpty {
            print("\n\(name):")
            for failure in result.failures { print("  \(failure)") }
        }
        if results.values.contains(where: { $0.percent < least }) { throw ExitCode.failure }
    }

    private static func row(_ name: String, _ others: String...) -> String {
        name.padding(toLength: 42, withPad: " ", startingAt: 0)
            + others.map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }.joined()
    }
}

/// How the cases of a suite ended.
struct SuiteResult {
    private(set) var passed = 0
    private(set) var failures: [String] = []

    var total: Int { passed + failures.count }
    var percent: Double { 100 * Double(passed) / Double(max(1, total)) }

    mutating func add(_ fault: String?, of file: SuiteFile) {
        guard let fault else {
            passed += 1
            return
        }
        failures.append("\(file.name): \(fault)")
    }
}
