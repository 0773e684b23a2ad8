import ArgumentParser
import TripStore

struct TotalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "totals", abstract: "Show what trips cost, and who owes whom.",
        discussion: """
            Costs are summed up by trip, kind, day, category, what is paid, and traveller, each currency by itself and exactly; of cancelled items \
            only what is paid counts. Below is what is left of the budgets, what is still to be paid, and the payments that settle what the \
            travellers owe each other of what is paid. With --in all is in one currency, by the rates that 'tripstore add rate' has put into the \
            trip; what has no rate stays in its own, and is listed. Of all trips each part has at most \(Self.mostOfAll) entries, of one trip, and with --by, as many \
            as --limit says; --json and --csv have all.

            Examples:
              tripstore totals
              tripstore totals Lisbon
              tripstore totals Lisbon --by category
              tripstore totals --by trip --all
              tripstore totals Lisbon --in EUR
              tripstore totals Lisbon --json
              tripstore totals --by day --csv
            """)

    /// The entries of each part of the totals of all trips: the parts together fill a page or two.
    private static let mostOfAll = 10

    @OptionGroup var options: StoreOptions
    @OptionGroup var past: AsOfOption
    @OptionGroup var table: TableOption
    @OptionGroup var paging: LimitOptions

    @Argument(help: "Which trip; all of them if it is left out. \(EntityArgument.help)")
    var trip: EntityArgument?

    @Option(name: .long, help: "Only the sums by this.")
    var by: TotalsDimension?

    @Option(name: .customLong("in"), help: "In this currency, as EUR, by the rates of each trip.")
    var currency: Currency?

    var limits: LimitOptions { paging.whole(for: table.csv || options.json) }

    func validate() throws {
        try table.check(with: options)
        if options.json, by == nil, paging.limit != nil {
            throw ValidationError("--json prints one object with all of the totals: leave out --limit, or add --by.")
        }
    }

    func run() async throws {
        let store = try await options.openForReading()
        let source: any TripQuerying = try await past.past(of: store) ?? store
        let trip = try trip.map { try source.present(store.trip($0), past) }
        let totals = try LongWork.reading {
            try trip.map { try source.detailedTotals(of: $0, in: currency) } ?? source.detailedTotals(in: currency)
        }
        let names = try TotalsNames(totals, in: source)
        if let currency, table.csv || by != nil {
            for total in totals.totals where total.currency != currency {
                Console.current.warn("No rate from \(total.currency) to \(currency): amounts in it stay in it.")
            }
        }
        if table.csv {
            TotalsTable.table(totals, names, by.map { [$0] } ?? TotalsDimension.allCases, most: limits.count).print(
                table.form)
        } else if options.json, let by {
            let groups = names.groups(of: totals, by: by).prefix(limits.count)
            for group in groups { Console.current.out(TotalsJSON.group(group).text) }
        } else if options.json {
            Console.current.out(TotalsJSON.totals(totals, names, trip).text)
        } else {
            let isOfAll = trip == nil && by == nil && !limits.all
            let most = isOfAll ? limits.limit ?? Self.mostOfAll : limits.count
            let text = TotalsText(totals: totals, names: names, isOfOneTrip: trip != nil, dimension: by, most: most)
            let (lines, areCut) = text.lines
            for line in lines { Console.current.out(line) }
            let others = by == nil ? ", and --by one part" : ""
            if areCut { Console.current.note("There are more: --all lists them\(others).") }
        }
    }
}
