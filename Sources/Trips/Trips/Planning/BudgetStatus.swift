/// The sum that budgets of a trip with one category and currency allow, and what the items of the category cost so far in that currency.
public struct BudgetStatus: Hashable, Sendable {
    /// The trip of the budgets.
    public let trip: Trip.ID?
    /// The category that the budgets have; empty for all items of the trip.
    public let category: String
    public let currency: Currency
    /// The sum of the budgets, in the smallest units of the currency.
    public let budgeted: Int128
    /// The sum of the costs of the items; of cancelled ones what is paid, see `Item.countedCost`.
    public let planned: Int128
    /// The part of these costs that is paid: the costs of items that are paid in full, what counts of those that are cancelled, and of the
    /// others what is paid of them in the currency, at most their cost.
    public let paid: Int128
    /// The costs of items of the category in currencies for which it has no budget, by their codes: nothing else counts them.
    public let uncounted: [CostSum]

    /// The budget that is left; negative if more is planned.
    public var left: Int128 { budgeted - planned }

    /// The statuses of all budgets of a trip: those for all items first, then by category and currency. No currency is converted.
    /// O(items + budgets · (log budgets + categories)).
    package static func all(_ budgets: [Budget], for items: [TripItem]) -> [BudgetStatus] {
        var sums: [Key: (category: String, sum: Int128)] = [:]
        for budget in budgets {
            guard let amount = budget.amount else { continue }
            let key = Key(category: TextFolding.folded(budget.category), currency: amount.currency.code)
            sums[key, default: (budget.category, 0)].sum += Int128(amount.minorUnits)
        }
        if sums.isEmpty { return [] }
        let costs = costs(of: items)
        return sums.sorted { $0.key < $1.key }.map { key, budget in
            let cost = costs[key] ?? Cost()
            let others = costs.filter { $0.key.category == key.category && sums[$0.key] == nil }
            return BudgetStatus(
                trip: budgets.first?.trip, category: budget.category, currency: Currency(unchecked: key.currency),
                budgeted: budget.sum,
                planned: cost.planned, paid: cost.paid,
                uncounted: others.sorted { $0.key < $1.key }.map {
                    CostSum(currency: Currency(unchecked: $0.key.currency), minorUnits: $0.value.planned)
                })
        }
    }

    /// What items cost by their kinds, their own categories and currencies, and for no category all of them.
    private static func costs(of items: [TripItem]) -> [Key: Cost] {
        var costs: [Key: Cost] = [:]
        var folded: [String: String] = [:]
        for item in items {
            let payment = item.payment
            guard let counted = payment.cost else { continue }
            let (category, currency) = (item.category, counted.currency.code)
            let own = folded[category] ?? TextFolding.folded(category)
            folded[category] = own
            let cost = Cost(planned: Int128(counted.minorUnits), paid: Int128(payment.paidOfCost))
            for name in Set(["", item.kind.name ?? "", own]) {
                costs[Key(category: name, currency: currency), default: Cost()].add(cost)
            }
        }
        return costs
    }

    private struct Cost {
        var planned: Int128 = 0
        var paid: Int128 = 0

        mutating func add(_ other: Cost) {
            planned += other.planned
            paid += other.paid
        }
    }

    private struct Key: Hashable, Comparable {
        let category: String
        let currency: String

        static func < (a: Key, b: Key) -> Bool { (a.category, a.currency) < (b.category, b.currency) }
    }
}
