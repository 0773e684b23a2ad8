import ArgumentParser
import Foundation

/// The options of every command that runs rows.
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

    func validate() throws {
        if let events, events < 1_000 {
            throw ValidationError("\(events) events are too few to measure. Give 1000 at least.")
        }
        if let repeats, repeats < 1 { throw ValidationError("Give --repeat 1 at least, not \(repeats).") }
    }

    var settings: Settings {
        let events = events ?? (quick ? 100_000 : 1_000_000)
        return Settings(
            events: events, repeats: single ? 1 : repeats ?? 3, isQuick: quick,
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
