extension PlanningStage {
    /// Whether a trip counts the cost of an item, and otherwise the amount that is paid, if there is one: the one place that decides it.
    ///
    /// The cost, unless the item is cancelled: then what is paid, which is the cost if it is paid in full.
    func countsCost(_ paid: PaidStatus) -> Bool { self != .cancelled || paid == .inFull }
}

extension ItemEntity {
    /// The part of its cost that sums over a trip count: of a cancelled item the cost if it is paid in full, otherwise `paidAmount`.
    public var countedCost: Money? { stage.countsCost(paid) ? cost : paidAmount }

    /// The amount paid of its cost: all of it if it is paid in full, otherwise `paidAmount`; nil if nobody noted it.
    public var paidCost: Money? { paid == .inFull ? cost : paidAmount }
}
