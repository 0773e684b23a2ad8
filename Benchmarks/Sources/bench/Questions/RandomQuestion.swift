import BenchmarkData
import Foundation
import TripStore

/// A condition on activities in three forms: for the store, as a plain function, and for SQLite.
struct RandomCondition {
    let condition: Condition<Activity>
    let holds: (Activity) -> Bool
    /// Neither true nor false counts as false, as in the others.
    let statement: String

    static let names = [
        "Tram", "tram 2", "Tram 10", "Museum", "museum night", "Évora", "São Jorge", "Ferry", "Zoo",
        String(repeating: "A long way ", count: 9) + "there", String(repeating: "A long way ", count: 9) + "back",
    ]

    init(_ condition: Condition<Activity>, _ statement: String, _ holds: @escaping (Activity) -> Bool) {
        self.condition = condition
        self.statement = "COALESCE(\(statement), 0)"
        self.holds = holds
    }

    static func random(_ depth: Int, _ numbers: inout SeededNumbers) -> RandomCondition {
        guard depth > 0 else { return atom(&numbers) }
        let (a, b) = (random(depth - 1, &numbers), random(depth - 1, &numbers))
        switch numbers.below(4) {
        case 0, 1:
            return RandomCondition(a.condition && b.condition, "(\(a.statement) AND \(b.statement))") {
                a.holds($0) && b.holds($0)
            }
        case 2:
            return RandomCondition(a.condition || b.condition, "(\(a.statement) OR \(b.statement))") {
                a.holds($0) || b.holds($0)
            }
        default: return RandomCondition(!a.condition, "NOT \(a.statement)") { !a.holds($0) }
        }
    }

    private static func atom(_ numbers: inout SeededNumbers) -> RandomCondition {
        let fields = QueryFields<Activity>()
        let name = numbers.pick(names)
        let quoted = "'\(name)'"
        let part = String(["tram", "muse", "fer"][numbers.below(3)].prefix(1 + numbers.below(4)))
        let amount = Int64(numbers.below(20))
        let currency = numbers.below(2) == 0 ? "EUR" : "USD"
        let money = Money(minorUnits: amount, Currency(unchecked: currency))
        let time = Int64(numbers.below(20))
        let moment = Moment(milliseconds: time, zone: "UTC")
        let paid = [PaidStatus.none, .deposit, .inFull][numbers.below(3)]
        let inCurrency = "currency = '\(currency)' AND cost"
        switch numbers.below(12) {
        case 0: return RandomCondition(fields.name == name, "name = \(quoted)") { $0.name == name }
        case 1: return RandomCondition(fields.name < name, "name < \(quoted)") { precedes($0.name, name) }
        case 2:
            return RandomCondition(fields.name.contains(part), "instr(lower(name), '\(part)') > 0") {
                $0.name.lowercased().contains(part)
            }
        case 3: return RandomCondition(fields.cost == nil, "cost IS NULL") { $0.cost == nil }
        case 4:
            return RandomCondition(fields.cost < money, "(\(inCurrency) < \(amount))") { activity in
                activity.cost.map { $0.currency == money.currency && $0.minorUnits < amount } ?? false
            }
        case 5:
            return RandomCondition(fields.cost >= money, "(\(inCurrency) >= \(amount))") { activity in
                activity.cost.map { $0.currency == money.currency && $0.minorUnits >= amount } ?? false
            }
        case 6: return RandomCondition(fields.paid == paid, "paid = \(paid.rawValue)") { $0.paid == paid }
        case 7:
            return RandomCondition(fields.start > moment, "start > \(time)") {
                $0.start.map { $0.milliseconds > time } ?? false
            }
        case 8:
            return RandomCondition(fields.start <= moment, "start <= \(time)") {
                $0.start.map { $0.milliseconds <= time } ?? false
            }
        case 9:
            return RandomCondition(fields.name.isOne(of: [name, "Tram"]), "name IN (\(quoted), 'Tram')") {
                [name, "Tram"].contains($0.name)
            }
        case 10:
            return RandomCondition(fields.name.begins(with: part), "substr(lower(name), 1, \(part.count)) = '\(part)'")
            {
                $0.name.lowercased().hasPrefix(part)
            }
        default: return RandomCondition(fields.start != nil, "start IS NOT NULL") { $0.start != nil }
        }
    }

    static func precedes(_ a: String, _ b: String) -> Bool {
        a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
    }
}

/// An order of activities in the same forms.
struct RandomOrder: Sendable {
    let sorted: @Sendable (Query<Activity>) -> Query<Activity>
    let statement: String
    let compare: @Sendable (Activity, Activity) -> Int

    static let all: [RandomOrder] = [
        RandomOrder(sorted: { $0.sorted(by: \.name) }, statement: "name, id", compare: { byName($0, $1) }),
        RandomOrder(
            sorted: { $0.sorted(by: \.name, .descending) }, statement: "name DESC, id", compare: { byName($1, $0) }),
        RandomOrder(
            sorted: { $0.sorted(by: \.start) }, statement: "start IS NULL, start, id", compare: { byStart($0, $1, 1) }),
        RandomOrder(
            sorted: { $0.sorted(by: \.start, .descending) }, statement: "start IS NULL, start DESC, id",
            compare: {
                byStart($0, $1, -1)
            }),
        RandomOrder(
            sorted: { $0.sorted(by: \.start).sorted(by: \.name) }, statement: "start IS NULL, start, name, id",
            compare: { a, b in
                let order = byStart(a, b, 1)
                return order != 0 ? order : byName(a, b)
            }),
        RandomOrder(
            sorted: { $0.sorted(by: \.cost) }, statement: "cost IS NULL, currency, cost, id",
            compare: { a, b in
                guard let first = a.cost, let second = b.cost else {
                    return (a.cost == nil ? 1 : 0) - (b.cost == nil ? 1 : 0)
                }
                if first.currency != second.currency { return first.currency.code < second.currency.code ? -1 : 1 }
                return Int((first.minorUnits - second.minorUnits).signum())
            }),
        RandomOrder(sorted: { $0 }, statement: "id", compare: { _, _ in 0 }),
    ]

    private static func byName(_ a: Activity, _ b: Activity) -> Int {
        RandomCondition.precedes(a.name, b.name) ? -1 : RandomCondition.precedes(b.name, a.name) ? 1 : 0
    }

    private static func byStart(_ a: Activity, _ b: Activity, _ sign: Int64) -> Int {
        guard let first = a.start, let second = b.start else {
            return (a.start == nil ? 1 : 0) - (b.start == nil ? 1 : 0)
        }
        return Int(sign * (first.milliseconds - second.milliseconds).signum())
    }
}
