import ArgumentParser
import Foundation
import TripStore

struct AuditReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write the log as a page to look at: the days, the events, the story of each trip.",
        discussion: """
            The page is one file that needs no network and can be passed on. It holds the names and values of what it \
            shows, so pass it on as you would the trips. Add #trip/ID or #commit/POSITION to its address to point at one.

            It is there whole or not at all, and takes the place of an earlier report, and of no other file without --force.
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The file to write, or - for standard output.", completion: .file(extensions: ["html"]))
    var file: String

    @Option(name: .long, help: "Only this trip, and items that ever belonged to it.")
    var trip: UUID?

    @Option(name: .long, help: "Only commits from then on: ISO 8601 with an offset, or a day in UTC.")
    var since: InstantArgument?

    @Option(name: .long, help: "Only commits up to then.")
    var until: InstantArgument?

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
        let position = try store.status().position
        var log = ReportLog(only: trip)
        try log.gather(from: store, filter(store), upTo: position, limit: limit ?? .max)
        let head = ReportPage.Head(
            name: try options.folder.standardizedFileURL.lastPathComponent, journal: "\(store.journal)",
            replica: "\(store.replica)", position: position.rawValue, generated: Date(), scope: try scope(store))
        let page = ReportPage.html(head, log)
        guard let output else {
            // A line ends with the line feed that the page has at its end.
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
            Console.current.out("Wrote \(file): \(log.commits) commits, \(log.events) events, \(bytes) bytes".visible)
        }
    }

    private func filter(_ store: TripStore) throws -> AuditFilter {
        // A trip that is not known is a mistake, where one without commits in a time is not.
        if let trip { _ = try store.entity(withID: trip, kind: .trip) }
        return AuditFilter(
            trip: trip.map { Trip.ID($0) }, since: since?.first, until: until?.last, isReversed: true)
    }

    /// What the report leaves out, in words; empty if nothing.
    private func scope(_ store: TripStore) throws -> String {
        var parts: [String] = []
        if let trip {
            let name = try store.blame(EntityReference(kind: .trip, id: trip)).name
            parts.append("the trip \(name.isEmpty ? trip.uuidString : name) and its items")
        }
        if let since { parts.append("commits from \(since.first.utcText) on") }
        if let until { parts.append("commits up to \(until.last.utcText)") }
        if let limit { parts.append("the newest \(limit) commits") }
        return parts.isEmpty ? "" : "Only " + parts.joined(separator: "; ") + "."
    }
}
