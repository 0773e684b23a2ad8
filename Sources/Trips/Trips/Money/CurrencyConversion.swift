import Foundation

/// The amounts of a trip in one currency, by the rates that people entered for it. An amount for whose currency there is no rate stays what it is.
struct CurrencyConversion {
    let currency: Currency
    /// The rates of each other currency, by day: those without one first, and of one day that which was written last at the end.
    private let rates: [Currency: [CurrencyRate]]
    /// The rates that were applied.
    private(set) var used: Set<CurrencyRate.ID> = []

    init(to currency: Currency, by rates: [CurrencyRate]) {
        self.currency = currency
        var found: [Currency: [CurrencyRate]] = [:]
        for rate in rates {
            guard rate.isUsable, let (from, to) = CurrencyRate.currencies(of: rate.pair) else { continue }
            if to == currency { found[from, default: []].append(rate) }
            if from == currency { found[to, default: []].append(rate) }
        }
        self.rates = found.mapValues { rates in
            rates.sorted { a, b in
                (a.day ?? .first, a.updatedAt ?? .distantPast, a.id) < (
                    b.day ?? .first, b.updatedAt ?? .distantPast, b.id
                )
            }
        }
    }

    /// An amount at the last rate up to a day, or else at the first one; without a day at the last.
    mutating func converted(_ amount: Money, on day: Day?) -> Money {
        guard amount.currency != currency, let rates = rates[amount.currency],
            let rate = rates.last(where: { ($0.day ?? .first) <= day ?? .last }) ?? rates.first,
            let converted = rate.converted(amount)
        else { return amount }
        used.insert(rate.id)
        return converted
    }

    /// An item with its cost, what is paid of it, and the amounts of its split; each share stays the same part of the cost.
    mutating func converted(_ course: ItemCourse, _ trip: Trip) -> TripItem {
        let (item, day) = (course.item, course.first ?? course.last ?? trip.startDay)
        let cost = item.cost.map { converted($0, on: day) }
        let paid = item.paidAmount.map { converted($0, on: day) }
        var split = item.split
        if case .byAmounts = split, let price = item.cost, let cost, cost.currency != price.currency {
            let sharers = item.isForAllTravellers ? trip.travellers : item.participants
            let shares = split.shares(of: price, among: sharers).dividing(cost)
            split = .byAmounts(
                shares?.minorUnits.mapValues { Money(minorUnits: Int64(clamping: $0), cost.currency) } ?? [:])
        }
        var result = item
        result.common.cost = cost
        result.common.paidAmount = paid
        if item.split != split { result.common.split = split }
        return result
    }

    mutating func converted(_ budget: Budget, _ trip: Trip) -> Budget {
        var result = budget
        result.amount = budget.amount.map { converted($0, on: trip.startDay) }
        return result
    }
}
