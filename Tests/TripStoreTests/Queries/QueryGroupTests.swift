import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

@Suite("Groups of a query's entities")
struct QueryGroupTests {
    private static func euro(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, "EUR") }

    private static func moment(_ year: Int, _ month: Int, _ day: Int, _ zone: String, hour: Int = 12) throws -> Moment {
        let days = try #require(Day(year: year, month: month, day: day)).daysSince1970
        return Moment(milliseconds: Int64(days * 24 + hour) * 3_600_000, zone: zone)
    }

    private static func filled() async throws -> (store: TripStore, trip: Trip.ID) {
        let store = try await TripStore.test(schema: [stars, booked, paidAt, fee])
        let trip = try await store.create(Trip(name: "Lisbon"))
        // The last hour of May in London is June in Auckland.
        try await store.create([
            Activity(
                name: "Tram", in: trip, from: try moment(2027, 5, 3, "Europe/Lisbon"), cost: euro(300), paid: .inFull),
            Activity(name: "Tram", in: trip, from: try moment(2027, 5, 9, "Europe/Lisbon"), cost: euro(700)),
            Activity(
                name: "Museum", in: trip, from: try moment(2027, 5, 31, "Pacific/Auckland", hour: 22), cost: euro(-50)),
            Activity(name: "Tea", in: trip, cost: Money(minorUnits: 400, "USD"), paid: .inFull),
            Activity(name: "Walk", in: trip),
        ])
        return (store, trip)
    }

    @Test("Costs are summed by currency, category and month there where they count")
    func sums() async throws {
        let (store, _) = try await Self.filled()
        let groups = try store.groups(
            of: Query<Activity>(), by: [.currency(of: \.cost), .value(\.paid), .month(of: \.start)], measuring: \.cost)
        let rows = groups.map { group in
            (group.keys.map(\.description) + ["\(group.count)"] + group.costs.map { "\($0.minorUnits)" }).joined(
                separator: " ")
        }
        #expect(
            rows == [
                "EUR none 2027-05 1 700", "EUR none 2027-06 1 -50", "EUR inFull 2027-05 1 300", "USD inFull  1 400",
                " none  1",
            ])
        try await store.expectInvariants()
    }

    @Test("Many groups whose entities alternate are kept apart")
    func manyGroups() async throws {
        let store = try await TripStore.test()
        for _ in 0..<2 { try await store.create((0..<600).map { Trip(name: "Trip \($0)") }) }
        let groups = try store.groups(of: Query<Trip>(), by: [.value(\.name)])
        #expect(groups.count == 600)
        #expect(groups.allSatisfy { $0.count == 2 })
        try await store.expectInvariants()
    }

    @Test("Ids and times, which are no fields, are keys as well")
    func times() async throws {
        let (store, trip) = try await Self.filled()
        try await store.edit(try #require(try store.fetch(Query<Activity>()).first).id) { $0.name = "Bus" }
        try await store.create(Activity(name: "Ferry", in: trip))
        let all = Query<Activity>()
        let rows = try store.fetch(all).rows
        func expected(_ time: (Activity) -> Date?) -> [Int] {
            Dictionary(grouping: rows, by: time).sorted { ($0.key ?? .distantPast) < ($1.key ?? .distantPast) }.map(
                \.value.count)
        }
        #expect(try store.groups(of: all, by: [.value(\.id)]).map(\.count) == [1, 1, 1, 1, 1, 1])
        #expect(try store.groups(of: all, by: [.value(\.createdAt)]).map(\.count) == expected(\.createdAt))
        #expect(try store.groups(of: all, by: [.value(\.updatedAt)]).map(\.count) == expected(\.updatedAt))
        try await store.expectInvariants()
    }

    @Test("Amounts with parts that only a newer version knows are of the groups of those without")
    func newerParts() async throws {
        let (store, trip) = try await Self.filled()
        for minorUnits in [300, 50] as [Int64] {
            var cost = Self.euro(minorUnits)
            // Field 9, a number.
            cost.unknownFields = [0x48, 7]
            try await store.create(Activity(name: "Ferry", in: trip, cost: cost))
        }
        let all = Query<Activity>()
        let currencies = try store.groups(of: all, by: [.currency(of: \.cost)], measuring: \.cost)
        #expect(currencies.map(\.count) == [5, 1, 1])
        #expect(currencies.first?.costs.map(\.minorUnits) == [1300])
        #expect(try store.groups(of: all, by: [.value(\.cost)]).map(\.count) == [1, 1, 2, 1, 1, 1])
        try await store.expectInvariants()
    }

    @Test("Without keys there is one group, with sums for each currency, the least and the greatest")
    func whole() async throws {
        let (store, _) = try await Self.filled()
        let group = try #require(try store.groups(of: Query<Activity>(), measuring: \.cost).first)
        #expect(group.count == 5)
        #expect(group.costs.map(\.minorUnits) == [950, 400])
        #expect(group.minimum?.value() == Self.euro(-50))
        #expect(group.maximum?.value() == Money(minorUnits: 400, "USD"))
        #expect(try store.groups(of: Query<Activity>().where { $0.name == "None" }).isEmpty)
        try await store.expectInvariants()
    }

    @Test("Different values are listed in their order, and what is hidden is not among them")
    func distinct() async throws {
        let (store, trip) = try await Self.filled()
        #expect(
            try store.distinct(\.name, of: Query<Activity>()).map(\.description) == ["Museum", "Tea", "Tram", "Walk"])
        #expect(try store.distinct(\.cost, of: Query<Activity>()).last?.isNone == true)
        try await store.delete(trip)
        #expect(try store.distinct(\.name, of: Query<Activity>()).isEmpty)
        #expect(try store.groups(of: Query<Activity>(), measuring: \.cost).isEmpty)
        try await store.restore(trip)
        #expect(try store.groups(of: Query<Activity>().where { $0.cost > Self.euro(0) }).first?.count == 2)
        try await store.expectInvariants()
    }

    @Test("Moments of one instant are shown with the zone of the least name, whichever is found first")
    func zones() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let zones = ["Europe/Lisbon", "Africa/Abidjan", "UTC"]
        for (number, zone) in zones.enumerated() {
            try await store.create(
                Activity(name: "\(number)", in: trip, from: try Self.moment(2027, 1, 3, zone), reservation: "R"))
        }
        let all = Query<Activity>()
        // By the index on the start, and in the order of ids.
        for query in [
            all.where { $0.start > Moment(milliseconds: 0, zone: "UTC") }, all.where { $0.reservation == "R" },
        ] {
            let group = try #require(
                try store.groups(of: query, by: [.value(\.start)], measuring: \.start).first)
            #expect(group.count == 3 && group.keys[0].value(as: Moment.self)?.zone == "Africa/Abidjan")
            #expect(group.minimum?.value(as: Moment.self)?.zone == "Africa/Abidjan")
            #expect(group.maximum?.value(as: Moment.self)?.zone == "Africa/Abidjan")
        }
        #expect(try store.explain(all.where { $0.start > Moment(milliseconds: 0, zone: "UTC") }).index != nil)
        try await store.expectInvariants()
    }

    private static let stars = OwnField<Activity, Int>("org.example.groups", 1, "stars")

    @Test("An app's own field is measured like a property, and keys are read in words")
    func ownField() async throws {
        let (store, trip) = try await Self.filled()
        for stars in [nil, 3, 5] {
            var activity = Activity(name: "Rated", in: trip)
            activity[Self.stars] = stars
            try await store.create(activity)
        }
        let rated = Query<Activity>().where { $0.name == "Rated" }
        let keys = try rated.groupKeys(parsing: "name")
        let group = try #require(try store.groups(of: rated, by: keys, measuring: .value(Self.stars)).first)
        #expect(group.count == 3 && group.sum == 8 && group.maximum?.value() == 5)
        try await store.expectInvariants()
    }

    private static let booked = OwnField<Activity, Day>("org.example.groups", 2, "booked")
    private static let paidAt = OwnField<Activity, Moment>("org.example.groups", 3, "paidAt")
    private static let fee = OwnField<Activity, Money>("org.example.groups", 4, "fee")

    @Test("An app's own days, moments and amounts are grouped by their period and their currency")
    func ownPeriods() async throws {
        let (store, trip) = try await Self.filled()
        for (day, currency) in [(3, "EUR"), (9, "USD"), (31, "EUR")] as [(Int, Currency)] {
            var activity = Activity(name: "Booked", in: trip)
            activity[Self.booked] = Day(2027, 5, day)
            // The last hour of May in London is June in Auckland.
            activity[Self.paidAt] = try Self.moment(2027, 5, day, "Pacific/Auckland", hour: 22)
            activity[Self.fee] = Money(minorUnits: 100, currency)
            try await store.create(activity)
        }
        let booked = Query<Activity>().where { $0.name == "Booked" }
        func counts(_ keys: GroupKey<Activity>...) throws -> [String] {
            try store.groups(of: booked, by: keys).map { "\($0.keys.map(\.description)) \($0.count)" }
        }
        #expect(try counts(.month(of: Self.booked), .year(of: Self.booked)) == [#"["2027-05", "2027"] 3"#])
        #expect(try counts(.month(of: Self.paidAt)) == [#"["2027-05"] 2"#, #"["2027-06"] 1"#])
        #expect(try counts(.day(of: Self.paidAt)).count == 3)
        #expect(try counts(.currency(of: Self.fee)) == [#"["EUR"] 2"#, #"["USD"] 1"#])
        try await store.expectInvariants()
    }

    @Test("A live query follows the sums")
    func live() async throws {
        let (store, trip) = try await Self.filled()
        var updates = store.live {
            try $0.groups(of: Query<Activity>(), measuring: \.cost).first?.costs.first?.minorUnits
        }
        .makeAsyncIterator()
        #expect(try await updates.next() == 950)
        try await store.create(Activity(name: "Ferry", in: trip, cost: Self.euro(50)))
        #expect(try await updates.next() == 1_000)
        try await store.expectInvariants()
    }

    @Test("A property that is no field is refused")
    func unknown() async throws {
        let (store, _) = try await Self.filled()
        #expect(throws: TripStoreError.self) { try store.distinct(\.effectiveEnd, of: Query<Activity>()) }
    }
}
