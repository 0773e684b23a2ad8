import ArgumentParser
import Foundation

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Measure rows, and write a table of ratios.")

    @OptionGroup var options: SettingsOptions

    @Option(help: "The rows, separated by commas; all without it. 'bench list' names them.")
    var rows: String?

    @Flag(help: "Run the rows in this process, for a profiler.")
    var inProcess = false

    @Option(help: "Also write the table to a file.")
    var output: String?

    @Option(help: "Write the page of results and its plots into a folder.")
    var results: String?

    func run() async throws {
        let settings = options.settings
        let chosen = try rows.map { try $0.split(separator: ",").map { try Rows.named(String($0)) } } ?? Rows.all
        let machine = Machine(folder: settings.folder)
        guard !machine.isInMemory else {
            throw BenchError("\(settings.folder) lies in memory (\(machine.fileSystem)). Give a --folder on a disk.")
        }
        var outcomes: [(row: any Row, outcome: Outcome)] = []
        let start = ContinuousClock.now
        for row in chosen {
            note("\(row.name): \(row.work)")
            let began = ContinuousClock.now
            do {
                let outcome = try await run(row, settings)
                outcomes.append((row, outcome))
                for line in ResultTable.lines(of: outcome) { note("  \(line)") }
                note("  (\(Int((ContinuousClock.now - began).seconds)) s)")
            } catch {
                note("  failed: \(error)")
                outcomes.append((row, Outcome(failure: "\(error)")))
            }
        }
        note("\(Int((ContinuousClock.now - start).seconds)) s in all")
        let page = ResultPage(outcomes, settings)
        print(page.table)
        if let output { try Data((page.table + "\n").utf8).write(to: URL(fileURLWithPath: output)) }
        if let results { try page.write(to: URL(fileURLWithPath: results)) }
        if outcomes.contains(where: { $0.outcome.failure != nil }) { throw ExitCode.failure }
    }

    /// A process of its own, so that no row finds another's memory.
    private func run(_ row: any Row, _ settings: Settings) async throws -> Outcome {
        if inProcess { return try await ScratchDirectory.use(settings, name: row.name) { try await row.run(in: $0) } }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Child.run(["row", row.name, "--outcome", file.path] + SettingsOptions.arguments(settings))
        return try JSONDecoder().decode(Outcome.self, from: Data(contentsOf: file))
    }
}

/// A progress line.
func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
