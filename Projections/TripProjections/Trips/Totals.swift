package import Events
public import Trips

/// The sums over a trip's items.
public struct Totals: Hashable, Sendable {
    // The known kinds, each in a field of its own: a dictionary for each trip of a page would cost more than reading
    // it.
    private var activities: Int?
    private var lodgings: Int?
    private var transportations: Int?
    private var others: [EntityKind: Int] = [:]
    // Most trips are paid for in one currency or two. Without a first there is no second, and so on.
    private var firstCost: CostSum?
    private var secondCost: CostSum?
    private var furtherCosts: [CostSum] = []

    package init() {}

    /// Their costs, a sum for each currency, ordered by currency code.
    public var costs: [CostSum] {
        get { [firstCost, secondCost].compactMap { $0 } + furtherCosts }
        set {
            (firstCost, secondCost, furtherCosts) = (nil, nil, [])
            for cost in newValue { add(cost) }
        }
    }

    /// The number of items of each kind.
    package var itemCounts: [EntityKind: Int] {
        get {
            var counts = others
            counts[.activity] = activities
            counts[.lodging] = lodgings
            counts[.transportation] = transportations
            return counts
        }
        set {
            others = newValue
            activities = others.removeValue(forKey: .activity)
            lodgings = others.removeValue(forKey: .lodging)
            transportations = others.removeValue(forKey: .transportation)
        }
    }

    /// The number of items of all kinds.
    public var itemCount: Int {
        // Damaged rows may hold any number.
        others.values.reduce((activities ?? 0) &+ (lodgings ?? 0) &+ (transportations ?? 0), &+)
    }

    mutating func add(_ cost: CostSum) {
        if firstCost == nil {
            firstCost = cost
        } else if secondCost == nil {
            secondCost = cost
        } else {
            furtherCosts.append(cost)
        }
    }

    mutating func set(_ count: Int, of kind: EntityKind) {
        switch kind {
        case .activity: activities = count
        case .lodging: lodgings = count
        case .transportation: transportations = count
        default: others[kind] = count
        }
    }
}
