import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

@Suite("Queries, held against a plain filter")
struct RandomQueryTests {
    /// A condition, and what it means.
    private struct Case {
        let condition: Condition<Activity>
        let holds: (Activity) -> Bool
    }

    private static let names = ["Tram", "tram 2", "Évora", "Museum", "São Jorge", "Tram 10", "Ferry"]

    private static func atom(_ fields: QueryFields<Activity>, _ random: inout SeededGenerator) -> Case {
        let name = names.randomElement(using: &random) ?? ""
        let part = String(name.prefix(Int.random(in: 0...3, using: &random)))
        let money = money(&random)
        let paid = PaidStatus.known.randomElement(using: &random)?.value ?? .none
        let moment = moment(&random)
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: Case(condition: fields.name == name) { $0.name == name }
        case 1: Case(condition: fields.name.contains(part)) { part.isEmpty || plain($0.name).contains(plain(part)) }
        case 2: Case(condition: fields.cost == nil) { $0.cost == nil }
        case 3:
            Case(condition: fields.cost < money) { activity in
                activity.cost.map { $0.currency == money.currency && $0.minorUnits < money.minorUnits } ?? false
            }
        case 4: Case(condition: fields.paid == paid) { $0.paid == paid }
        case 5:
            Case(condition: fields.start >= moment) { $0.start.map { $0.milliseconds >= moment.milliseconds } ?? false }
        case 6: Case(condition: fields.start != nil) { $0.start != nil }
        default: Case(condition: fields.name < name) { precedes($0.name, name) }
        }
    }

    private static func precedes(_ a: String, _ b: String) -> Bool {
        a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
    }

    private static func money(_ random: inout SeededGenerator) -> Money {
        Money(minorUnits: Int64.random(in: 0...5, using: &random), Bool.random(using: &random) ? "EUR" : "USD")
    }

    private static func moment(_ random: inout SeededGenerator) -> Moment {
        Moment(milliseconds: Int64.random(in: 0...5, using: &random), zone: "UTC")
    }

    private static func plain(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    private static func condition(_ depth: Int, _ random: inout SeededGenerator) -> Case {
        guard depth > 0 else { return atom(QueryFields(), &random) }
        let (a, b) = (condition(depth - 1, &random), condition(depth - 1, &random))
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: Case(condition: a.condition && b.condition) { a.holds($0) && b.holds($0) }
        case 1: Case(condition: a.condition || b.condition) { a.holds($0) || b.holds($0) }
        case 2: Case(condition: !a.condition) { !a.holds($0) }
        default: a
        }
    }

    private static func activities(_ trips: [Trip.ID], _ random: inout SeededGenerator) -> [Activity] {
        (0..<300).map { _ in
            var activity = Activity(
                name: names.randomElement(using: &random) ?? "", in: trips.randomElement(using: &random))
            if Bool.random(using: &random) { activity.cost = money(&random) }
            activity.paid = PaidStatus.known.randomElement(using: &random)?.value ?? .none
            if Bool.random(using: &random) { activity.start = moment(&random) }
            return activity
        }
    }

    /// By name from the last, or by cost, in which the currencies are apart; cleared costs last.
    private static func isBefore(_ a: Activity, _ b: Activity, byName: Bool) -> Bool {
        if byName, a.name != b.name { return precedes(b.name, a.name) }
        if !byName, a.cost != b.cost {
            guard let first = a.cost, let second = b.cost else { return a.cost != nil }
            if first.currency != second.currency { return first.currency.code < second.currency.code }
            return first.minorUnits < second.minorUnits
        }
        return a.id < b.id
    }

    @Test("Whatever is asked, the rows are those that the filter leaves, page by page", arguments: Seeds.some(3))
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try await TripStore.test()
        var trips: [Trip.ID] = []
        for number in 0..<20 { trips.append(try await store.create(Trip(name: "Trip \(number)"))) }
        let activities = Self.activities(trips, &random)
        try await store.create(activities)
        // One in twenty trips is deleted, and another one restored.
        try await store.delete([trips[0], trips[1]])
        try await store.restore(trips[1])
        let there = activities.filter { $0.trip != trips[0] }
        for number in 0..<60 {
            let asked = Self.condition(Int.random(in: 0...3, using: &random), &random)
            let byName = Bool.random(using: &random)
            var query = Query<Activity>().where { _ in asked.condition }
            query = byName ? query.sorted(by: \.name, .descending) : query.sorted(by: \.cost)
            let expected = there.filter(asked.holds).sorted { Self.isBefore($0, $1, byName: byName) }.map(\.id)
            var (found, cursor): ([Activity.ID], PageCursor?) = ([], nil)
            repeat {
                let page = try store.fetch(query.limit(1 + number % 50), after: cursor)
                found += page.map(\.id)
                cursor = page.next
            } while cursor != nil
            #expect(found == expected, "seed \(seed), \(query.words)")
            #expect(try store.count(query) == expected.count)
        }
        try await store.expectInvariants()
    }
}
