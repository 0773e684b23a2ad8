import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

/// Groups are found by bytes of records: a plain evaluation of the entities finds them by values.
@Suite("To which group an entity belongs")
struct GroupIdentityTests {
    private static let all = Query<Activity>()
    /// Meets all, which only the entities tell.
    private static let decoded = all.where(#Predicate<Activity> { $0.name.count >= 0 })

    /// What a key is of an entity.
    private typealias Key = (key: GroupKey<Activity>, value: @Sendable (Activity) -> AnyHashable?)

    private static let keys: [[Key]] = {
        let currency: Key = (.currency(of: \.cost), { $0.cost?.currency.code })
        let cost: Key = (.value(\.cost), { $0.cost.map { [$0.currency.code, "\($0.minorUnits)"] } })
        let day: Key = (.day(of: \.start), { $0.start?.localDay })
        let month: Key = (
            .month(of: \.start), { $0.start.map { [$0.localDay.components.year, $0.localDay.components.month] } }
        )
        let year: Key = (.year(of: \.start), { $0.start?.localDay.components.year })
        let name: Key = (.value(\.name), { Array($0.name.utf8) })
        let notes: Key = (.value(\.notes), { Array($0.notes.utf8) })
        return [
            [currency, (.value(\.paid), { $0.paid.rawValue })], [cost], [month, currency], [day], [year, name],
            [(.value(\.start), { $0.start?.milliseconds })], [name, notes],
            [(.value(\.createdAt), { $0.createdAt })], [(.value(\.id), { $0.id })], [(.value(\.address), { _ in nil })],
            [],
        ]
    }()

    private static func activities(seed: UInt64, in trip: Trip.ID) -> [Activity] {
        var generator = SeededGenerator(seed: seed)
        let texts = ["a", "b", "a\u{1}b", "b\u{1}c", "c", "", "é", "e\u{301}", String(repeating: "long", count: 100)]
        let zones = ["Europe/Lisbon", "Pacific/Auckland", "UTC", "Asia/Kathmandu"]
        return (0..<300).map { _ in
            var activity = Activity(name: texts.randomElement(using: &generator) ?? "", in: trip)
            if activity.name.isEmpty { activity.name = "none" }
            activity.notes = texts.randomElement(using: &generator) ?? ""
            activity.paid = [PaidStatus.none, .deposit, .inFull].randomElement(using: &generator) ?? .none
            if Bool.random(using: &generator) {
                let currency = ["EUR", "USD", "JPY"].randomElement(using: &generator) ?? "EUR"
                var cost = Money(minorUnits: .random(in: -2...2, using: &generator), Currency(unchecked: currency))
                // Field 9, a number, which only a newer version knows.
                if Bool.random(using: &generator) {
                    cost.unknownFields = [0x48, .random(in: 0...1, using: &generator)]
                }
                activity.cost = cost
            }
            if Bool.random(using: &generator) {
                // Around the end of a year, by the hour.
                let milliseconds = 1_830_297_600_000 + Int64.random(in: -40...40, using: &generator) * 3_600_000
                activity.start = Moment(
                    milliseconds: milliseconds, zone: zones.randomElement(using: &generator) ?? "UTC")
            }
            return activity
        }
    }

    /// The count and the costs of a group, in an order of their own.
    private static func outlines(_ groups: [QueryGroup]) -> [String] {
        groups.map { group in "\(group.count): \(group.costs.map { "\($0.minorUnits) \($0.currency.code)" })" }.sorted()
    }

    private static func outlines(_ activities: [Activity], by keys: [Key]) -> [String] {
        Dictionary(grouping: activities) { activity in keys.map { $0.value(activity) } }.values.map { group in
            let costs = Dictionary(grouping: group.compactMap(\.cost)) { $0.currency.code }
            let sums = costs.sorted { $0.key < $1.key }.map { code, costs in
                "\(costs.reduce(0) { $0 + $1.minorUnits }) \(code)"
            }
            return "\(group.count): \(sums)"
        }.sorted()
    }

    @Test("Groups of records are those of decoded entities", arguments: [1, 2, 3] as [UInt64])
    func identities(seed: UInt64) async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let activities = Self.activities(seed: seed, in: trip)
        // Of several times.
        for first in stride(from: 0, to: 300, by: 50) { try await store.create(Array(activities[first..<first + 50])) }
        let entities = try store.fetch(Self.all).rows
        #expect(entities.count == 300)
        for keys in Self.keys {
            let found = try store.groups(of: Self.all, by: keys.map(\.key), measuring: \.cost)
            #expect(Self.outlines(found) == Self.outlines(entities, by: keys), "seed \(seed)")
            let keysInOrder = found.map(\.keys)
            #expect(
                zip(keysInOrder, keysInOrder.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
            let expected = try store.groups(of: Self.decoded, by: keys.map(\.key), measuring: \.cost)
            #expect(found == expected, "seed \(seed)")
            #expect(found.map { $0.keys.map(\.description) } == expected.map { $0.keys.map(\.description) })
            #expect(found.reduce(0) { $0 + $1.count } == 300)
        }
        try await store.expectInvariants()
    }

    @Test("Two texts whose bytes follow each other equally are two")
    func lengths() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        for (name, notes) in [("a\u{1}b", "c"), ("a", "b\u{1}c")] {
            try await store.create(Activity(name: name, in: trip, notes: notes))
        }
        #expect(try store.groups(of: Self.all, by: [.value(\.name), .value(\.notes)]).map(\.count) == [1, 1])
        try await store.expectInvariants()
    }

    @Test("Items of trips whose ids end equally are hidden with their own trip alone")
    func trips() async throws {
        let store = try await TripStore.test()
        let ids = (1...4).map { number in
            Trip.ID(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(number), 15)))
        }
        for id in ids { try await store.create(Trip(id: id, name: "Lisbon")) }
        for number in 0..<40 {
            try await store.create(
                Activity(
                    name: "\(number)", in: ids[number % 4], from: Moment(milliseconds: Int64(number), zone: "UTC")))
        }
        try await store.delete(ids[1])
        try await store.delete(ids[2])
        let names = (0..<40).filter { [0, 3].contains($0 % 4) }.map { "\($0)" }
        let byIndex = Self.all.where { $0.start >= Moment(milliseconds: 0, zone: "UTC") }.sorted(by: \.start)
        #expect(try store.explain(byIndex).index != nil)
        #expect(try store.fetch(byIndex).map(\.name) == names)
        let byScan = Self.all.where { $0.name.contains("") }
        #expect(try store.explain(byScan).index == nil)
        #expect(Set(try store.fetch(byScan).map(\.name)) == Set(names))
        try await store.expectInvariants()
    }
}
