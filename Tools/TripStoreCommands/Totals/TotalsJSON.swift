import Foundation
import TripFormats
import TripStore

/// Totals for programs.
enum TotalsJSON {
    static func totals(_ totals: DetailedTotals, _ names: TotalsNames, _ trip: Trip.ID?) -> JSON {
        let groups = TotalsDimension.allCases.map { dimension in
            ("by\(dimension.rawValue.capitalized)", JSON.array(names.groups(of: totals, by: dimension).map(group)))
        }
        return .object(
            [
                ("trip", .optional(trip.map { "\($0)" })), ("itemCount", .integer(totals.itemCount)),
                ("totals", .array(totals.totals.map(total))),
            ] + groups + [
                ("budgets", .array(totals.budgets.map(budget))),
                (
                    "unpaid",
                    .array(
                        totals.unpaidAmounts.map { open in
                            .object([("payer", .optional(open.payer.map { "\($0)" })), ("amount", open.amount.json)])
                        })
                ),
                ("balances", .array(totals.balances.map(TripPlanning.json))),
                ("payments", .array(totals.payments.map(payment))),
                ("currency", .optional(totals.currency?.code)),
                ("rates", .array(totals.rates.map { OwnEntityText.object($0.described) })),
                (
                    "doubts",
                    .array(
                        totals.doubts.map { doubted in
                            .object(
                                EntityText.members(doubted.item.reference, doubted.name)
                                    + [("problem", .string(names.words(of: doubted.doubt)))])
                        })
                ),
            ])
    }

    static func group(_ group: NamedTotals) -> JSON {
        .object([
            ("key", .optional(group.key)), ("name", .string(group.name)),
            ("totals", .array(group.totals.map(total))),
        ])
    }

    private static func total(_ total: CostTotal) -> JSON {
        .object([
            ("itemCount", .integer(total.itemCount)), ("cost", .money(total.currency, total.cost)),
            ("paid", .money(total.currency, total.paid)), ("unpaid", .money(total.currency, total.unpaid)),
        ])
    }

    private static func budget(_ budget: BudgetStatus) -> JSON {
        .object([("trip", .optional(budget.trip.map { "\($0)" }))] + TripPlanning.members(budget))
    }

    private static func payment(_ payment: SettlingPayment) -> JSON {
        .object([
            ("from", .string("\(payment.from)")), ("to", .string("\(payment.to)")), ("amount", payment.amount.json),
        ])
    }
}

/// Totals for spreadsheets.
enum TotalsTable {
    /// A row for each group and currency, and before those the sums of all.
    static func table(
        _ totals: DetailedTotals, _ names: TotalsNames, _ dimensions: [TotalsDimension], most: Int
    ) -> CSVTable {
        var table = CSVTable(columns: ["by", "key", "name", "currency", "itemCount", "cost", "paid", "unpaid"])
        func add(_ by: String, _ key: String?, _ name: String, _ totals: [CostTotal]) {
            for total in totals {
                let amounts = [total.cost, total.paid, total.unpaid].map { amount in
                    CSVTable.Cell.number(CostSum(currency: total.currency, minorUnits: amount).amount)
                }
                table.add(
                    [
                        .text(by), .optional(key), .text(name), .text(total.currency.code),
                        .integer(total.itemCount),
                    ] + amounts)
            }
        }
        if dimensions.count > 1 { add("all", nil, "", totals.totals) }
        for dimension in dimensions {
            for group in names.groups(of: totals, by: dimension).prefix(most) {
                add(dimension.rawValue, group.key, group.name, group.totals)
            }
        }
        return table
    }
}
