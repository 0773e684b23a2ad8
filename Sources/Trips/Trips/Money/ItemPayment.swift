/// An item's cost, the part of it that counts, what is paid and what is not: the one place that decides it. Totals, budgets, settling, the tool
/// and pages ask it.
public struct ItemPayment: Hashable, Sendable {
    /// How much of the cost is paid.
    package enum Extent: Sendable { case nothing, part, all }

    /// The cost of the item, whether it counts or not.
    package let price: Money?
    /// How much of it is said to be paid.
    package let status: PaidStatus
    /// The part of the cost that sums over a trip count: of a cancelled item the cost if it is paid in full, otherwise the amount paid.
    public let cost: Money?
    /// The amount paid: all of the cost if it is paid in full, otherwise the one that is noted; nil if none is.
    public let paid: Money?
    /// The amount that is noted as paid, whether it counts or not.
    let noted: Money?

    init(price: Money?, status: PaidStatus, noted: Money?, stage: PlanningStage) {
        self.price = price
        self.status = status
        self.noted = noted
        cost = stage.countsCost(status) ? price : noted
        paid = status == .inFull ? price : noted
    }

    /// The part of the cost that counts and is not paid, in its currency: less than 0 where more is paid, or where a refund is expected. An amount
    /// paid in another currency pays nothing of it. Nil without a cost.
    public var unpaid: CostSum? {
        cost.map { cost in
            let paid = paid.flatMap { $0.currency == cost.currency ? $0.minorUnits : nil } ?? 0
            return CostSum(currency: cost.currency, minorUnits: Int128(cost.minorUnits) - Int128(paid))
        }
    }

    /// The part of the cost that counts and is paid, in its smallest units: no more than the cost, and of a refund no less.
    var paidOfCost: Int64 {
        guard let cost, let paid, paid.currency == cost.currency else { return 0 }
        let units = paid.minorUnits
        return cost.minorUnits < 0 ? max(min(units, 0), cost.minorUnits) : min(max(units, 0), cost.minorUnits)
    }

    /// How much is paid, for words: all, a part such as a deposit, or nothing.
    package var extent: Extent {
        if status == .inFull { return .all }
        if let paid, paid.minorUnits != 0 {
            guard let cost, let unpaid else { return .all }
            return unpaid.minorUnits.signum() == Int128(cost.minorUnits.signum()) ? .part : .all
        }
        return status == .none ? .nothing : .part
    }
}

extension PlanningStage {
    /// Whether a trip counts the cost of an item, and otherwise the amount that is paid, if there is one.
    ///
    /// The cost, unless the item is cancelled: then what is paid, which is the cost if it is paid in full.
    func countsCost(_ paid: PaidStatus) -> Bool { self != .cancelled || paid == .inFull }
}

extension Item {
    /// Its cost, the part of that which counts, and the amount paid.
    public var payment: ItemPayment { ItemPayment(price: cost, status: paid, noted: paidAmount, stage: stage) }

    /// The part of its cost that sums over a trip count: of a cancelled item the cost if it is paid in full, otherwise `paidAmount`.
    public var countedCost: Money? { payment.cost }

    /// The amount paid of its cost: all of it if it is paid in full, otherwise `paidAmount`; nil if nobody noted it.
    package var paidCost: Money? { payment.paid }
}
