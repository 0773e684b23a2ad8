import Events
import TripFormats
import TripStore

/// Totals in words.
struct TotalsText {
    let totals: DetailedTotals
    let names: TotalsNames
    let isOfOneTrip: Bool
    /// The only breakdown; nil for all of them.
    let dimension: TotalsDimension?
    /// The most entries of each part.
    let most: Int

    /// The lines, no wider than the terminal, and whether entries were left out.
    var lines: (shown: [String], areCut: Bool) {
        var table = TextTable(cutting: [0, 3], naming: 0, listing: [3])
        if let dimension {
            let groups = names.groups(of: totals, by: dimension)
            let rows = rows(groups, dimension)
            return (rows.isEmpty ? ["Nothing costs anything."] : table.lines(rows), groups.count > most)
        }
        // Each part is below its title.
        table.indent = 2
        var sections: [(title: String, lines: [String])] = []
        var areCut = false
        func add<Entry>(_ title: String, _ entries: [Entry], _ lines: ([Entry]) -> [String]) {
            let rest = entries.count - most
            areCut = areCut || rest > 0
            let more = rest > 0 ? ["and \(rest.counted("other"))"] : []
            sections.append((title, lines(Array(entries.prefix(most))) + more))
        }
        let all = totals.totals.map { row("all", $0, .kind) }
        sections.append(
            (
                totals.itemCount.counted("item"),
                all.isEmpty ? ["nothing costs anything"] : table.lines(all)
            ))
        for dimension in TotalsDimension.allCases {
            let groups = names.groups(of: totals, by: dimension)
            guard isTelling(groups, dimension) else { continue }
            add(dimension.title, groups) { table.lines(rows($0, dimension)) }
        }
        add("Budgets", totals.budgets) { $0.map(words) }
        add("Still to be paid", totals.unpaidAmounts) { $0.map(words) }
        add("Who pays whom, of what is paid", totals.payments) { $0.map(words) }
        if let currency = totals.currency {
            add("Rates", totals.rates) { $0.map { StoreKindText.title(of: $0) } }
            let others = totals.totals.filter { $0.currency != currency }
            add("Without a rate to \(currency)", others) { $0.map { words(without: $0) } }
        }
        add("To look at", totals.doubts) { $0.map { "\($0.name): \(names.words(of: $0.doubt))" } }
        let filled = sections.filter { !$0.lines.isEmpty }
        let shown = filled.enumerated().flatMap { number, section in
            (number == 0 ? [] : [""]) + [section.title] + section.lines.flatMap(laidOut)
        }
        return (shown, areCut)
    }

    /// Whether groups say more than the sum of all.
    private func isTelling(_ groups: [NamedTotals], _ dimension: TotalsDimension) -> Bool {
        if dimension == .trip && isOfOneTrip { return false }
        return groups.count > 1 || dimension == .kind
            || groups.contains { $0.key?.isEmpty == false && dimension == .category }
    }

    private func rows(_ groups: [NamedTotals], _ dimension: TotalsDimension) -> [[String]] {
        groups.prefix(most).flatMap { group in group.totals.map { row(group.name, $0, dimension) } }
    }

    private func row(_ name: String, _ total: CostTotal, _ dimension: TotalsDimension) -> [String] {
        func words(_ amount: Int128) -> String { CostSum(currency: total.currency, minorUnits: amount).words }
        let paid = total.paid == 0 ? "" : "\(words(total.paid)) paid"
        // What a traveller has paid is for others as well.
        let unpaid = total.unpaid == 0 || dimension == .traveller ? "" : "\(words(total.unpaid)) unpaid"
        let state = [paid, unpaid].filter { !$0.isEmpty }.joined(separator: ", ")
        return [name, total.itemCount.counted("item"), words(total.cost), state]
    }

    private func words(_ budget: BudgetStatus) -> String {
        (isOfOneTrip ? "" : budget.trip.map { "\(names[$0]), " } ?? "") + TripPlanning.words(budget)
    }

    /// As in "by Ana 90.00 EUR".
    private func words(_ open: (payer: Traveller.ID?, amount: CostSum)) -> String {
        "\(open.payer.map { "by \(names[$0])" } ?? "without a payer") \(open.amount.words)"
    }

    private func words(without total: CostTotal) -> String {
        let amounts = [(total.cost, "cost"), (total.paid, "paid")].filter { $0.0 != 0 }.map { amount, word in
            "\(CostSum(currency: total.currency, minorUnits: amount).words) \(word)"
        }
        return "\(amounts.joined(separator: ", ")), which stay in \(total.currency) above and are settled by themselves"
    }

    private func words(_ payment: SettlingPayment) -> String {
        "\(names[payment.from]) pays \(names[payment.to]) \(payment.amount.words)"
    }

    /// A line below a title.
    private func laidOut(_ line: String) -> [String] {
        let layout = Console.current.layout
        return layout.wrapped(layout.shown(line), to: layout.columns.map { $0 - 2 }).map { "  \($0)" }
    }
}
