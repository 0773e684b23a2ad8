import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@Suite("Indexes of apps' own kinds and fields")
struct OwnIndexTests {
    private static let rating = OwnField<Trip, Int>("org.example.index", 1, "rating")

    private static func store() async throws -> TripStore {
        var options = TripStore.Options(
            mapSize: 1 << 30, schema: [PackingList.schema, Packing.schema, Self.rating],
            dependencies: ManualClock().dependencies)
        options.indexes = [
            Index(on: \Packing.count), Index(on: \Packing.what, asPeopleDo: true), Index(on: \Packing.list),
            Index(on: Self.rating).then(\Trip.name),
        ]
        return try await TripStore.temporary(options: options)
    }

    @Test("An app's kind is found by its fields, also where one has its default, and in their order")
    func kind() async throws {
        let store = try await Self.store()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let list = try await store.create(PackingList("Hand luggage", of: lisbon))
        for number in 1...5 {
            var packing = Packing("Shirt \(number * 3)", on: list)
            packing.count = (number + 1) / 2
            try await store.create(packing)
        }
        func found(_ query: Query<Packing>) throws -> [String] {
            let explained = try store.explain(query)
            #expect(explained.index?.hasPrefix("packing by") == true, "\(explained)")
            return try store.fetch(query).map(\.what)
        }
        let all = Query<Packing>()
        #expect(try found(all.where { $0.count == 1 }.sorted(by: \.what, .asPeopleDo)) == ["Shirt 3", "Shirt 6"])
        #expect(
            try found(all.where { $0.count < 3 }.sorted(by: \.count, .descending)).prefix(2).sorted() == [
                "Shirt 12", "Shirt 9",
            ])
        #expect(try found(all.sorted(by: \.count).limit(2)).sorted() == ["Shirt 3", "Shirt 6"])
        #expect(try found(all.sorted(by: \.what, .asPeopleDo).limit(2)) == ["Shirt 3", "Shirt 6"])
        #expect(
            try found(all.where { $0.what.begins(with: "shirt 1") }.sorted(by: \.what)) == ["Shirt 12", "Shirt 15"])
        #expect(try found(all.where { $0.list == list }).count == 5)
        try await store.delete(lisbon)
        #expect(try found(all.where { $0.list == list }).isEmpty)
        try await store.expectInvariants()
    }

    @Test("An app's own field has an index with a built-in one behind it")
    func field() async throws {
        let store = try await Self.store()
        for (name, stars) in [("Porto", 3), ("Lisbon", 5), ("Évora", 5), ("Faro", nil)] as [(String, Int?)] {
            var trip = Trip(name: name)
            trip[Self.rating] = stars
            try await store.create(trip)
        }
        let best = Query<Trip>().where { $0[Self.rating] == 5 }.sorted(by: \.name)
        let explained = try store.explain(best)
        #expect(explained.rowsLookedAt == 2 && !explained.isSorted, "\(explained)")
        #expect(try store.fetch(best).map(\.name) == ["Lisbon", "Évora"])
        #expect(try store.fetch(Query<Trip>().sorted(by: Self.rating).sorted(by: \.name)).map(\.name).last == "Faro")
        try await store.expectInvariants()
    }
}
