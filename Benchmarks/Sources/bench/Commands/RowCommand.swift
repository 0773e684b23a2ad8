import ArgumentParser
import Foundation

/// One row, in the process that the run started for it.
struct RowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "row", abstract: "Measure one row in this process, and write the outcome as JSON.",
        shouldDisplay: false)

    @OptionGroup var options: SettingsOptions

    @Argument var name: String
    @Option var outcome: String

    func run() async throws {
        let row = try Rows.named(name)
        let outcome = try await ScratchDirectory.use(options.settings, name: name) { try await row.run(in: $0) }
        try JSONEncoder().encode(outcome).write(to: URL(fileURLWithPath: self.outcome))
    }
}
