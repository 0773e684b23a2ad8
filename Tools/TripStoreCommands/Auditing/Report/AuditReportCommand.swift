import ArgumentParser
import Events
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

            A file has at most 2 MB: of a longer log it is an index, and beside it lie the parts, as log-1.html, log-2.html and so on, from the \
            newest commits to the oldest. Standard output gets the newest commits, as many as fit.

            Each file is there whole or not at all, the index last. They take the place of an earlier report, and of no other file without --force.

            Examples:
              tripstore audit report log.html
              tripstore audit report - --trip Lisbon > lisbon.html
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The file to write, or - for standard output.", completion: .file(extensions: ["html"]))
    var file: String

    @Option(name: .long, help: "Only this trip, and items that ever belonged to it.")
    var trip: EntityArgument?

    @Option(name: .long, help: "\(SinceArgument.help)", transform: SinceArgument.init(parsing:))
    var since: SinceArgument?

    @Option(
        name: .long, help: "Only what came or was written up to then. \(HorizonArgument.help)",
        transform: HorizonArgument.init(parsing:))
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
        let files: ReportFiles? =
            switch OutputTarget(argument: file) {
            case .standardOutput: nil
            case .file(let path): try ReportFiles(path: path, force: force)
            }
        let store = try await options.openForReading()
        let range = LogRange(since: since, until: until)
        let position = try store.status().position
        // An unknown trip is a mistake; one without commits in the given time is not.
        let trip = try trip.map { try store.trip($0) }
        var filter = AuditFilter(under: trip?.reference, isReversed: true)
        range.restrict(&filter)
        let work = LongWork(
            standing: files == nil
                ? "No page was written."
                : "The report is not whole: the same command writes all of it anew. The log stands as it is.")
        defer { work.end() }
        var reader = try ReportReader(
            store, filter, after: range.start, upTo: min(range.end ?? position, position), limit: limit ?? .max,
            showing: work)
        let head = ReportPage.Head(
            name: try options.folder.standardizedFileURL.lastPathComponent, journal: "\(store.journal)",
            replica: "\(store.replica)", position: position.rawValue, generated: Console.current.now(),
            scope: try scope(trip, store))
        guard let files else { return try print(head, &reader) }
        let (bytes, parts) = try write(files, head, &reader)
        work.end()
        if options.json {
            let members: [(String, JSON)] = [
                ("file", .string(file)), ("bytes", .integer(bytes)), ("commits", .integer(reader.commits)),
                ("events", .integer(reader.events)), ("parts", .integer(parts)),
            ]
            Console.current.out(JSON.object(members).text)
        } else {
            let (commits, events) = (reader.commits.counted("commit"), reader.events.counted("event"))
            let others = parts == 0 ? "" : ", with \(parts.counted("part")) from \(files.name(ofPart: 1)) on"
            Console.current.out("Wrote \(file)\(others): \(commits), \(events), \(bytes) bytes".visible)
        }
    }

    /// Writes the newest commits, as many as fit on a page, to standard output.
    private func print(_ head: ReportPage.Head, _ reader: inout ReportReader) throws {
        let page = try ReportFiles.next(of: &reader) { log, _ in ReportPage.html(head, log) }.page
        if try reader.hasMore() {
            Console.current.warn(
                "The page has the newest \(reader.commits.counted("commit")) of more. Name a file to get all of them, in several."
            )
        }
        // The console adds the line feed that the page ends with.
        guard let bytes = Console.current.bytes else { return Console.current.out(String(page.dropLast())) }
        bytes(Array(page.utf8))
    }

    /// Writes the report, and returns the bytes of all files, and how many parts there are beside an index; 0 if one page has all.
    private func write(
        _ files: ReportFiles, _ head: ReportPage.Head, _ reader: inout ReportReader
    ) throws -> (bytes: Int, parts: Int) {
        var (index, bytes, number) = (ReportIndex(), 0, 0)
        repeat {
            number += 1
            let (log, page) = try ReportFiles.next(of: &reader) { log, reader in
                let hasMore = try reader.hasMore()
                guard number > 1 || hasMore else { return ReportPage.html(head, log) }
                let part = ReportPage.Part(
                    number: number, index: files.name, newer: number > 1 ? files.name(ofPart: number - 1) : nil,
                    older: hasMore ? files.name(ofPart: number + 1) : nil)
                return ReportPage.html(head, log, part)
            }
            if try number == 1 && !reader.hasMore() { return (try files.write(page, parts: 0), 0) }
            bytes += try files.write(page, part: number)
            index.add(log, file: files.name(ofPart: number))
        } while try reader.hasMore()
        bytes += try files.write(ReportPage.html(head, index), parts: number)
        return (bytes, number)
    }

    /// What the report leaves out, in words; empty if nothing.
    private func scope(_ trip: Trip.ID?, _ store: TripStore) throws -> String {
        var parts: [String] = []
        if let trip {
            let name = try store.blame(trip.reference).name
            parts.append("the trip \(name.isEmpty ? "\(trip)" : name) and its items")
        }
        parts += LogRange(since: since, until: until).words
        if let limit { parts.append("the newest \(limit.counted("commit"))") }
        return parts.isEmpty ? "" : "Only " + parts.joined(separator: "; ") + "."
    }
}
