import ArgumentParser
import EventLog
import Events
import Foundation
import TripFormats
import TripStore

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write trips to a file for people or programs.",
        discussion: """
            The ending of the file's name says the format. Without --trip and --days it is all trips but templates. What a format cannot hold \
            is named in warnings. The file is written whole or not at all.

            Examples:
            \(ExportFormat.allCases.map { "  tripstore \($0.example)" }.joined(separator: "\n"))
              tripstore export Lisbon --html lisbon.html --attachments
            """)

    @OptionGroup var options: StoreOptions

    @Argument(
        help: "The file, or - for standard output, which needs --format; with --html the trip.", completion: .file())
    var file: String

    @OptionGroup var selecting: ExportSelectionOptions

    @Option(name: .long, help: "The format, if the file's ending does not say it.")
    var format: ExportFormat?

    @Flag(name: .long, help: "Replace any file that is there.")
    var force = false

    @Flag(
        name: .long,
        help: "Go on until it is interrupted, and write the file again whenever a trip in it changes.")
    var watch = false

    @Flag(name: .long, help: "Name each thing that the format cannot hold, for .json, which counts them otherwise.")
    var verbose = false

    @OptionGroup var itinerary: ItineraryOptions

    /// The file that is written.
    private var target: String { itinerary.html ?? file }

    func validate() throws {
        try OutputTarget.check(target, json: options.json)
        try itinerary.check(format, file: file)
    }

    func run() async throws {
        let format = try format ?? (itinerary.html == nil ? ExportFormat(fileName: file) : .html)
        let store = try await options.openForReading()
        if watch { return try await watch(format, store) }
        let selection = try selection(in: store)
        let output = try ExportOutput(OutputTarget(argument: target), replacing: force)
        let warnings: [String]
        do {
            let exporter = exporter(of: format)
            // It reads and writes without end.
            warnings = try await withTaskExecutorPreference(ThreadExecutor(name: "tripstore.export")) {
                try await exporter.export(selection, of: store, to: output)
            }
            try output.finish()
        } catch {
            output.discard()
            throw error
        }
        warn(of: warnings, format)
        if options.json {
            Console.current.out(
                JSON.object([
                    ("file", .string(target)), ("format", .string(format.rawValue)),
                    ("trips", .number(Int128(selection.trips.count))), ("bytes", .number(Int128(output.size))),
                    ("warnings", .integer(warnings.count)),
                ]).text)
        } else if !output.isStandardOutput {
            Console.current.out(
                "Wrote \(selection.trips.count.counted("trip")) and \(output.size.counted("byte")) to \(target)"
                    + (format == .json ? ", for the app Traveling Snails" : "")
            )
        }
    }

    /// What an export of Traveling Snails cannot hold is many small things, so that they are counted.
    private func warn(of warnings: [String], _ format: ExportFormat) {
        guard format == .json, !warnings.isEmpty else {
            for warning in warnings { Console.current.warn(warning.visible) }
            return
        }
        Console.current.warn(
            "This .json is for the app Traveling Snails, and leaves out or changes "
                + warnings.count.counted("kind") + " of things." + (verbose ? "" : " --verbose names each."))
        if verbose { for warning in warnings { Console.current.warn(warning.visible) } }
    }

    /// With `--html` the argument is a trip.
    private func selection(in store: TripStore) throws -> ExportSelection {
        guard itinerary.html != nil else { return try selecting.selection(in: store) }
        guard let trip = EntityArgument(argument: file) else {
            throw CommandError("Name the trip whose itinerary is to be written.", code: "unknownEntity")
        }
        var selecting = selecting
        selecting.trip.insert(trip, at: 0)
        return try selecting.selection(in: store)
    }

    private func watch(_ format: ExportFormat, _ store: TripStore) async throws {
        let target = target
        guard target != "-" else {
            throw CommandError("--watch writes a file again and again. Name one, or leave it out.", code: "usage")
        }
        let isChosen = itinerary.html != nil || !selecting.trip.isEmpty
        let trips = isChosen ? try selection(in: store).trips : nil
        let watch = ExportWatch(exporter(of: format), path: target, trips: trips, days: selecting.days)
        let (isJSON, console) = (options.json, Console.current)
        try await watch.run(store, replacing: force) { file in
            if format != .json || verbose { for warning in file.warnings { console.warn(warning.visible) } }
            let line = JSON.object([
                ("file", .string(target)), ("format", .string(format.rawValue)),
                ("trips", .number(Int128(file.trips))), ("bytes", .number(Int128(file.size))),
                ("warnings", .integer(file.warnings.count)),
            ])
            console.out(isJSON ? line.text : "Wrote \(file.size.counted("byte")) to \(target)")
        }
    }

    private func exporter(of format: ExportFormat) -> any TripExporter {
        switch format {
        case .json: SnailsExporter()
        case .ics: CalendarExporter(hasCosts: itinerary.costs)
        case .geojson: GeoJSONExporter()
        case .gpx: GPXExporter()
        case .html: ItineraryExporter(options: itinerary)
        }
    }
}
