import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport
import Trips

@testable import TripStoreProjections

@Suite("Sums of an app's own views, and the keys of both")
struct AppSumsTests {
    @Test("Sums are kept by typed keys, live and in the past, and take back what an entity contributed before")
    func sums() async throws {
        let spending = AppSums<ViewPair<String, String>>("spending", version: 1) { (activity: Activity, sums) in
            guard let cost = activity.cost else { return }
            sums.add(Int128(cost.minorUnits), to: ViewPair(cost.currency.code, activity.customLocationName))
        }
        let costs = AppSums<String>(items: "costs", version: 1) { item, sums in
            if let cost = item.cost { sums.add(Int128(cost.minorUnits), count: 0, to: cost.currency.code) }
        }
        let verbs = AppSums<Int>(events: "verbs", version: 1) { event, _, sums in
            sums.add(to: Int(event.verb.rawValue))
        }
        let store = try await TripStore.temporary(
            options: TripStore.Options(
                mapSize: 1 << 30, projections: [spending, costs, verbs], dependencies: ManualClock().dependencies))
        let views = store.appViews
        let trip = try await store.create(Trip(name: "Lisbon"))
        var ids: [Activity.ID] = []
        for (cost, place) in [("3.10", "Belém"), ("-1", "Belém"), ("20", "Graça")] {
            ids.append(
                try await store.create(
                    Activity(name: "x", in: trip, cost: Money(cost, "EUR"), customLocationName: place)))
        }
        let hotel = try await store.create(Lodging(name: "Hotel", in: trip, cost: Money("100", "EUR")))
        try await store.appViews.catchUp()
        let before = try views.position
        func written(_ sums: Rows<AppSum<ViewPair<String, String>>>) -> [String] {
            sums.map { "\($0.key.first) \($0.key.second) \($0.count) \($0.amount)" }
        }
        #expect(written(try views.sums(of: spending)) == ["EUR Belém 2 210", "EUR Graça 1 2000"])
        #expect(written(try views.sums(of: spending, .key(ViewPair("EUR", "Graça")))) == ["EUR Graça 1 2000"])
        #expect(try views.sums(of: spending, .first("CHF")).isEmpty)
        #expect(try views.sums(of: costs).map(\.amount) == [12_210])
        var live = store.live(.sums(of: spending, .first("EUR"))).makeAsyncIterator()
        #expect(try await live.next()?.rows.count == 2)
        try await store.edit(ids[1]) { $0.customLocationName = "Graça" }
        try await store.delete(ids[0])
        try await store.delete(hotel)
        try await store.appViews.catchUp()
        #expect(written(try views.sums(of: spending)) == ["EUR Graça 2 1900"])
        #expect(try views.sums(of: costs).map(\.amount) == [1900])
        while let rows = try await live.next(), rows.rows.first?.amount != 1900 {}
        // Created, edited, deleted.
        #expect(try views.sums(of: verbs).map { "\($0.key) \($0.count)" } == ["1 5", "2 1", "3 2"])
        let past = try await views.asOf(before)
        #expect(written(try past.sums(of: spending)) == ["EUR Belém 2 210", "EUR Graça 1 2000"])
        #expect(try await views.compare(at: TemporaryFolder.unowned()).allSatisfy { $0.difference == nil })
        try await store.expectInvariants()
    }

    @Test("Keys of many long texts have a bound, and one of nothing is a key as well")
    func bounds() async throws {
        typealias Texts = ViewPair<String, ViewPair<String, ViewPair<String, ViewPair<String, String>>>>
        let texts = AppView<Texts, Int>("texts", version: 1) { (trip: Trip, rows) in
            let text = trip.notes
            rows.put(ViewPair(text, ViewPair(text, ViewPair(text, ViewPair(text, text)))), text.utf8.count)
        }
        let sums = AppSums<Texts>("sums", version: 1) { (trip: Trip, sums) in
            let text = trip.notes
            sums.add(to: ViewPair(text, ViewPair(text, ViewPair(text, ViewPair(text, text)))))
        }
        let total = AppSums<NoValue>("total", version: 1) { (trip: Trip, sums) in
            sums.add(Int128(Int64.max) * 4, to: NoValue())
        }
        let store = try await TripStore.temporary(
            options: TripStore.Options(
                mapSize: 1 << 30, projections: [texts, sums, total], dependencies: ManualClock().dependencies))
        let notes = ["\0", "a", "é", "日"].map { String(repeating: $0, count: 1_000) }
        for text in notes { try await store.create(Trip(name: "x", notes: text)) }
        try await store.appViews.catchUp()
        #expect(store.appViews.fault == nil)
        let rows = try store.appViews.rows(of: texts)
        #expect(Set(rows.map(\.value)) == [1_000, 2_000, 3_000] && rows.count == 4)
        for row in rows { #expect(notes.contains { $0.hasPrefix(row.key.first) } && !row.key.first.isEmpty) }
        #expect(try store.appViews.sums(of: sums).count == 4)
        let all = try store.appViews.sums(of: total)
        #expect(all.map(\.count) == [4] && all.first?.amount == Int128(Int64.max) * 16)
        try await store.expectInvariants()
    }

    @Test(
        "Texts that are equal as characters and differ in their bytes are rows of their own, also in the store's queries"
    )
    func composed() async throws {
        let sums = AppSums<String>("sums", version: 1) { (found: Organization, sums) in sums.add(to: found.name) }
        let store = try await TripStore.temporary(
            options: TripStore.Options(
                mapSize: 1 << 30, projections: [sums], dependencies: ManualClock().dependencies))
        let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
        let id = try await store.create(Organization(name: composed))
        #expect(try store.organizations(named: decomposed).isEmpty)
        #expect(try store.organizations(named: composed).map(\.id) == [id])
        try await store.create(Organization(name: decomposed))
        try await store.appViews.catchUp()
        let found = try store.appViews.sums(of: sums)
        #expect(found.count == 2 && Set(found.map(\.id)).count == 2)
        try await store.expectInvariants()
    }
}
