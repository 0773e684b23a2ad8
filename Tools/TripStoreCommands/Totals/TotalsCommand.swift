import ArgumentParser
import TripStore

struct TotalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "totals", abstract: "Show what trips cost, and who owes whom.",
        discussion: """
            Costs are summed up by trip, kind, day, category, what is paid, and traveller, each currency by itself and exactly; of cancelled items \
            only what is paid counts. Below is what is left of the budgets, what is still to be paid, and the payments that settle what the \
            travellers owe each other of what is paid. With --in all is in one currency, by the rates that 'tripstore add rate' has put into the \
            trip; what has no rate stays in its own, and is listed.

            Examples:
              tripstore totals
              tripstore totals Lisbon
              tripstore totals Lisbon --by category
              tripstore totals Lisbon --in EUR
              tripstore totals Lisbon --json
              tripstore totals --by day --csv
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var past: AsOfOption
    @OptionGroup var table: TableOption

    @Argument(help: "Which trip; all of them if it is left out. \(EntityArgument.help)")
    var trip: EntityArgument?

    @Option(name: .long, help: "Only the sums by this.")
    var by: TotalsDimension?

    @Option(name: .customLong("in"), help: "In this currency, as EUR, by the rates of each trip.")
    var currency: Currency?

    func validate() throws { try table.check(with: options) }

    func run() async throws {
        let store = try await options.openForReading()
        let source: any TripQuerying = try await past.past(of: store) ?? store
        let trip = try trip.map { try source.present(store.trip($0), past) }
        let totals =
            try trip.map { try source.detailedTotals(of: $0, in: currency) } ?? source.detailedTotals(in: currency)
        let names = try TotalsNames(totals, in: source)
        if let currency, table.csv || by != nil {
            for total in totals.totals where total.currency != currency {
                Console.current.warn("No rate from \(total.currency) to \(currency): amounts in it stay in it.")
            }
        }
        if table.csv {
            TotalsTable.table(totals, names, by.map { [$0] } ?? TotalsDimension.allCases).print(
                table.form)
        } else if options.json, let by {
            for group in names.groups(of: totals, by: by) { Console.current.out(TotalsJSON.group(group).text) }
        } else if options.json {
            Console.current.out(TotalsJSON.totals(totals, names, trip).text)
        } else {
            let text = TotalsText(totals: totals, names: names, isOfOneTrip: trip != nil, dimension: by)
            for line in text.lines { Console.current.out(line) }
        }
    }
}
