/// The cost of some items in one currency.
public struct CostTotal: Hashable, Sendable {
    public let currency: Currency
    /// How many items have a cost or a paid amount in the currency. Of a day or a traveller: how many have a part there.
    public internal(set) var itemCount: Int
    /// The part of their costs that counts, in the smallest units of the currency: see `Item.countedCost`.
    public internal(set) var cost: Int128
    /// The amount paid of `cost`: see `Item.paidCost`.
    public internal(set) var paid: Int128

    /// The amount not paid yet; negative where more is paid than it costs.
    public var unpaid: Int128 { cost - paid }

    /// The sums of some items, one for each currency, in the order of the codes. O(items).
    package static func all(of items: [TripItem]) -> [CostTotal] {
        var tally = CostTally<Bool>()
        for item in items { tally.add(ItemCost(item), to: true) }
        return tally.groups { _, _ in false }.first?.totals ?? []
    }
}

/// The costs of items that have something in common: a kind, a day, a traveller.
public struct CostGroup<Key: Hashable & Sendable>: Hashable, Sendable {
    public let key: Key
    /// A sum for each currency, in the order of the codes.
    public let totals: [CostTotal]
}

/// Sums up items by something that they have in common.
struct CostTally<Key: Hashable & Sendable> {
    private var sums: [Key: [String: CostTotal]] = [:]

    /// Adds a part of an item.
    mutating func add(_ part: ItemCost, to key: Key) {
        for (currency, amounts) in part.amounts {
            let code = currency.code
            var total =
                sums[key, default: [:]][code] ?? CostTotal(currency: currency, itemCount: 0, cost: 0, paid: 0)
            total.itemCount += 1
            total.cost += amounts.cost
            total.paid += amounts.paid
            sums[key, default: [:]][code] = total
        }
    }

    func groups(by isBefore: (Key, Key) -> Bool) -> [CostGroup<Key>] {
        sums.sorted { isBefore($0.key, $1.key) }.map { key, totals in
            CostGroup(key: key, totals: totals.sorted { $0.key < $1.key }.map(\.value))
        }
    }
}

/// What an item costs, and what of that is paid, which may be in another currency.
struct ItemCost {
    private(set) var amounts: [(currency: Currency, (cost: Int128, paid: Int128))] = []

    init(_ cost: (Currency, Int128)?, paid: (Currency, Int128)?) {
        if let cost {
            let isSame = paid.map { $0.0.code == cost.0.code } ?? false
            amounts.append((cost.0, (cost.1, isSame ? paid?.1 ?? 0 : 0)))
            if isSame { return }
        }
        if let paid { amounts.append((paid.0, (0, paid.1))) }
    }

    init(_ item: TripItem) {
        let payment = item.payment
        self.init(payment.cost.map(\.sum), paid: payment.paid.map(\.sum))
    }

    /// The parts of an item that counts on several days; each currency is divided exactly, and the first have what is left over.
    func divided(by count: Int) -> [ItemCost] {
        let weights = [Int](repeating: 1, count: count)
        var parts = [ItemCost](repeating: ItemCost(nil, paid: nil), count: count)
        for (currency, sums) in amounts {
            let costs = LargestRemainder.parts(of: sums.cost, by: weights)
            let paid = LargestRemainder.parts(of: sums.paid, by: weights)
            for index in parts.indices { parts[index].amounts.append((currency, (costs[index], paid[index]))) }
        }
        return parts
    }
}

extension Money {
    var sum: (Currency, Int128) { (currency, Int128(minorUnits)) }
}

/// An exact sum of money in one currency, such as the cost of a trip: totals have one for each currency.
///
/// `Int64(exactly: sum.minorUnits).map { Money(minorUnits: $0, sum.currency) }` is the sum as an amount, with its decimals as text; nil only
/// beyond 64 bits.
public struct CostSum: Hashable, Sendable {
    public let currency: Currency
    /// In the currency's smallest unit. Wider than the amounts, so that no sum overflows.
    public let minorUnits: Int128

    package init(currency: Currency, minorUnits: Int128) {
        self.currency = currency
        self.minorUnits = minorUnits
    }
}
