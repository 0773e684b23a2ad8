import ArgumentParser

/// Runs the benchmarks: each row in a process of its own, ours beside its peer.
@main
struct BenchTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure TripStore beside its peers.",
        subcommands: [RunCommand.self, ListCommand.self, RowCommand.self, RebuildCommand.self, QuestionsCommand.self],
        defaultSubcommand: RunCommand.self)
}
