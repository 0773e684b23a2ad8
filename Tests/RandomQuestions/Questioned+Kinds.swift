import Foundation
public import TripStore
public import TripStoreTestSupport

extension Trip: Questioned {
    public static var rowKind: QuestionRow.Kind { .trip }
    public static var orders: [RandomOrder<Trip>] { RandomOrder.byName(\Trip.name, "name") }

    public static func atom(_ depth: Int, _ random: inout SeededRandom) -> RandomCondition<Trip> {
        let fields = QueryFields<Trip>()
        guard depth > 0 else { return .text(fields.name, "name", &random) }
        func related<Related: Questioned>(
            _ relation: QueryRelation<Trip, Related>, _ name: String, _ kinds: [QuestionRow.Kind]
        ) -> RandomCondition<Trip> {
            .relation(
                relation, name, kinds, depth: depth, Related.condition(depth - 1, &random), &random,
                link: { "\($1).parent = \($0).id" }, { $1.children(of: $0, kinds) })
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .text(fields.name, "name", &random)
        case 1: return related(fields.items, "item", [.activity, .lodging, .transportation])
        case 2: return related(fields.activities, "activity", [.activity])
        case 3: return related(fields.lodgings, "lodging", [.lodging])
        case 4: return related(fields.transportations, "transportation", [.transportation])
        default: return related(fields.children(Bag.self), "suitcase", [.bag])
        }
    }
}

extension Organization: Questioned {
    public static var rowKind: QuestionRow.Kind { .organization }
    public static var orders: [RandomOrder<Organization>] { RandomOrder.byName(\Organization.name, "name") }

    public static func atom(_ depth: Int, _ random: inout SeededRandom) -> RandomCondition<Organization> {
        let fields = QueryFields<Organization>()
        switch Int.random(in: 0..<(depth > 0 ? 3 : 2), using: &random) {
        case 0: return .text(fields.name, "name", &random)
        case 1: return .near(fields.address, &random)
        default:
            let kinds: [QuestionRow.Kind] = [.activity, .lodging, .transportation]
            return .relation(
                fields.items, "item", kinds, depth: depth, Activity.condition(depth - 1, &random), &random,
                link: { "\($1).organization = \($0).id" }, { $1.items(ofOrganization: $0, kinds) })
        }
    }
}

extension Bag: Questioned {
    public static var rowKind: QuestionRow.Kind { .bag }
    public static var trip: QueryField<Bag, Trip.ID>? { QueryFields().trip }
    public static var orders: [RandomOrder<Bag>] {
        RandomOrder.byName(\Bag.label, "label") + [
            RandomOrder(
                sorted: { $0.sorted(by: \.count) }, words: "count", statement: "count, id",
                compare: { ($0.count - $1.count).signum() })
        ]
    }

    public static func atom(_ depth: Int, _ random: inout SeededRandom) -> RandomCondition<Bag> {
        let fields = QueryFields<Bag>()
        let count = Int.random(in: 0...4, using: &random)
        switch Int.random(in: 0..<(depth > 0 ? 5 : 3), using: &random) {
        case 0: return .text(fields.label, "label", &random)
        case 1:
            return RandomCondition(fields.count == count, "count = \(count)", "§.count = \(count)") { row, _ in
                row.count == count
            }
        case 2:
            return RandomCondition(fields.count > count, "count > \(count)", "§.count > \(count)") { row, _ in
                row.count > count
            }
        case 3:
            return .named(
                fields.trip, "trip", "parent", depth: depth, Trip.condition(depth - 1, &random), .trip, { $0.parent })
        default:
            return .named(
                fields.lender, "lender", "organization", depth: depth, Organization.condition(depth - 1, &random),
                .organization, { $0.organization })
        }
    }
}

extension Item: Questioned where Kind: QuestionedItem {
    public static var rowKind: QuestionRow.Kind { Kind.rowKind }
    public static var trip: QueryField<Item<Kind>, Trip.ID>? { QueryFields().trip }

    public static var orders: [RandomOrder<Item<Kind>>] {
        RandomOrder.byName(\Item<Kind>.name, "name") + [
            RandomOrder(
                sorted: { $0.sorted(by: \.start) }, words: "start", statement: "start IS NULL, start, id",
                compare: { byStart($0, $1, 1) }),
            RandomOrder(
                sorted: { $0.sorted(by: \.start, .descending) }, words: "-start",
                statement: "start IS NULL, start DESC, id", compare: { byStart($0, $1, -1) }),
            RandomOrder(
                sorted: { $0.sorted(by: \.start).sorted(by: \.name) }, words: "start,name",
                statement: "start IS NULL, start, name, id",
                compare: { a, b in
                    let order = byStart(a, b, 1)
                    return order != 0 ? order : RandomOrder<Item<Kind>>.byName(a, b)
                }),
            RandomOrder(
                sorted: { $0.sorted(by: \.cost) }, words: "cost", statement: "cost IS NULL, currency, cost, id",
                compare: { byCost($0, $1) }),
        ]
    }

    private static func byStart(_ a: QuestionRow, _ b: QuestionRow, _ sign: Int64) -> Int {
        guard let first = a.start, let second = b.start else {
            return (a.start == nil ? 1 : 0) - (b.start == nil ? 1 : 0)
        }
        return Int(sign * (first - second).signum())
    }

    private static func byCost(_ a: QuestionRow, _ b: QuestionRow) -> Int {
        guard let first = a.cost, let second = b.cost else { return (a.cost == nil ? 1 : 0) - (b.cost == nil ? 1 : 0) }
        if first.currency != second.currency { return first.currency.code < second.currency.code ? -1 : 1 }
        return Int((first.minorUnits - second.minorUnits).signum())
    }

    public static func atom(_ depth: Int, _ random: inout SeededRandom) -> RandomCondition<Item<Kind>> {
        let fields = QueryFields<Item<Kind>>()
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &random) {
        case 0, 1: return .text(fields.name, "name", &random)
        case 2: return cost(fields, &random)
        case 3: return start(fields, &random)
        case 4:
            let paid = Values.paid(&random)
            return RandomCondition(fields.paid == paid, "paid = \(paid)", "§.paid = \(paid.rawValue)") {
                row, _ in
                row.paid == paid
            }
        case 5: return .near(fields.address, &random)
        case 6:
            return Kind.atom(&random)
                ?? .none(fields.organization, "organization", "organization") { $0.organization }
        case 7:
            return .named(
                fields.trip, "trip", "parent", depth: depth, Trip.condition(depth - 1, &random), .trip, { $0.parent })
        default:
            return .named(
                fields.organization, "organization", "organization", depth: depth,
                Organization.condition(depth - 1, &random), .organization, { $0.organization })
        }
    }

    private static func cost(
        _ fields: QueryFields<Item<Kind>>, _ random: inout SeededRandom
    ) -> RandomCondition<Item<Kind>> {
        let money = Values.money(&random)
        let (amount, currency) = (money.minorUnits, money.currency)
        func compared(
            _ condition: Condition<Item<Kind>>, _ relation: String, _ holds: @escaping (Int64) -> Bool
        ) -> RandomCondition<Item<Kind>> {
            RandomCondition(
                condition, "cost \(relation) \(money)",
                "(§.currency = '\(currency)' AND §.cost \(relation) \(amount))"
            ) { row, _ in row.cost.map { $0.currency == currency && holds($0.minorUnits) } ?? false }
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return compared(fields.cost < money, "<") { $0 < amount }
        case 1: return compared(fields.cost >= money, ">=") { $0 >= amount }
        default:
            return RandomCondition(fields.cost == nil, "cost is none", "§.cost IS NULL") { row, _ in
                row.cost == nil
            }
        }
    }

    private static func start(
        _ fields: QueryFields<Item<Kind>>, _ random: inout SeededRandom
    ) -> RandomCondition<Item<Kind>> {
        let moment = Values.moment(&random)
        let time = moment.milliseconds
        let words = moment.localISO8601
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return RandomCondition(fields.start > moment, "start > \(words)", "§.start > \(time)") { row, _ in
                row.start.map { $0 > time } ?? false
            }
        case 1:
            return RandomCondition(fields.start <= moment, "start <= \(words)", "§.start <= \(time)") {
                row, _ in
                row.start.map { $0 <= time } ?? false
            }
        default:
            return RandomCondition(fields.start != nil, "start is not none", "§.start IS NOT NULL") { row, _ in
                row.start != nil
            }
        }
    }
}

/// A kind of items of which questions are asked.
public protocol QuestionedItem: ItemKind {
    static var rowKind: QuestionRow.Kind { get }
    /// A condition on a field that other kinds do not have; nil if there is none.
    static func atom(_ random: inout SeededRandom) -> RandomCondition<Item<Self>>?
}

extension ActivityKind: QuestionedItem {
    public static var rowKind: QuestionRow.Kind { .activity }
    public static func atom(_ random: inout SeededRandom) -> RandomCondition<Activity>? { nil }
}

extension LodgingKind: QuestionedItem {
    public static var rowKind: QuestionRow.Kind { .lodging }
    public static func atom(_ random: inout SeededRandom) -> RandomCondition<Lodging>? { nil }
}

extension TransportationKind: QuestionedItem {
    public static var rowKind: QuestionRow.Kind { .transportation }

    public static func atom(_ random: inout SeededRandom) -> RandomCondition<Transportation>? {
        let mode = TransportationMode.known.randomElement(using: &random)?.value ?? .other
        return RandomCondition(
            QueryFields<Transportation>().mode == mode, "mode = \(mode)", "§.mode = \(mode.rawValue)"
        ) { row, _ in row.mode == mode }
    }
}
