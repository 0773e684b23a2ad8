public import Events
public import Trips

/// What the items of a trip add up to.
public struct Totals: Hashable, Sendable {
    // The kinds that there are, each in a field of its own: a dictionary for each trip of a page would cost more than
    // reading it.
    private var activities: Int?
    private var lodgings: Int?
    private var transportations: Int?
    private var others: [EntityKind: Int] = [:]
    // Most trips are paid for in one currency or two. Without a first there is no second, and so on.
    private var firstCost: CostSum?
    private var secondCost: CostSum?
    private var furtherCosts: [CostSum] = []

    public init() {}

    /// What they cost, a sum for each currency that occurs, in the order of the currencies' codes.
    public var costs: [CostSum] {
        get { [firstCost, secondCost].compactMap { $0 } + furtherCosts }
        set {
            (firstCost, secondCost, furtherCosts) = (nil, nil, [])
            for cost in newValue { add(cost) }
        }
    }

    /// How many items there are of each kind that occurs.
    public var itemCounts: [EntityKind: Int] {
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

    /// How many items there are of all kinds.
    public var itemCount: Int {
        // Rows that are damaged may claim any number.
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

/// An exact sum of money in one currency.
public struct CostSum: Hashable, Sendable {
    public let currency: Currency
    /// In the currency's smallest unit. Wider than the amounts, so that no sum of them overflows.
    public let minorUnits: Int128

    public init(currency: Currency, minorUnits: Int128) {
        self.currency = currency
        self.minorUnits = minorUnits
    }
}
