/// How those who take part in an item share its cost.
public enum CostSplit: Hashable, Sendable {
    case equally
    /// In proportion to parts, none of them negative. Those without parts have one.
    case byParts([Traveller.ID: Int])
    /// Each pays an amount in the currency of the cost. Those without one share the rest equally. Where the amounts are more than the cost, as
    /// of a cancelled item of which less is paid, it is divided in proportion to them.
    case byAmounts([Traveller.ID: Money])

    /// As fields have it.
    enum Mode: String, OwnFieldValue { case parts, amounts }

    /// The shares that the participants owe, exact in minor units: they and `CostShares.rest` together are the cost.
    ///
    /// Units that are left over by the division go to those with the largest remainders, one each; of equal ones to those with the least ids.
    /// Total: parts below 0 count as 0, and if nobody has parts, all share equally. Amounts in another currency count as none. Parts and
    /// amounts of those who do not take part are left out. O(n · log n).
    public func shares(of cost: Money, among participants: Set<Traveller.ID>) -> CostShares {
        var shares = CostShares(currency: cost.currency, minorUnits: [:], rest: Int128(cost.minorUnits))
        guard !participants.isEmpty else { return shares }
        switch self {
        case .equally: shares.divide(among: participants.map { ($0, 1) })
        case .byParts(let parts):
            let weights = participants.map { ($0, Swift.max(0, parts[$0] ?? 1)) }
            shares.divide(among: weights.contains { $0.1 > 0 } ? weights : participants.map { ($0, 1) })
        case .byAmounts(let amounts):
            var others: [Traveller.ID] = []
            for participant in participants {
                if let amount = amounts[participant], amount.currency == cost.currency {
                    shares.minorUnits[participant] = Int128(amount.minorUnits)
                    shares.rest -= Int128(amount.minorUnits)
                } else {
                    others.append(participant)
                }
            }
            let sign = Int128(cost.minorUnits.signum())
            if shares.rest != 0, shares.rest.signum() != sign {
                // The amounts exceed the cost, or nothing is paid: what counts is divided as they would be, and the others owe nothing.
                let weights = shares.minorUnits.map { ($0.key, Int(clamping: Swift.max(0, $0.value * sign))) }
                shares.rest = Int128(cost.minorUnits)
                shares.minorUnits = Dictionary(uniqueKeysWithValues: participants.map { ($0, 0) })
                shares.divide(among: weights)
            } else {
                shares.divide(among: others.map { ($0, 1) })
            }
        }
        return shares
    }
}

/// The shares of a cost that some travellers owe.
public struct CostShares: Hashable, Sendable {
    public let currency: Currency
    /// In the smallest units of the currency; negative of a refund.
    public internal(set) var minorUnits: [Traveller.ID: Int128]
    /// The part that nobody owes: all of it if nobody takes part; the difference where the amounts of all add up to less than the cost.
    public internal(set) var rest: Int128

    /// An amount divided as these shares divide their cost, such as what is paid of it; nil if nobody owes any of that. O(n · log n).
    func dividing(_ amount: Money) -> CostShares? {
        let cost = minorUnits.values.reduce(rest, +)
        guard amount.currency != currency || Int128(amount.minorUnits) != cost else { return self }
        let shares = minorUnits.sorted { $0.key < $1.key }
        let weights = (shares.map(\.value) + [rest]).map { Int(clamping: max(0, $0 * cost.signum())) }
        guard weights.contains(where: { $0 > 0 }) else { return nil }
        let parts = LargestRemainder.parts(of: Int128(amount.minorUnits), by: weights)
        return CostShares(
            currency: amount.currency,
            minorUnits: Dictionary(uniqueKeysWithValues: zip(shares.map(\.key), parts)), rest: parts.last ?? 0)
    }

    /// Divides the rest by weights, of which one at least is above 0; of equal remainders those with the least ids come first.
    fileprivate mutating func divide(among weights: [(id: Traveller.ID, weight: Int)]) {
        guard weights.contains(where: { $0.weight > 0 }) else { return }
        let weights = weights.sorted { $0.id < $1.id }
        for (weight, part) in zip(weights, LargestRemainder.parts(of: rest, by: weights.map(\.weight))) {
            minorUnits[weight.id, default: 0] += part
        }
        rest = 0
    }
}

/// The balance of a traveller in one currency: the amount paid for a trip's items, and the traveller's share of what is paid.
public struct TravellerBalance: Hashable, Sendable {
    public let traveller: Traveller.ID
    public let currency: Currency
    /// In the smallest units of the currency: what the traveller paid of what others and the traveller share, see `ItemPayment.paid`.
    public let paid: Int128
    /// The traveller's share of what is paid, in the smallest units of the currency.
    public let share: Int128

    /// The amount that the others still owe the traveller; negative if the traveller owes them. Balances of one currency add up to 0.
    public var balance: Int128 { paid - share }

    /// The balances of all who paid, or take part in, items of which something is paid and that have a payer; by currency, then by id. What is
    /// not paid yet is owed to nobody, and a rest that nobody owes is the payer's own. O(items · participants).
    package static func all(of items: [TripItem], among travellers: Set<Traveller.ID>) -> [TravellerBalance] {
        sums(
            of: items.flatMap { item -> [TravellerBalance] in
                guard let payer = item.payer, let shares = item.paidShares(among: travellers) else { return [] }
                let currency = shares.currency
                return shares.minorUnits.flatMap { traveller, share in
                    [
                        TravellerBalance(traveller: traveller, currency: currency, paid: 0, share: share),
                        TravellerBalance(traveller: payer, currency: currency, paid: share, share: 0),
                    ]
                }
            })
    }
}

/// Divides whole numbers exactly, by the method of the largest remainder.
enum LargestRemainder {
    /// Parts in proportion to weights, which add up to the amount; of weights that are all 0, no part is anything.
    ///
    /// Each gets the whole part of its share. Units that are left over go to those with the largest remainders, one each; of equal ones to
    /// those that come first. Negative weights count as 0. O(n · log n).
    static func parts(of amount: Int128, by weights: [Int]) -> [Int128] {
        let weights = weights.map { UInt128(Swift.max(0, $0)) }
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return weights.map { _ in 0 } }
        // Amounts may be longer than 64 bits: the quotient and the remainder are multiplied apart, so that nothing overflows.
        let (whole, left) = amount.magnitude.quotientAndRemainder(dividingBy: sum)
        var parts = weights.map { weight in
            let (share, remainder) = sum.dividingFullWidth(left.multipliedFullWidth(by: weight))
            return (share: whole * weight + share, remainder: remainder)
        }
        let units = amount.magnitude - parts.reduce(0) { $0 + $1.share }
        let order = parts.indices.sorted {
            (parts[$1].remainder, $0) < (parts[$0].remainder, $1)
        }
        for (number, index) in order.enumerated() where UInt128(number) < units { parts[index].share += 1 }
        return parts.map { Int128($0.share) * amount.signum() }
    }
}
