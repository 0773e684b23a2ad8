/// What a traveller has paid for a trip's items in one currency, and what of their costs is the traveller's.
public struct TravellerBalance: Hashable, Sendable {
    public let traveller: Traveller.ID
    public let currency: Currency
    /// In the smallest units of the currency: what the traveller paid of what others and the traveller owe. Of a cancelled item that is what
    /// counts of its cost, see `ItemEntity.countedCost`.
    public let paid: Int128
    /// What the traveller owes.
    public let share: Int128

    /// What the others still owe the traveller; negative if the traveller owes them. Those of one currency add up to 0.
    public var balance: Int128 { paid - share }

    /// Of all who paid, or take part in, items that have a cost and a payer; by currency, then by id. A cost's rest that nobody owes is the
    /// payer's own. O(items · participants).
    public static func all(of items: [TripItem], among travellers: Set<Traveller.ID>) -> [TravellerBalance] {
        var sums: [String: [Traveller.ID: (paid: Int128, share: Int128)]] = [:]
        for item in items {
            guard let payer = item.payer, let shares = item.shares(among: travellers), !shares.minorUnits.isEmpty else {
                continue
            }
            let code = shares.currency.code
            for (traveller, share) in shares.minorUnits {
                sums[code, default: [:]][traveller, default: (0, 0)].share += share
                sums[code, default: [:]][payer, default: (0, 0)].paid += share
            }
        }
        return sums.sorted { $0.key < $1.key }.flatMap { code, travellers in
            travellers.sorted { $0.key < $1.key }.map { traveller, sum in
                TravellerBalance(
                    traveller: traveller, currency: Currency(unchecked: code), paid: sum.paid, share: sum.share)
            }
        }
    }
}
