import ArgumentParser
import CPlatform
import Events
import Foundation
import Platform
import Synchronization
import TravelingSnails
import TripFormats
import TripStore

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import a file: JSON, a calendar, a table or a map.",
        discussion: """
            How the file begins, or the ending of its name, says the format: .json for Traveling Snails, .ics for a calendar \
            (iCalendar), .csv for any table, with --mapping, or for one of 'list --csv' as it is: what differs in it is edited; .gpx, .kml \
            or .geojson for a map, whose places become activities and whose tracks become attachments of the trip.

            Ids are kept, or derived from the UID of an event and from the key of a row. Of what is there the fields are edited in which the file differs from the last import: so a file \
            that is imported again writes nothing, and what a person wrote since stays where the file says nothing new. \
            Where both are new the file counts, and 'audit conflicts' lists what it wrote over.
            Attachments in the file are taken in with their bytes. \
            What the file lacks is kept, or, with --mirror, deleted if it is an item of a trip that the file names. What a \
            person deleted stays deleted, and what was erased is left out and named, unless --erased brings it. An import that is interrupted, as by Ctrl-C, keeps what it wrote and goes on when it is run again. \
            A file that is cut off or no such export is refused as a whole. A record that cannot be used is left out and named, and the exit \
            code is then 1; with --strict nothing is written instead.

            The items of a calendar, a table or a map come into --trip or --new-trip. Without these an item that is here stays in its \
            trip, and another comes into the one trip that has all of its days, else into one for the file.

            Examples:
              tripstore import export.json --time-zone Europe/Lisbon --currency EUR
              tripstore import flights.ics --trip Lisbon --dry-run
              tripstore import bookings.csv --mapping bank.json --new-trip Rome
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The file, or - for standard input.", completion: .file())
    var file: String

    @OptionGroup var foreign: ForeignImportOptions

    @Option(name: .long, help: "The format, if neither the file's beginning nor its ending says it.")
    var format: ImportOptions.Format?

    @Option(
        name: .long,
        help: "The zone of times and trips that name none, as Europe/Lisbon. Default: the configured one, else UTC.")
    var timeZone: String?

    @Flag(name: .long, help: "Delete the items of the file's trips that the file lacks.")
    var mirror = false

    @Option(
        name: .long,
        help: "The currency of the file's costs, which it does not name. Default: the configured one, else USD.")
    var currency: String?

    @Flag(name: .long, help: "Import the file though it was exported before that of the last import.")
    var older = false

    @Flag(name: .long, help: "Import what was erased as well.")
    var erased = false

    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var verbose: VerboseOption

    func run() async throws {
        // The C library would keep twice what is in use, of a file of a gigabyte.
        tripstore_give_back_memory()
        let configuration = try Configuration.current()
        let zone = try (timeZone ?? configuration[.timeZone]).map { name in
            guard let zone = Moment(milliseconds: 0, zone: name).timeZone else {
                throw CommandError("The zone '\(name)' is not known. Give an IANA name, as in Europe/Lisbon.")
            }
            return zone
        }
        let code = currency ?? configuration[.currency] ?? "USD"
        let work = LongWork(standing: "What was written stands, and importing the file again goes on from there.")
        // Even before an error, which would otherwise follow it on its line.
        defer { work.end() }
        let freed = FreedMemory()
        let report = try await withFile { path, isStream in
            let format = try format ?? (foreign.mapping == nil ? found(path) : .csv)
            try check(format)
            if format == .csv, foreign.mapping == nil, let table = try OwnTable(path: path, called: file) {
                return try await withStoreToImport { store in
                    try await table.run(
                        in: store, by: author, isStrict: foreign.strict, isDryRun: dryRun.dryRun, called: file)
                }
            }
            let columns = try foreign.columns(for: format)
            // The name of a pipe says nothing of what it holds.
            let name = isStream ? "Imported" : nil
            return try await withStoreToImport { store in
                var importing = ImportOptions(
                    format: format, timeZone: zone, mirror: mirror,
                    currency: Currency(code) ?? Currency(unchecked: code), isOlderAllowed: older,
                    isDryRun: dryRun.dryRun, isStrict: foreign.strict, destination: try foreign.destination(in: store),
                    mapping: columns,
                    name: name)
                importing.bringsErased = erased
                return try await Self.naming { [importing] in
                    try await Importer(store: store, options: importing).run(
                        path: path, by: author.authorship,
                        progress: {
                            freed.note(bytesRead: $0.bytesRead)
                            work.report($0.stage.rawValue, $0.bytesRead, of: $0.total, .bytes)
                        },
                        interrupted: $0)
                }
            }
        }
        work.end()
        verbose.warn(of: report.warnings, count: report.warningCount)
        if options.json {
            Console.current.out(report.json.text)
        } else {
            for line in report.lines(isDryRun: dryRun.dryRun) { Console.current.out(line) }
        }
        if !report.skipped.isEmpty { throw ExitCode.found }
    }

    /// The format that the file shows.
    private func found(_ path: String) throws(TextFormatError) -> ImportOptions.Format {
        do throws(TextFormatError) { return try ImportOptions.Format(path: path, name: file) } catch {
            var named = error
            named.file = path
            throw named
        }
    }

    /// Refuses options of another format.
    private func check(_ format: ImportOptions.Format) throws {
        if format == .json, !foreign.isEmpty {
            throw CommandError(
                "--trip, --new-trip, --mapping and --strict are for calendars, tables and maps, and '\(file)' is taken for an export of Traveling "
                    + "Snails. Leave them out, or name the format with --format.", code: "usage")
        }
        if format != .json, mirror || older {
            throw CommandError(
                "--mirror and --older are for exports of Traveling Snails. Leave them out.", code: "usage")
        }
        if format != .csv, foreign.mapping != nil {
            throw CommandError("--mapping is for tables. Leave it out.", code: "usage")
        }
    }

    /// If nothing is to be written, the store is opened for reading.
    private func withStoreToImport<T>(_ body: (TripStore) async throws -> T) async throws -> T {
        guard dryRun.dryRun else { return try await withStore(options, body) }
        let store = try await options.openForReading()
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }

    /// Imports until the file ends, or the command is interrupted: then the commit that is being written is the last.
    ///
    /// An error describes only the commit that failed: adds what was written before it.
    private static func naming(
        _ body: @escaping @Sendable (@escaping @Sendable (ImportReport) -> Void) async throws -> ImportReport
    ) async throws -> ImportReport {
        let console = Console.current
        let written = Mutex(ImportReport())
        let importing = Task {
            try await body { report in
                written.withLock { $0 = report }
            }
        }
        let watching = Task {
            await console.ended()
            importing.cancel()
        }
        defer { watching.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await importing.value
            } onCancel: {
                importing.cancel()
            }
        } catch let error as TextFormatError where error.code == .olderFile {
            throw CommandError(error.namingCommands.message, code: error.code.rawValue)
        } catch {
            throw stopped(by: error, written.withLock { $0 })
        }
    }

    private static func stopped(by error: any Error, _ written: ImportReport) -> any Error {
        let isInterrupted = error is CancellationError
        guard written.commits > 0 else {
            return isInterrupted
                ? CommandError("The import was interrupted before anything was written.", code: "interrupted") : error
        }
        let undoing =
            written.correlation.map { ", and 'tripstore undo --correlation \($0.uuidString)' undoes them" } ?? ""
        let reason =
            isInterrupted ? "The import was interrupted." : "The import stopped at a commit: \(error.systemText)"
        return CommandError(
            "\(reason) \(written.events.counted("event")) in \(written.commits.counted("commit")) \(written.events.agreeing("was", "were")) written "
                + "before. Importing the file again goes on from there\(undoing).",
            code: isInterrupted ? "interrupted" : "failed")
    }

    /// The file itself, or a copy of a stream, which can be read once.
    private func withFile<T>(_ body: (String, _ isStream: Bool) async throws -> T) async throws -> T {
        let path = (file as NSString).expandingTildeInPath
        guard isStream(path) else {
            do { return try await body(path, false) } catch let error as ExportError {
                throw CommandError(error, at: path, called: file)
            } catch var error as TextFormatError where error.file == path {
                error.file = file
                throw error.namingCommands
            }
        }
        let stream: FileHandle
        if file == "-" {
            stream = .standardInput
        } else {
            // Of a named pipe this waits for a program that writes to it.
            guard let opened = FileHandle(forReadingAtPath: path) else {
                throw CommandError("\(file) cannot be opened. Check the path and the permissions.", code: "unreadable")
            }
            stream = opened
        }
        return try await SpooledInput(stream, named: file == "-" ? "Standard input" : file).read {
            try await body($0, true)
        }
    }

    /// Whether it is there and can be read once alone, as a pipe.
    private func isStream(_ path: String) -> Bool {
        if file == "-" { return true }
        guard access(path, F_OK) == 0 else { return false }
        let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // A descriptor of a pipe, as of a shell's <(…), leads to no path.
        let type = (try? FileManager.default.attributesOfItem(atPath: real))?[.type] as? FileAttributeType
        return type != .typeRegular && type != .typeDirectory
    }
}
