import ArgumentParser
import Foundation

/// What every way of running rows takes.
struct SettingsOptions: ParsableArguments {
    enum Side: String, ExpressibleByArgument { case ours, both }

    @Option(help: "How many events the rows of full size have.")
    var events: Int?

    @Flag(help: "Small sizes, some two minutes in all.")
    var quick = false

    @Option(name: .customLong("repeat"), help: "How often each measurement is made.")
    var repeats: Int?

    @Option(help: "Leave the peers out: 'ours'.")
    var only: Side = .both

    @Flag(help: "One iteration of ours at full size alone, for a profiler; goes with --in-process.")
    var single = false

    @Option(help: "Where the data lies meanwhile; not in memory. Default: .bench in the working folder.")
    var folder = ".bench"

    var settings: Settings {
        let events = events ?? (quick ? 100_000 : 1_000_000)
        return Settings(
            events: events, repeats: single ? 1 : max(1, repeats ?? 3), isQuick: quick,
            onlyOurs: only == .ours || single, isSingle: single,
            folder: URL(fileURLWithPath: folder).standardizedFileURL.path)
    }

    /// The same for a child.
    static func arguments(_ settings: Settings) -> [String] {
        ["--events", "\(settings.events)", "--repeat", "\(settings.repeats)", "--folder", settings.folder]
            + (settings.isQuick ? ["--quick"] : []) + (settings.onlyOurs ? ["--only", "ours"] : [])
            + (settings.isSingle ? ["--single"] : [])
    }
}
