/// What budgets of a trip with one category and currency allow, and what the items of the category cost so far in that currency.
public struct BudgetStatus: Hashable, Sendable {
    /// As the budgets have it; empty for all items of the trip.
    public let category: String
    public let currency: Currency
    /// The sum of the budgets, in the smallest units of the currency.
    public let budgeted: Int128
    /// The sum of the costs of the items; of cancelled ones what is paid, see `ItemEntity.countedCost`.
    public let planned: Int128
    /// Of these, of the items that are paid in full or cancelled.
    public let paid: Int128

    /// What is left; negative if more is planned.
    public var left: Int128 { budgeted - planned }

    /// Of all budgets of a trip: those for all items first, then by category and currency. No currency is converted. O(budgets · items).
    public static func all(_ budgets: [Budget], for items: [TripItem]) -> [BudgetStatus] {
        var sums: [Key: (category: String, sum: Int128)] = [:]
        for budget in budgets {
            guard let amount = budget.amount else { continue }
            let key = Key(category: TextFolding.folded(budget.category), currency: amount.currency.code)
            sums[key, default: (budget.category, 0)].sum += Int128(amount.minorUnits)
        }
        return sums.sorted { $0.key < $1.key }.map { key, budget in
            let counted = items.filter { key.category.isEmpty || $0.isOf(foldedCategory: key.category) }
            let costs = counted.compactMap { item in
                item.countedCost.flatMap { $0.currency.code == key.currency ? (item, Int128($0.minorUnits)) : nil }
            }
            return BudgetStatus(
                category: budget.category, currency: Currency(unchecked: key.currency), budgeted: budget.sum,
                planned: costs.reduce(0) { $0 + $1.1 },
                paid: costs.reduce(0) { $0 + ($1.0.countsPaidAlone ? $1.1 : 0) })
        }
    }

    private struct Key: Hashable, Comparable {
        let category: String
        let currency: String

        static func < (a: Key, b: Key) -> Bool { (a.category, a.currency) < (b.category, b.currency) }
    }
}

extension TripItem {
    /// Whether a budget of a category is for the item: that is its own category, or the name of its kind.
    fileprivate func isOf(foldedCategory category: String) -> Bool {
        kind.name == category || TextFolding.folded(self.category) == category
    }

    /// Whether all that counts of its cost is paid.
    fileprivate var countsPaidAlone: Bool { paid == .inFull || stage == .cancelled }
}
