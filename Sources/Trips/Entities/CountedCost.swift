/// What of an item's cost a trip counts: the one place that decides it.
///
/// All of it, unless the item is cancelled: then what is paid. That is the cost if it is paid in full, and otherwise the amount that is
/// paid, if there is one.
enum CountedCost {
    case cost, paidAmount

    init(of stage: PlanningStage, _ paid: PaidStatus) {
        self = stage != .cancelled || paid == .inFull ? .cost : .paidAmount
    }
}

extension ItemEntity {
    /// What of its cost sums over a trip count: see `CountedCost`. Of a cancelled item the cost if it is paid in full, otherwise
    /// `paidAmount`.
    public var countedCost: Money? {
        switch CountedCost(of: stage, paid) {
        case .cost: cost
        case .paidAmount: paidAmount
        }
    }

    /// What is paid of it: all of the cost if it is paid in full, otherwise `paidAmount`; nil if nobody noted it.
    public var paidCost: Money? { paid == .inFull ? cost : paidAmount }
}
