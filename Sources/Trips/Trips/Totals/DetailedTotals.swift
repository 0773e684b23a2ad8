public import Events

/// The costs of trips, by what the items have in common; exact. No currency is converted unless one is asked for: then each amount is, by the
/// rates of its trip, and those without a rate stay what they are.
///
/// The sums of every breakdown add up to `totals`. Of a cancelled item only what is paid counts.
public struct DetailedTotals: Hashable, Sendable {
    /// How many items there are, those without a cost among them.
    public let itemCount: Int
    /// A sum for each currency, in the order of the codes.
    public let totals: [CostTotal]
    /// By trip, in the order in which they were summed up.
    public let byTrip: [CostGroup<Trip.ID>]
    /// By the kind of the items.
    public let byKind: [CostGroup<EntityKind>]
    /// By the calendar day on which an item begins, where the traveller is; a stay counts in equal parts on the days that its nights follow.
    /// What has no time is under nil, and comes last.
    public let byDay: [CostGroup<Day?>]
    /// By category, regardless of case and accents; "" for items without one, which come first.
    public let byCategory: [CostGroup<String>]
    /// By whether items are paid.
    public let byPaidStatus: [CostGroup<PaidStatus>]
    /// By traveller, by their ids: `cost` is what a traveller owes of the costs, `paid` what was paid as the payer of an item. What nobody owes, or
    /// nobody is named to have paid, is under nil, and comes last.
    public let byTraveller: [CostGroup<Traveller.ID?>]
    /// The budgets of the trips, each with what it allows and what is left of it.
    public let budgets: [BudgetStatus]
    /// The amounts still to be paid, as costs of which nothing is paid, by the traveller who is named to pay them; those for whom nobody is named
    /// are under nil, and come last. Nothing of them is settled.
    public let unpaid: [CostGroup<Traveller.ID?>]
    /// The balances of travellers, by currency, then by id: of what is paid.
    public let balances: [TravellerBalance]
    /// The payments after which nobody owes anybody anything: see `TravellerBalance.payments(settling:)`.
    public let payments: [SettlingPayment]
    /// The values of items that do not count, or do not add up.
    public let doubts: [DoubtedItem]
    /// The currency that was asked for; nil if each is by itself. `totals` have others where there is no rate.
    public let currency: Currency?
    /// The rates that were applied, by pair and day.
    public let rates: [CurrencyRate]

    /// A trip with what belongs to it.
    package typealias Part = (trip: Trip, items: [TripItem], budgets: [Budget])

    /// In one currency if one is named, by the rates of each trip. O(items · log items + nights of stays + items · (participants + rates)).
    package init(
        of parts: some Sequence<Part>, in currency: Currency? = nil, by rates: [Trip.ID: [CurrencyRate]] = [:]
    ) {
        var tally = Tally()
        for part in parts { tally.add(part, in: currency, by: rates[part.trip.id] ?? []) }
        self.init(tally, currency)
    }

    fileprivate init(_ tally: Tally, _ currency: Currency?) {
        self.currency = currency
        rates = tally.rates.sorted { ($0.pair, $0.day ?? .first, $0.id) < ($1.pair, $1.day ?? .first, $1.id) }
        doubts = tally.doubts.sorted { ($0.name, "\($0.item)") < ($1.name, "\($1.item)") }
        unpaid = tally.unpaid.groups { a, b in
            guard let a, let b else { return a != nil }
            return a < b
        }
        itemCount = tally.itemCount
        totals = tally.all.groups { _, _ in false }.first?.totals ?? []
        let order = Dictionary(tally.trips.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        byTrip = tally.byTrip.groups { (order[$0] ?? 0) < (order[$1] ?? 0) }
        byKind = tally.byKind.groups { $0.rawValue < $1.rawValue }
        byDay = tally.byDay.groups { ($0 ?? .last, $0 == nil ? 1 : 0) < ($1 ?? .last, $1 == nil ? 1 : 0) }
        let names = tally.categories
        byCategory = tally.byCategory.groups { $0 < $1 }.map {
            CostGroup(key: names[$0.key] ?? $0.key, totals: $0.totals)
        }
        byPaidStatus = tally.byPaidStatus.groups { $0.rawValue < $1.rawValue }
        byTraveller = tally.byTraveller.groups { a, b in
            guard let a, let b else { return a != nil }
            return a < b
        }
        budgets = tally.budgets
        balances = TravellerBalance.sums(of: tally.balances)
        payments = TravellerBalance.payments(settling: balances)
    }
}

extension DetailedTotals {
    /// The amounts still to be paid, one by one.
    package var unpaidAmounts: [(payer: Traveller.ID?, amount: CostSum)] {
        unpaid.flatMap { group in
            group.totals.map { (group.key, CostSum(currency: $0.currency, minorUnits: $0.cost)) }
        }
    }
}

/// The sums of trips as they are added.
private struct Tally {
    var itemCount = 0
    var trips: [Trip.ID] = []
    var all = CostTally<Bool>()
    var byTrip = CostTally<Trip.ID>()
    var byKind = CostTally<EntityKind>()
    var byDay = CostTally<Day?>()
    /// By the folded category.
    var byCategory = CostTally<String>()
    /// The first way, by its bytes, in which a folded category is written.
    var categories: [String: String] = [:]
    var byPaidStatus = CostTally<PaidStatus>()
    var byTraveller = CostTally<Traveller.ID?>()
    var budgets: [BudgetStatus] = []
    var balances: [TravellerBalance] = []
    var unpaid = CostTally<Traveller.ID?>()
    var doubts: [DoubtedItem] = []
    var rates: [CurrencyRate] = []

    /// Adds a trip, with its amounts in one currency if one is named.
    mutating func add(_ part: DetailedTotals.Part, in currency: Currency?, by rates: [CurrencyRate]) {
        // Doubts are about what a person wrote, whatever it comes to in another currency.
        for item in part.items {
            doubts += item.moneyDoubts(among: part.trip.travellers).map {
                DoubtedItem(item: item.id, name: item.name, doubt: $0)
            }
        }
        guard let currency else { return add(part) }
        var conversion = CurrencyConversion(to: currency, by: rates)
        add(
            (
                part.trip, ItemCourse.all(of: part.items).map { conversion.converted($0, part.trip) },
                part.budgets.map { conversion.converted($0, part.trip) }
            ))
        self.rates += rates.filter { conversion.used.contains($0.id) }
    }

    private mutating func add(_ part: DetailedTotals.Part) {
        let (trip, items, budgets) = part
        trips.append(trip.id)
        let (clocks, travellers) = (TripClocks(items), trip.travellers)
        for item in items {
            itemCount += 1
            let cost = ItemCost(item)
            if cost.amounts.isEmpty { continue }
            all.add(cost, to: true)
            byTrip.add(cost, to: trip.id)
            byKind.add(cost, to: item.kind)
            byPaidStatus.add(cost, to: item.paid)
            addCategory(item.category, cost)
            addDays(ItemCourse(item, clocks), cost)
            addTravellers(item, travellers)
            if let open = item.payment.unpaid, open.minorUnits > 0 {
                unpaid.add(ItemCost((open.currency, open.minorUnits), paid: nil), to: item.payer)
            }
        }
        self.budgets += BudgetStatus.all(budgets, for: items)
        balances += TravellerBalance.all(of: items, among: travellers)
    }

    private mutating func addCategory(_ category: String, _ cost: ItemCost) {
        let folded = TextFolding.folded(category)
        byCategory.add(cost, to: folded)
        let known = categories[folded] ?? category
        categories[folded] = category.utf8.lexicographicallyPrecedes(known.utf8) ? category : known
    }

    private mutating func addDays(_ course: ItemCourse, _ cost: ItemCost) {
        let nights = course.countedNights
        guard nights.count > 1 else { return byDay.add(cost, to: course.first ?? course.last) }
        for (day, part) in zip(nights, cost.divided(by: nights.count)) { byDay.add(part, to: day) }
    }

    private mutating func addTravellers(_ item: TripItem, _ travellers: Set<Traveller.ID>) {
        var parts: [Traveller.ID?: (cost: (Currency, Int128)?, paid: (Currency, Int128)?)] = [:]
        if let shares = item.shares(among: travellers) {
            for (traveller, share) in shares.minorUnits { parts[traveller] = ((shares.currency, share), nil) }
            let nobody: Traveller.ID? = nil
            if shares.rest != 0 || shares.minorUnits.isEmpty { parts[nobody] = ((shares.currency, shares.rest), nil) }
        }
        if let paid = item.paidCost { parts[item.payer, default: (nil, nil)].paid = paid.sum }
        for (traveller, part) in parts { byTraveller.add(ItemCost(part.cost, paid: part.paid), to: traveller) }
    }
}

extension ItemCourse {
    /// The days of the nights of a stay, as far as an agenda goes; empty for others, and for what is longer.
    fileprivate var countedNights: [Day] {
        let nights = nights
        guard nights.count <= Agenda.mostDays else { return [] }
        return nights.filter { role(on: $0) != nil }
    }
}
