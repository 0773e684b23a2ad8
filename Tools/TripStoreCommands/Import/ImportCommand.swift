import ArgumentParser
import Foundation
import TravelingSnails
import TripStore

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import a Traveling Snails JSON export.",
        discussion: """
            Ids are kept. Of what is there the fields are edited in which the file differs from the last import: so a file \
            that is imported again writes nothing, and what a person wrote since stays where the file says nothing new. \
            Where both are new the file counts, and 'audit conflicts' lists what it wrote over.
            Attachments in the file are taken in with their bytes. \
            What the file lacks is kept, or, with --mirror, deleted if it is an item of a trip that the file names. What a \
            person deleted stays deleted. A file that is cut off or no such export is refused as a whole. If a record was \
            skipped, the exit code is 1.

            Example:
              tripstore import export.json --time-zone Europe/Lisbon --currency EUR
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @Option(
        name: .long,
        help: "The zone of trips whose items name none, as Europe/Lisbon. Default: the configured one, else UTC.")
    var timeZone: String?

    @Flag(name: .long, help: "Delete the items of the file's trips that the file lacks.")
    var mirror = false

    @Option(
        name: .long,
        help: "The currency of the file's costs, which it does not name. Default: the configured one, else USD.")
    var currency: String?

    @Flag(name: .long, help: "Import the file though it was exported before that of the last import.")
    var older = false

    func run() async throws {
        let configuration = try Configuration.current()
        let zone = try (timeZone ?? configuration[.timeZone]).map { name in
            guard let zone = Moment(milliseconds: 0, zone: name).timeZone else {
                throw CommandError("The zone '\(name)' is not known. Give an IANA name, as in Europe/Lisbon.")
            }
            return zone
        }
        let code = currency ?? configuration[.currency] ?? "USD"
        let importing = ImportOptions(
            timeZone: zone, mirror: mirror, currency: Currency(code) ?? Currency(unchecked: code),
            isOlderAllowed: older)
        // Even before an error, which would otherwise follow it on its line.
        defer { Console.current.progress?("") }
        let report = try await withFile { path in
            try await withStore(options) { store in
                try await Self.run(Importer(store: store, options: importing), path, by: author.authorship)
            }
        }
        Console.current.progress?("")
        for warning in report.warnings { Console.current.warn(warning.visible) }
        if options.json {
            Console.current.out(report.json.text)
        } else {
            for line in Self.lines(report) { Console.current.out(line) }
        }
        if !report.skipped.isEmpty { throw ExitCode.found }
    }

    /// An error describes only the commit that failed: adds what was written before it.
    private static func run(
        _ importer: Importer, _ path: String, by authorship: Authorship
    ) async throws -> ImportReport {
        var written = ImportReport()
        do {
            return try await importer.run(path: path, by: authorship, progress: progress) { written = $0 }
        } catch  where written.events > 0 {
            let undoing = written.correlation.map { ", and 'undo --correlation \($0.uuidString)' undoes them" } ?? ""
            throw CommandError(
                "The import stopped at a commit: \(error) \(Words.count(written.events, "event")) in "
                    + "\(Words.count(written.commits, "commit")) were written before. Importing the file again goes on from "
                    + "there\(undoing).")
        }
    }

    /// The file itself, or a copy of standard input.
    private func withFile<T>(_ body: (String) async throws -> T) async throws -> T {
        guard file == "-" else { return try await body((file as NSString).expandingTildeInPath) }
        return try await SpooledInput(.standardInput).read(body)
    }

    private static var progress: (@Sendable (ImportProgress) -> Void)? {
        guard let report = Console.current.progress else { return nil }
        return { report("\($0.stage.rawValue) \($0.bytesRead * 100 / max($0.total, 1)) %") }
    }

    private static func lines(_ report: ImportReport) -> [String] {
        let outcomes = [
            ("created", report.created), ("edited", report.edited), ("deleted", report.deleted),
            ("restored", report.restored), ("overridden", report.overridden), ("unchanged", report.unchanged),
            ("skipped", report.skipped),
        ]
        let cells = outcomes.filter { !$0.1.isEmpty }.map { name, counts in
            [
                name,
                counts.sorted { $0.key < $1.key }.map { "\($0.value) \(ImportReport.name(of: $0.key))" }
                    .joined(separator: ", "),
            ]
        }
        let undoing = report.correlation.map {
            ["correlation", "\($0.uuidString), to be undone with 'undo --correlation'"]
        }
        return TextTable.lines(
            cells + [["written", "\(Words.count(report.events, "event")) in \(Words.count(report.commits, "commit"))"]]
                + (undoing.map { [$0] } ?? [])
        )
    }
}
