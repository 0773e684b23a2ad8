import TripFormats
import TripStore

/// What a trip is shown with beside its items: who travels, budgets and checklists.
struct TripPlanning {
    struct List {
        let list: Checklist
        let entries: [ChecklistEntry]
    }

    let trip: Trip
    let items: [TripItem]
    /// All whom the trip, its items or entries name and who are there.
    let travellers: [Traveller.ID: Traveller]
    let budgets: [Budget]
    let rates: [CurrencyRate]
    let lists: [List]
    /// Those of the trip, of its items, and of what else is shown.
    let attachments: [EntityReference: [AttachmentText]]

    /// The values that edits of the trip and of its items superseded unseen.
    let superseded: [EntityReference: [Superseded]]

    /// An open conflict, and its words.
    struct Superseded {
        let conflict: Conflict
        let words: String
    }

    /// A line for each open conflict over a field of an entity.
    func marks(of entity: EntityReference) -> [String] { superseded[entity]?.map(\.words) ?? [] }

    private var travelling: [Traveller] {
        trip.travellers.compactMap { travellers[$0] }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    private var statuses: [BudgetStatus] { BudgetStatus.all(budgets, for: items) }

    private var balances: [TravellerBalance] { TravellerBalance.all(of: items, among: trip.travellers) }

    private func name(of traveller: Traveller.ID) -> String { travellers[traveller]?.name ?? "\(traveller)" }

    // MARK: For people

    /// Each with its lines; none without any.
    func sections(showsIDs: Bool) -> [(title: String, lines: [String])] {
        func shown(_ text: String, _ entity: some TripEntity) -> String { text + (showsIDs ? "  \(entity.id)" : "") }
        let people = ("Travellers", travelling.map { shown(StoreKindText.title(of: $0), $0) })
        let money = ("Budgets", statuses.map(Self.words))
        let rates = ("Rates", rates.map { shown(StoreKindText.title(of: $0), $0) })
        let owed = ("Shared costs", balances.map(words))
        let lists = lists.map { list in
            let done = list.entries.count(where: \.isDone)
            let title = "\(list.list.name), \(done) of \(list.entries.count) done"
            return (
                shown(title, list.list),
                list.entries.map { entry in
                    shown(StoreKindText.title(of: entry, assignee: entry.assignee.flatMap { travellers[$0] }), entry)
                }
            )
        }
        let files = ("Attachments", attachments[trip.reference]?.map(\.line) ?? [])
        return [people, money, rates, owed, files].filter { !$0.1.isEmpty } + lists
    }

    /// As in "lodging: 420.00 EUR of 600.00 EUR planned, 180.00 EUR left, 100.00 EUR paid".
    static func words(_ status: BudgetStatus) -> String {
        "\(status.category.isEmpty ? "all" : status.category): \(status.words)"
    }

    /// As in "Ana paid 99.90 EUR, owes 49.95 EUR: gets 49.95 EUR".
    private func words(_ balance: TravellerBalance) -> String {
        func words(_ amount: Int128) -> String { CostSum(currency: balance.currency, minorUnits: amount).words }
        let end =
            balance.balance == 0
            ? "even" : balance.balance > 0 ? "gets \(words(balance.balance))" : "gives \(words(-balance.balance))"
        return "\(name(of: balance.traveller)) paid \(words(balance.paid)), owes \(words(balance.share)): \(end)"
    }

    /// Who takes part in an item, who pays, what each owes, what of that does not add up, and its attachments; none where nothing is named.
    func lines(of item: TripItem) -> [String] {
        var facts: [String] = []
        let names = item.participants.map { name(of: $0) }.sorted()
        let isShared = item.payer != nil || item.split != .equally
        if !names.isEmpty { facts.append("with \(names.joined(separator: ", "))") }
        if isShared && item.isForAllTravellers && !trip.travellers.isEmpty { facts.append("with all who travel") }
        if let payer = item.payer { facts.append("\(item.payment.payerWords) \(name(of: payer))") }
        if item.split != .equally, let shares = item.shares(among: trip.travellers) {
            let parts = shares.minorUnits.map { (name(of: $0.key), $0.value) }.sorted { $0 < $1 }
            facts += parts.map { "\($0): \(CostSum(currency: shares.currency, minorUnits: $1).words)" }
        }
        return (facts.isEmpty ? [] : [facts.joined(separator: ", ")])
            + item.moneyDoubts(among: trip.travellers).map { "look at: \(words(of: $0))" } + marks(of: item.reference)
            + attachmentLines(of: item.reference)
    }

    func words(of doubt: MoneyDoubt) -> String { doubt.words { name(of: $0) } }

    func attachmentLines(of entity: EntityReference) -> [String] {
        attachments[entity]?.map { "attached: \($0.line)" } ?? []
    }

    // MARK: For programs

    func attachmentsMember(of owners: [EntityReference]) -> (String, JSON) {
        ("attachments", .array(owners.flatMap { attachments[$0] ?? [] }.map { $0.json() }))
    }

    var members: [(String, JSON)] {
        [
            ("travellers", .array(travelling.map { OwnEntityText.object($0.described) })),
            ("budgets", .array(statuses.map(Self.json))), ("balances", .array(balances.map(Self.json))),
            ("rates", .array(rates.map { OwnEntityText.object($0.described) })), ("doubts", doubts(of: items)),
            (
                "checklists",
                .array(
                    lists.map { list in
                        .object([
                            ("list", OwnEntityText.object(list.list.described)),
                            ("entries", .array(list.entries.map { OwnEntityText.object($0.described) })),
                        ])
                    })
            ),
            attachmentsMember(of: [trip.reference] + items.map(\.reference)),
            conflictsMember(of: [trip.reference] + items.map(\.reference)),
        ]
    }

    func conflictsMember(of entities: [EntityReference]) -> (String, JSON) {
        ("conflicts", .array(entities.flatMap { superseded[$0] ?? [] }.map { ConflictText.json($0.conflict) }))
    }

    /// The values of some items that do not count, or do not add up.
    func doubts(of items: [TripItem]) -> JSON {
        .array(
            items.flatMap { item in
                item.moneyDoubts(among: trip.travellers).map { doubt in
                    .object(EntityText.members(item.reference, item.name) + [("problem", .string(words(of: doubt)))])
                }
            })
    }

    private static func json(_ status: BudgetStatus) -> JSON { .object(members(status)) }

    static func members(_ status: BudgetStatus) -> [(String, JSON)] {
        func sum(_ amount: Int128) -> JSON { CostSum(currency: status.currency, minorUnits: amount).json }
        return [
            ("category", .string(status.category)), ("budgeted", sum(status.budgeted)),
            ("planned", sum(status.planned)), ("paid", sum(status.paid)), ("left", sum(status.left)),
            ("uncounted", .array(status.uncounted.map(\.json))),
        ]
    }

    static func json(_ balance: TravellerBalance) -> JSON {
        func sum(_ amount: Int128) -> JSON { CostSum(currency: balance.currency, minorUnits: amount).json }
        return .object([
            ("traveller", .string("\(balance.traveller)")), ("paid", sum(balance.paid)),
            ("share", sum(balance.share)), ("balance", sum(balance.balance)),
        ])
    }
}
