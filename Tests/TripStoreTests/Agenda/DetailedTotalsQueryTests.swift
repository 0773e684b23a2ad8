import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Totals in detail of a store")
struct DetailedTotalsQueryTests {
    @Test("They are those of the view of totals, now, live and in the past, of a trip and of all")
    func totals() async throws {
        let store = try await TripStore.test()
        let ana = try await store.create(Traveller(name: "Ana"))
        let ben = try await store.create(Traveller(name: "Ben"))
        var trip = Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 3))
        trip.travellers = [ana, ben]
        let lisbon = try await store.create(trip)
        var live = store.live { try $0.detailedTotals(of: lisbon) }.makeAsyncIterator()
        #expect(try await live.next()?.totals.isEmpty == true)
        var dinner = Activity(name: "Dinner", in: lisbon, cost: Money("61", "EUR"), paid: .inFull)
        dinner.payer = ana
        try await store.create(dinner)
        #expect(try await live.next()?.totals.map(\.cost) == [6_100])
        let before = try await store.asOf(store.status().position)
        try await store.create(Budget(Money(minorUnits: 10_000, "EUR"), in: lisbon))
        #expect(try await live.next()?.budgets.map(\.left) == [3_900])
        let someday = try await store.create(Trip(name: "Some day"))
        try await store.create(Lodging(name: "Inn", in: someday, cost: Money("40", "EUR"), paid: .inFull))
        let one = try store.detailedTotals(of: lisbon)
        #expect(one.totals.map(\.cost) == (try store.totals(of: lisbon).costs.map(\.minorUnits)))
        #expect(one.payments.map(\.amount.minorUnits) == [3_050] && one.payments.map(\.from) == [ben])
        let all = try store.detailedTotals()
        #expect(all.byTrip.map(\.key) == [lisbon, someday] && all.itemCount == 2)
        #expect(all.totals.map(\.cost) == [10_100] && all.totals.map(\.paid) == [10_100])
        #expect(all.budgets.map(\.trip) == [lisbon] && all.payments == one.payments)
        #expect(try before.detailedTotals(of: lisbon).budgets.isEmpty && before.detailedTotals().itemCount == 1)
        // A traveller that is deleted owes nothing any more, and is owed nothing.
        try await store.delete(ben)
        #expect(try store.detailedTotals(of: lisbon).payments.isEmpty)
        try await store.delete(lisbon)
        #expect(try store.detailedTotals(of: lisbon).itemCount == 0 && store.detailedTotals().itemCount == 1)
        try await store.expectInvariants()
    }

    @Test("Templates cost nothing")
    func templates() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.create(Activity(name: "Tram", in: trip, cost: Money("3", "EUR")))
        let template = try await store.copy(trip, as: .template)
        #expect(try store.detailedTotals().totals.map(\.cost) == [300])
        #expect(try store.detailedTotals(of: template).totals.map(\.cost) == [300])
        #expect(try store.agenda(Day(2027, 5, 1)).isEmpty)
        try await store.expectInvariants()
    }
}
