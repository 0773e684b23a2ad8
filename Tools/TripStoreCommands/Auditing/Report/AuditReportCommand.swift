import ArgumentParser
import Foundation
import TripFormats
import TripStore

struct AuditReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write the log as a page to look at.",
        discussion: """
            The page is one file that needs no network and can be passed on. It holds the names and values of what it \
            shows, so pass it on as you would the trips. Add #trip/ID or #commit/POSITION to its address to point at one.

            It is there whole or not at all, and takes the place of an earlier report, and of no other file without --force.

            Examples:
              tripstore audit report log.html
              tripstore audit report - --trip Lisbon > lisbon.html
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The file to write, or - for standard output.", completion: .file(extensions: ["html"]))
    var file: String

    @Option(name: .long, help: "Only this trip, and items that ever belonged to it.")
    var trip: EntityArgument?

    @Option(name: .long, help: "\(SinceArgument.help)")
    var since: SinceArgument?

    @Option(
        name: .long, help: "Only what came or was written up to then. \(HorizonArgument.help)")
    var until: HorizonArgument?

    @Option(name: .long, help: "The most commits to show, the newest.")
    var limit: Int?

    @Flag(name: .long, help: "Replace another file, if it is there.")
    var force = false

    func validate() throws {
        try OutputTarget.check(file, json: options.json)
        if let limit, limit < 1 { throw ArgumentParser.ValidationError("--limit \(limit) is less than 1.") }
    }

    func run() async throws {
        // Before the log is read, which may take a while.
        let output: TextFile? =
            switch OutputTarget(argument: file) {
            case .standardOutput: nil
            case .file(let path):
                try TextFile(path: path, replacing: ReportPage.start, kind: "report", force: force)
            }
        let store = try await options.openForReading()
        let range = LogRange(since: since, until: until)
        let position = try store.status().position
        // An unknown trip is a mistake; one without commits in the given time is not.
        let trip = try trip.map { try store.trip($0) }
        var log = ReportLog(only: trip?.uuid)
        var filter = AuditFilter(under: trip?.reference, isReversed: true)
        range.restrict(&filter)
        try log.gather(
            from: store, filter, after: range.start, upTo: min(range.end ?? position, position), limit: limit ?? .max)
        let head = ReportPage.Head(
            name: try options.folder.standardizedFileURL.lastPathComponent, journal: "\(store.journal)",
            replica: "\(store.replica)", position: position.rawValue, generated: Date(), scope: try scope(trip, store))
        let page = ReportPage.html(head, log)
        guard let output else {
            // The console adds the line feed that the page ends with.
            guard let bytes = Console.current.bytes else { return Console.current.out(String(page.dropLast())) }
            return bytes(Array(page.utf8))
        }
        let bytes = try output.write(page)
        if options.json {
            let members: [(String, JSON)] = [
                ("file", .string(file)), ("bytes", .integer(bytes)), ("commits", .integer(log.commits)),
                ("events", .integer(log.events)),
            ]
            Console.current.out(JSON.object(members).text)
        } else {
            let (commits, events) = (Words.count(log.commits, "commit"), Words.count(log.events, "event"))
            Console.current.out("Wrote \(file): \(commits), \(events), \(bytes) bytes".visible)
        }
    }

    /// What the report leaves out, in words; empty if nothing.
    private func scope(_ trip: Trip.ID?, _ store: TripStore) throws -> String {
        var parts: [String] = []
        if let trip {
            let name = try store.blame(trip.reference).name
            parts.append("the trip \(name.isEmpty ? "\(trip)" : name) and its items")
        }
        parts += LogRange(since: since, until: until).words
        if let limit { parts.append("the newest \(limit) commits") }
        return parts.isEmpty ? "" : "Only " + parts.joined(separator: "; ") + "."
    }
}
