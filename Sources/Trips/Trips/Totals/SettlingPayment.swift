/// A payment from one traveller to another that settles what they owe.
public struct SettlingPayment: Hashable, Sendable {
    public let from: Traveller.ID
    public let to: Traveller.ID
    /// More than 0.
    public let amount: CostSum
}

extension TravellerBalance {
    /// The payments after which nobody owes anybody anything: of n travellers who have a balance, at most n - 1 in each currency.
    ///
    /// First those pay each other whose balances are opposite, then who owes most pays whom most is owed, and so on; of equal balances the
    /// one with the least id comes first. The result depends on the balances alone, not on their order: by currency, then by the payer and
    /// the payee. Balances that do not add up to 0 are settled as far as that goes. O(n · log n).
    package static func payments(settling balances: [TravellerBalance]) -> [SettlingPayment] {
        let byCurrency = Dictionary(grouping: sums(of: balances), by: \.currency.code)
        return byCurrency.sorted { $0.key < $1.key }.flatMap { code, balances in
            let payments = settle(
                balances.filter { $0.balance < 0 }.map { ($0.traveller, -$0.balance) },
                balances.filter { $0.balance > 0 }.map { ($0.traveller, $0.balance) })
            return payments.sorted { ($0.from, $0.to) < ($1.from, $1.to) }.map { from, to, amount in
                SettlingPayment(
                    from: from, to: to, amount: CostSum(currency: Currency(unchecked: code), minorUnits: amount))
            }
        }
    }

    private typealias Open = (id: Traveller.ID, amount: Int128)

    private static func settle(
        _ debtors: [Open], _ creditors: [Open]
    ) -> [(from: Traveller.ID, to: Traveller.ID, amount: Int128)] {
        var payments: [(from: Traveller.ID, to: Traveller.ID, amount: Int128)] = []
        // Opposite balances first: each such payment settles two.
        var owed = Dictionary(grouping: inOrder(creditors), by: \.amount).mapValues { Array($0.reversed()) }
        var owing: [Open] = []
        for debtor in inOrder(debtors) {
            if let creditor = owed[debtor.amount]?.popLast() {
                payments.append((debtor.id, creditor.id, debtor.amount))
            } else {
                owing.append(debtor)
            }
        }
        // Each further payment settles one of the two, and the last one both.
        var waiting = inOrder(owed.values.flatMap { $0 })[...]
        for var debtor in owing {
            while debtor.amount > 0, var creditor = waiting.first {
                let amount = min(debtor.amount, creditor.amount)
                payments.append((debtor.id, creditor.id, amount))
                debtor.amount -= amount
                creditor.amount -= amount
                waiting[waiting.startIndex] = creditor
                if creditor.amount == 0 { waiting.removeFirst() }
            }
        }
        return payments
    }

    /// The greatest first, then by id.
    private static func inOrder(_ open: [Open]) -> [Open] {
        open.sorted { $0.amount == $1.amount ? $0.id < $1.id : $0.amount > $1.amount }
    }

    /// Balances of several trips, those of each traveller and currency added up; by currency, then by id.
    static func sums(of balances: [TravellerBalance]) -> [TravellerBalance] {
        struct Key: Hashable {
            let currency: String
            let traveller: Traveller.ID
        }
        var sums: [Key: TravellerBalance] = [:]
        for balance in balances {
            let key = Key(currency: balance.currency.code, traveller: balance.traveller)
            let known = sums[key]
            sums[key] = TravellerBalance(
                traveller: balance.traveller, currency: known?.currency ?? balance.currency,
                paid: balance.paid + (known?.paid ?? 0), share: balance.share + (known?.share ?? 0))
        }
        return sums.sorted { ($0.key.currency, $0.key.traveller) < ($1.key.currency, $1.key.traveller) }.map(\.value)
    }
}
