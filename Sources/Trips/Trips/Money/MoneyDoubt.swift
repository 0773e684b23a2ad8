/// A value of an item's money that does not count, or does not add up with the others. Merges and imports bring such values: they are kept, and
/// named wherever the money is shown.
public enum MoneyDoubt: Hashable, Sendable {
    /// A way to split that this version does not know: all pay equally.
    case unknownSplit(String)
    /// Parts while the cost is not split by parts.
    case unusedParts
    /// Amounts while the cost is not split by amounts.
    case unusedAmounts
    /// A part or an amount of a traveller who does not take part.
    case notTakingPart(Traveller.ID)
    /// A part below 0, which counts as 0.
    case negativePart(Traveller.ID, Int)
    /// An amount that is a payment where the cost is a refund, or the reverse.
    case oppositeAmount(Traveller.ID, Money)
    /// An amount in another currency than that of the cost, which counts as none.
    case foreignAmount(Traveller.ID, Money)
    /// Amounts that are more than the cost: it is divided in proportion to them.
    case amountsBeyond([Money], by: Money, cost: Money)
    /// Amounts of all who take part that are less than the cost: nobody owes the difference.
    case amountsBelow([Money], by: Money, cost: Money)
    /// An amount that is paid in another currency than that of the cost, of which it pays nothing.
    case foreignPayment(Money, cost: Money)
    /// An amount that is paid and is more than the cost.
    case paidBeyond(Money, cost: Money)
    /// An amount that is noted as paid beside a cost that is paid in full, and does not count.
    case unusedPayment(Money, cost: Money)

    /// The traveller whose share it is about; nil if it is about none.
    public var traveller: Traveller.ID? {
        switch self {
        case .notTakingPart(let id), .negativePart(let id, _), .oppositeAmount(let id, _), .foreignAmount(let id, _): id
        default: nil
        }
    }

    /// One sentence for people, without its full stop; `name` returns the names of travellers.
    public func words(_ name: (Traveller.ID) -> String) -> String {
        switch self {
        case .unknownSplit(let word): "the split '\(word.prefix(40))' is not known here, so all pay equally"
        case .unusedParts: "parts without split=parts count nothing"
        case .unusedAmounts: "amounts without split=amounts count nothing"
        case .notTakingPart(let traveller):
            "\(name(traveller)) has a share and does not take part, so it counts nothing"
        case .negativePart(let traveller, let part): "\(part) parts of \(name(traveller)) count as 0"
        case .oppositeAmount(let traveller, let amount):
            "the share of \(name(traveller)), \(amount), has another sign than the cost"
        case .foreignAmount(let traveller, let amount):
            "the share of \(name(traveller)), \(amount), is not in the currency of the cost and counts nothing"
        case .amountsBeyond(let amounts, let difference, let cost):
            "\(Self.list(amounts)) are \(difference) more than \(cost), which is divided in proportion to them"
        case .amountsBelow(let amounts, let difference, let cost):
            "\(Self.list(amounts)) are \(difference) less than \(cost), and nobody owes that"
        case .foreignPayment(let paid, let cost):
            "\(paid) paid is not in the currency of the cost, and pays nothing of \(cost)"
        case .paidBeyond(let paid, let cost): "\(paid) paid is more than \(cost)"
        case .unusedPayment(let paid, let cost): "\(paid) paid does not count beside \(cost) that is paid in full"
        }
    }

    /// As in "30.00 EUR and 70.01 EUR".
    private static func list(_ amounts: [Money]) -> String {
        let words = amounts.map { "\($0)" }
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) and \(last)"
    }
}

/// A doubt about the money of an item, for lists of several items.
public struct DoubtedItem: Hashable, Sendable {
    public let item: TripItem.ID
    public let name: String
    public let doubt: MoneyDoubt
}

extension Item {
    /// The values of its shares and of what is paid that do not count, or do not add up. O(participants · log participants).
    package func moneyDoubts(among travellers: Set<Traveller.ID>) -> [MoneyDoubt] {
        (own.isEmpty ? [] : shareDoubts(sharers(among: travellers))) + payment.doubts
    }

    private func shareDoubts(_ sharers: Set<Traveller.ID>) -> [MoneyDoubt] {
        let parts: [Traveller.ID: Int] = self[OwnMap(.parts)]
        let amounts: [Traveller.ID: Money] = self[OwnMap(.amounts)]
        let split = split
        var doubts: [MoneyDoubt] = []
        if case .equally = split, let word = String(own: own[EntitySchema.Field.split.number]) {
            doubts.append(.unknownSplit(word))
        }
        let (countsParts, countsAmounts) =
            switch split {
            case .equally: (false, false)
            case .byParts: (true, false)
            case .byAmounts: (false, true)
            }
        if !parts.isEmpty && !countsParts { doubts.append(.unusedParts) }
        if !amounts.isEmpty && !countsAmounts { doubts.append(.unusedAmounts) }
        let counted = countsParts ? Set(parts.keys) : countsAmounts ? Set(amounts.keys) : []
        doubts += counted.subtracting(sharers).sorted().map { .notTakingPart($0) }
        if countsParts {
            doubts += parts.filter { $0.value < 0 && sharers.contains($0.key) }.sorted { $0.key < $1.key }
                .map { .negativePart($0.key, $0.value) }
        }
        if countsAmounts, let cost {
            doubts += Self.doubts(amounts.filter { sharers.contains($0.key) }, of: cost, sharers.count)
        }
        return doubts
    }

    /// The doubts about the amounts of some who share a cost with others.
    private static func doubts(
        _ amounts: [Traveller.ID: Money], of cost: Money, _ sharers: Int
    ) -> [MoneyDoubt] {
        let inOrder = amounts.sorted { $0.key < $1.key }
        let counted = inOrder.filter { $0.value.currency == cost.currency }
        let sign = cost.minorUnits.signum()
        var doubts: [MoneyDoubt] = inOrder.compactMap { traveller, amount in
            if amount.currency != cost.currency { return .foreignAmount(traveller, amount) }
            return amount.minorUnits.signum() == -sign && sign != 0 ? .oppositeAmount(traveller, amount) : nil
        }
        let rest = counted.reduce(Int128(cost.minorUnits)) { $0 - Int128($1.value.minorUnits) }
        let difference = Money(minorUnits: Int64(clamping: rest.magnitude), cost.currency)
        let values = counted.map(\.value).sorted { $0.minorUnits < $1.minorUnits }
        if rest != 0, rest.signum() != Int128(sign) {
            doubts.append(.amountsBeyond(values, by: difference, cost: cost))
        } else if rest != 0, counted.count == sharers {
            doubts.append(.amountsBelow(values, by: difference, cost: cost))
        }
        return doubts
    }
}

extension ItemPayment {
    /// The noted amount that is paid and does not count, or exceeds the cost.
    fileprivate var doubts: [MoneyDoubt] {
        guard let price, let noted, noted.minorUnits != 0 else { return [] }
        if status == .inFull { return noted == price ? [] : [.unusedPayment(noted, cost: price)] }
        if noted.currency != price.currency { return [.foreignPayment(noted, cost: price)] }
        return noted.minorUnits.magnitude > price.minorUnits.magnitude ? [.paidBeyond(noted, cost: price)] : []
    }
}

extension TripItem {
    /// The values of its shares and of what is paid that do not count, or do not add up. See `Item.moneyDoubts(among:)`.
    package func moneyDoubts(among travellers: Set<Traveller.ID>) -> [MoneyDoubt] {
        common.moneyDoubts(among: travellers)
    }
}
