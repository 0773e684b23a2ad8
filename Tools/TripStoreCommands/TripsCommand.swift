import ArgumentParser
import Foundation
import TripStore

struct TripsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips", abstract: "List trips by date.",
        discussion: """
            All trips are listed, those without dates last. --from and --to bound the first day of the trips, both \
            included; with --overlapping, any day of them: then only trips with dates are listed. If there are more than \
            --limit, the cursor to go on with --after is told on standard error; with --json it is in the last line.

            Examples:
              tripstore trips
              tripstore trips --from 2027-05-01 --to 2027-05-31 --overlapping
              tripstore trips --as-of 2027-05-01 --json
              tripstore trips --csv
            """)

    @OptionGroup var options: StoreOptions

    @OptionGroup var past: AsOfOption
    @OptionGroup var table: TableOption

    @Option(name: .long, help: "The first day: \(WrittenWhen.forms).", transform: Day.written)
    var from: Day?

    @Option(name: .long, help: "The last day, included.", transform: LastDay.init)
    var to: LastDay?

    @Flag(name: .long, help: "Trips of which any day lies between.")
    var overlapping = false

    @Flag(name: .long, help: "Only trips without dates, by when they were created.")
    var undated = false

    @Flag(name: .long, help: "From the last to the first; trips without dates come last all the same.")
    var reverse = false

    @OptionGroup var paging: LimitOptions

    @Option(name: .long, help: "Go on after the page that named this cursor.")
    var after: PageCursor?

    var limits: LimitOptions { paging.whole(for: table.csv) }

    func validate() throws {
        try table.check(with: options)
        let given = GivenOptions([("--from", from != nil), ("--to", to != nil), ("--overlapping", overlapping)])
        if undated && !given.names.isEmpty {
            throw ValidationError("--undated lists trips without days: leave out \(given).")
        }
        if let from, let last = try to?.day(from: from), last < from {
            throw ValidationError("--to \(last) is before --from \(from).")
        }
    }

    func run() async throws {
        let store = try await options.openForReading()
        let source: any TripQuerying = try await past.past(of: store) ?? store
        var remaining = limits.count
        let queries = try queries()
        // The first query refuses a cursor of another query.
        var index = after.flatMap { cursor in queries.firstIndex { cursor.belongs(to: $0) } } ?? 0
        var cursor = after
        var rows: [TripRow] = []
        repeat {
            // No snapshot is held while rows are printed, so each read is bounded.
            let page = try source.trips(queries[index], limit: min(remaining, 1000), after: cursor)
            remaining -= page.rows.count
            cursor = page.next
            if cursor == nil, index + 1 < queries.count {
                index += 1
                let hasMore = try remaining > 0 || !source.trips(queries[index], limit: 1, after: nil).rows.isEmpty
                if hasMore { cursor = PageCursor.start(of: queries[index]) }
            }
            if options.json {
                let next = remaining > 0 ? nil : cursor
                let marks = try ConflictMarks(
                    page.rows.map(\.trip.reference), after: limits.count - remaining - page.rows.count, in: source)
                for (number, row) in page.rows.enumerated() {
                    let isLast = number == page.rows.count - 1
                    Console.current.out(EntityJSON.row(row, marks, next: isLast ? next : nil).text)
                }
            } else {
                rows += page.rows
            }
        } while cursor != nil && remaining > 0 && Console.current.hasReader()
        if table.csv {
            try TripTable.table(of: rows, in: source).print(table.form)
        } else if !options.json {
            if rows.isEmpty { Console.current.out("No trips.") }
            Console.current.show(try ListedRows.lines(of: rows, in: source))
        }
        if let cursor, Console.current.hasReader() { LimitOptions.noteMore(after: cursor) }
    }

    /// The queries to list, in order.
    private func queries() throws -> [Query<Trip>] {
        let days = try (from ?? .first)...max(from ?? .first, to?.day(from: from) ?? .last)
        let queries: [Query<Trip>] =
            if undated {
                [.undated]
            } else if overlapping {
                [.overlapping(days)]
            } else if from != nil || to != nil {
                [.starting(in: days)]
            } else {
                [.dated, .undated]
            }
        return reverse ? queries.map(\.reversed) : queries
    }
}
