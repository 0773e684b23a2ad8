import TestSupport
import Testing

@testable import Trips

@Suite("Totals in detail")
struct DetailedTotalsTests {
    private static func people(_ count: Int) -> [Traveller.ID] {
        (0..<count).map { Traveller.ID.derived(from: "travellers.example", "\($0)") }.sorted()
    }

    private static func words(_ totals: [CostTotal]) -> String {
        totals.map { "\($0.cost) \($0.currency) \($0.paid) paid" }.joined(separator: ", ")
    }

    @Test("Costs are summed up by what items have in common")
    func sums() throws {
        let two = Self.people(2)
        var trip = Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 4))
        trip.travellers = Set(two)
        let start = try Moment(parsing: "2027-05-01T15:00", in: "Europe/Lisbon")
        let end = try Moment(parsing: "2027-05-04T11:00", in: "Europe/Lisbon")
        var inn = Lodging(name: "Inn", in: trip.id, from: start, until: end, cost: Money("100", "EUR"), paid: .deposit)
        (inn.paidAmount, inn.payer) = (Money("20", "EUR"), two[0])
        var dinner = Activity(name: "Dinner", in: trip.id, from: start, cost: Money("30.01", "EUR"), paid: .inFull)
        (dinner.category, dinner.payer) = ("Food", two[1])
        var lunch = Activity(name: "Lunch", in: trip.id, cost: Money("9", "EUR"))
        (lunch.category, lunch.participants) = ("food", [two[0]])
        var tour = Activity(name: "Tour", in: trip.id, from: start, cost: Money("50", "EUR"))
        (tour.stage, tour.paidAmount) = (.cancelled, Money(minorUnits: 700, "JPY"))
        let items: [TripItem] = [
            .lodging(inn), .activity(dinner), .activity(lunch), .activity(tour),
            .activity(Activity(name: "Walk", in: trip.id)),
        ]
        let budget = Budget(try #require(Money("200", "EUR")), in: trip.id)
        let totals = DetailedTotals(of: [(trip, items, [budget])])
        #expect(totals.itemCount == 5)
        #expect(Self.words(totals.totals) == "13901 EUR 5001 paid, 700 JPY 700 paid")
        #expect(totals.totals.map(\.itemCount) == [3, 1] && totals.totals.map(\.unpaid) == [8_900, 0])
        #expect(totals.byTrip.map(\.key) == [trip.id] && totals.byTrip.first?.totals == totals.totals)
        #expect(
            totals.byKind.map { Self.words($0.totals) } == [
                "3901 EUR 3001 paid, 700 JPY 700 paid", "10000 EUR 2000 paid",
            ])
        #expect(
            totals.byCategory.map { "\($0.key): \(Self.words($0.totals))" } == [
                ": 10000 EUR 2000 paid, 700 JPY 700 paid", "Food: 3901 EUR 3001 paid",
            ])
        #expect(totals.byPaidStatus.map(\.key) == [.none, .deposit, .inFull])
        // A stay on the days before its nights; what has no day comes last.
        #expect(
            totals.byDay.map { "\($0.key.map { "\($0)" } ?? "none"): \(Self.words($0.totals))" } == [
                "2027-05-01: 6335 EUR 3668 paid, 700 JPY 700 paid", "2027-05-02: 3333 EUR 667 paid",
                "2027-05-03: 3333 EUR 666 paid", "none: 900 EUR 0 paid",
            ])
        #expect(
            totals.byTraveller.map { Self.words($0.totals) } == [
                "7401 EUR 2000 paid, 350 JPY 0 paid", "6500 EUR 3001 paid, 350 JPY 0 paid", "0 JPY 700 paid",
            ])
        #expect(totals.budgets.map(\.left) == [20_000 - 13_901])
        // A deposit of 20 paid by one, of which each owes 10, and 30.01 by the other: 15.01 and 15.00. The rest is not settled.
        #expect(totals.payments.map(\.amount.minorUnits) == [501] && totals.payments.first?.to == two[1])
        #expect(
            totals.unpaid.map(\.key) == [two[0], nil] && totals.unpaidAmounts.map(\.amount.minorUnits) == [8_000, 900])
    }

    @Test("Nothing costs nothing")
    func empty() {
        let none = DetailedTotals(of: [])
        #expect(none.itemCount == 0 && none.totals.isEmpty && none.byDay.isEmpty && none.payments.isEmpty)
        let trip = Trip(name: "Trip")
        let walk = DetailedTotals(of: [(trip, [.activity(Activity(name: "Walk", in: trip.id))], [])])
        #expect(walk.itemCount == 1 && walk.totals.isEmpty && walk.byTrip.isEmpty)
    }

    @Test("Every breakdown adds up to the total, and payments to the balances", arguments: Seeds.some(30))
    func addUp(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var itinerary = RandomItinerary(seed: seed)
        let people = Self.people(5)
        let parts = itinerary.plans().plans.map { plan -> DetailedTotals.Part in
            var trip = plan.trip ?? Trip(name: "Trip")
            trip.travellers = Set(people.filter { _ in Bool.random(using: &generator) })
            return (trip, plan.items.map { $0.shared(among: people, &generator) }, [])
        }
        let totals = DetailedTotals(of: parts)
        let expected = Self.sum(totals.totals)
        let items = parts.flatMap(\.items)
        #expect(totals.itemCount == items.count)
        var counted: [String: Int128] = [:]
        for cost in items.compactMap(\.countedCost) {
            counted[cost.currency.code, default: 0] += Int128(cost.minorUnits)
        }
        let costs = expected.mapValues(\.cost).filter { $0.value != 0 }
        #expect(counted.filter { $0.value != 0 } == costs)
        let breakdowns: [[[CostTotal]]] = [
            totals.byTrip.map(\.totals), totals.byKind.map(\.totals), totals.byDay.map(\.totals),
            totals.byCategory.map(\.totals), totals.byPaidStatus.map(\.totals), totals.byTraveller.map(\.totals),
        ]
        for breakdown in breakdowns {
            #expect(Self.sum(breakdown.flatMap { $0 }) == expected, "seed \(seed)")
        }
        for (_, balances) in Dictionary(grouping: totals.balances, by: \.currency) {
            #expect(balances.reduce(0) { $0 + $1.balance } == 0)
        }
        #expect(totals.payments == TravellerBalance.payments(settling: totals.balances.shuffled(using: &generator)))
        // The order of items and trips decides nothing but the order of trips.
        let shuffled = DetailedTotals(
            of: parts.map { ($0.trip, $0.items.shuffled(using: &generator), $0.budgets) })
        #expect(shuffled == totals)
    }

    private struct Sum: Equatable { var (cost, paid): (Int128, Int128) = (0, 0) }

    private static func sum(_ totals: [CostTotal]) -> [String: Sum] {
        var sums: [String: Sum] = [:]
        for total in totals {
            sums[total.currency.code, default: Sum()].cost += total.cost
            sums[total.currency.code, default: Sum()].paid += total.paid
        }
        return sums
    }
}

extension TripItem {
    fileprivate func shared(among people: [Traveller.ID], _ generator: inout SeededGenerator) -> TripItem {
        func filled<Kind>(_ item: Item<Kind>) -> Item<Kind> {
            var item = item
            item.participants = Set(people.filter { _ in Int.random(in: 0...2, using: &generator) == 0 })
            item.payer = Bool.random(using: &generator) ? people.randomElement(using: &generator) : nil
            switch Int.random(in: 0...3, using: &generator) {
            case 0: item.split = .byParts([people[0]: 3, people[1]: 0])
            case 1: item.split = .byAmounts([people[0]: Money(minorUnits: 400, "EUR")])
            default: break
            }
            return item
        }
        switch self {
        case .activity(let item): return .activity(filled(item))
        case .lodging(let item): return .lodging(filled(item))
        case .transportation(let item): return .transportation(filled(item))
        }
    }
}
