package import Events

extension Trip {
    /// The travellers of the trip. Concurrent additions all count. O(travellers).
    public var travellers: Set<Traveller.ID> {
        get { self[OwnSet(.travellers)] }
        set { self[OwnSet(.travellers)] = newValue }
    }

    /// Whether it is a model for trips: it is in no list of trips and in no answer of a query, and neither is what belongs to it. Queries
    /// for what belongs to one trip have it.
    public var isTemplate: Bool {
        get { self[OwnField(.isTemplate)] ?? false }
        set { self[OwnField(.isTemplate)] = newValue ? true : nil }
    }
}

/// Who takes part in an item, who paid it, and how its cost is shared.
extension Item {
    /// The travellers who take part. Empty if all who travel take part, or if all who take part are deleted: see
    /// `isForAllTravellers`. Concurrent additions all count. O(participants).
    public var participants: Set<Traveller.ID> {
        get { self[OwnSet(.participants)] }
        set { self[OwnSet(.participants)] = newValue }
    }

    /// Whether nobody is named as a participant, so that all who travel take part. Of an item that names deleted travellers alone nobody takes
    /// part until one of them is restored.
    public var isForAllTravellers: Bool {
        participants.isEmpty && !own.hidesElements(of: EntitySchema.Field.participants.number)
    }

    /// The traveller who paid or is going to pay; nil while no payer is named, or that traveller is deleted.
    public var payer: Traveller.ID? {
        get { self[OwnField(.payer)] }
        set { self[OwnField(.payer)] = newValue }
    }

    /// How participants share the cost. The parts and amounts of each traveller are merged by themselves.
    public var split: CostSplit {
        get {
            switch self[OwnField<Self, CostSplit.Mode>(.split)] {
            case .parts?: .byParts(self[OwnMap(.parts)])
            case .amounts?: .byAmounts(self[OwnMap(.amounts)])
            case nil: .equally
            }
        }
        set {
            switch newValue {
            case .equally: set(nil, [:], [:])
            case .byParts(let parts): set(.parts, parts, [:])
            case .byAmounts(let amounts): set(.amounts, [:], amounts)
            }
        }
    }

    private mutating func set(_ mode: CostSplit.Mode?, _ parts: [Traveller.ID: Int], _ amounts: [Traveller.ID: Money]) {
        self[OwnField(.split)] = mode
        self[OwnMap(.parts)] = parts
        self[OwnMap(.amounts)] = amounts
    }

    /// The shares of the cost, of a cancelled item of what is paid: the participants', or those of all who travel where none are named. If
    /// those who are named are deleted, nobody owes anything. Nil where no cost counts, see `countedCost`.
    public func shares(among travellers: Set<Traveller.ID>) -> CostShares? {
        countedCost.map { split.shares(of: $0, among: sharers(among: travellers)) }
    }

    /// The shares of what is paid, in proportion to those of the cost. Nil where nothing is paid, see `ItemPayment.paid`.
    package func paidShares(among travellers: Set<Traveller.ID>) -> CostShares? {
        guard let paid = payment.paid else { return nil }
        return shares(among: travellers)?.dividing(paid) ?? split.shares(of: paid, among: sharers(among: travellers))
    }

    /// The travellers who share the cost: the participants, or all who travel where none are named.
    func sharers(among travellers: Set<Traveller.ID>) -> Set<Traveller.ID> {
        isForAllTravellers ? travellers : participants
    }
}

extension TripItem {
    /// The shares of the cost that counts; nil without one. See `Item.shares(among:)`.
    public func shares(among travellers: Set<Traveller.ID>) -> CostShares? { common.shares(among: travellers) }

    /// The shares of what is paid; nil if nothing is. See `Item.paidShares(among:)`.
    package func paidShares(among travellers: Set<Traveller.ID>) -> CostShares? { common.paidShares(among: travellers) }

    /// All whom it names: who takes part, who pays, and who has a share.
    package var namedTravellers: Set<Traveller.ID> {
        let sharers: [Traveller.ID] =
            switch self.split {
            case .equally: []
            case .byParts(let parts): Array(parts.keys)
            case .byAmounts(let amounts): Array(amounts.keys)
            }
        return self.participants.union(sharers).union([self.payer].compactMap { $0 })
    }

    /// Whether it has values in a namespace: most items have none.
    package var hasOwnValues: Bool { !self.own.isEmpty }

    /// Clears references as `TripEntity.nullify(where:)` does.
    package mutating func nullify(where isDeleted: (EntityReference) throws -> Bool) rethrows {
        guard hasOwnValues else { return }
        switch self {
        case .activity(var item):
            try item.nullify(where: isDeleted)
            self = .activity(item)
        case .lodging(var item):
            try item.nullify(where: isDeleted)
            self = .lodging(item)
        case .transportation(var item):
            try item.nullify(where: isDeleted)
            self = .transportation(item)
        }
    }
}
