import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport
import Trips

@testable import TripStore
@testable import TripStoreProjections

@Suite("Typed rows of an app's own views")
struct AppRowsTests {
    private static let byCity = AppView<ViewPair<String, Day?>, String>("by-city", version: 1) { (trip: Trip, rows) in
        rows.put(ViewPair(trip.destination, trip.startDay), trip.name)
    }
    private static let byCost = AppView<Int, TripItem.ID?>(items: "by-cost", version: 1) { item, rows in
        rows.put(Int(item.cost?.minorUnits ?? 0), TripItem.ID(item.reference))
    }

    private func store() async throws -> TripStore {
        try await TripStore.temporary(
            options: TripStore.Options(
                mapSize: 1 << 30, projections: [Self.byCity, Self.byCost], dependencies: ManualClock().dependencies))
    }

    /// Checks that encoded bytes sort like the values, and decode to them.
    private func expectOrder<Value: ViewValue>(
        _ values: [Value], _ precedes: (Value, Value) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for a in values {
            var reader = ViewBytes.Reader(ViewBytes(key: a).bytes)
            #expect(Value(reading: &reader) == a && reader.isAtEnd, sourceLocation: sourceLocation)
            for b in values {
                let (first, second) = (ViewBytes(key: a).bytes, ViewBytes(key: b).bytes)
                #expect(
                    first.lexicographicallyPrecedes(second) == precedes(a, b), "\(a), \(b)",
                    sourceLocation: sourceLocation)
                #expect(a == b || !second.starts(with: first), "\(a), \(b)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test(
        "The bytes of values are in their order, say where they end, and read as the same values",
        arguments: Seeds.some(4))
    func values(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let numbers = [Int64.min, -1, 0, 1, .max] + (0..<20).map { _ in Int64(bitPattern: random.next()) }
        expectOrder(numbers, <)
        expectOrder(numbers.map { Int($0) }, <)
        expectOrder([false, true]) { !$0 && $1 }
        let texts =
            ["", "\0", "\0\u{1}", "a", "a\0", "a\0b", "ab", "b", "é", "日", "\u{10FFFF}"]
            + (0..<20).map { _ in String((0..<3).map { _ in "\0\u{1}ab\u{FF}".randomElement(using: &random) ?? "a" }) }
        let isBefore = { (a: String, b: String) in a.utf8.lexicographicallyPrecedes(b.utf8) }
        // Swift compares some texts as equal that have different bytes.
        let distinct = Dictionary(texts.map { (Array($0.utf8), $0) }) { first, _ in first }.map(\.value)
        expectOrder(distinct, isBefore)
        let days = numbers.map { Day(2027, 1, 1).advanced(by: Int($0 % 100_000)) }
        expectOrder(days, <)
        expectOrder([Day?.none] + days.map { .some($0) }) { a, b in b.map { b in a.map { $0 < b } ?? true } ?? false }
        let pairs = distinct.prefix(8).flatMap { text in numbers.prefix(8).map { ViewPair(text, $0) } }
        expectOrder(pairs) { $0.first == $1.first ? $0.second < $1.second : isBefore($0.first, $1.first) }
        let moments = numbers.map { Moment(milliseconds: $0, zone: "Europe/Lisbon") }
        expectOrder(moments) { $0.milliseconds < $1.milliseconds }
        let ids = (0..<10).map { _ in Trip.ID.new(at: Date(timeIntervalSince1970: 0), using: &random) }
        expectOrder(ids, <)
        expectOrder([NoValue()]) { _, _ in false }
    }

    @Test("A long text is cut in a key, between two characters, and whole beside it")
    func longTexts() {
        for text in [String(repeating: "a", count: 500), String(repeating: "日", count: 100)] {
            let key = ViewBytes(key: text).bytes
            #expect(key.count <= ViewBytes.longestTextInKey + 2)
            var reader = ViewBytes.Reader(key)
            let read = String(reading: &reader)
            #expect(read.map { !$0.isEmpty && text.hasPrefix($0) } == true)
            var value = ViewBytes(isKey: false)
            value.append(text)
            var values = ViewBytes.Reader(value.bytes)
            #expect(String(reading: &values) == text)
        }
    }

    @Test("Rows are read by key, by a range, by the first part of a key and from the end, and name their entities")
    func selections() async throws {
        let store = try await store()
        let day = Day(2027, 5, 1)
        var ids: [String: Trip.ID] = [:]
        for (name, city, day) in [
            ("a", "Lisboa", Day?.some(day)), ("b", "Lisboa", nil), ("c", "Lisboa 2", nil), ("d", "Porto", day),
            ("e", "Porto", day), ("f", "", nil),
        ] {
            ids[name] = try await store.create(Trip(name: name, destination: city, startDay: day, endDay: nil))
        }
        try await store.appViews.catchUp()
        let views = store.appViews
        func names(_ selection: RowSelection<ViewPair<String, Day?>>) throws -> [String] {
            let rows = try views.rows(of: Self.byCity, selection)
            for row in rows { #expect(row.entity == ids[row.value]?.reference) }
            #expect(rows.position == (try views.position))
            return rows.map(\.value)
        }
        #expect(try names(.all).prefix(4) == ["f", "b", "a", "c"])
        #expect(Set(try names(.all)) == Set(ids.keys))
        #expect(try names(.first("Lisboa")) == ["b", "a"])
        #expect(try names(.first("Lisboa").reversed) == ["a", "b"])
        #expect(try names(.first(in: "Lisboa"..<"Porto")) == ["b", "a", "c"])
        #expect(Set(try names(.key(ViewPair("Porto", day)))) == ["d", "e"])
        #expect(try names(.first("Faro")).isEmpty)
        let lisbon = try #require(ids["a"])
        for cost in [Money("3.10", "EUR"), Money("-1", "EUR"), Money("20", "EUR")] {
            try await store.create(Activity(name: "x", in: lisbon, cost: cost))
        }
        try await store.appViews.catchUp()
        #expect(try views.rows(of: Self.byCost).map(\.key) == [-100, 310, 2000])
        #expect(try views.rows(of: Self.byCost, .keys(0..<2000)).map(\.key) == [310])
        #expect(try views.rows(of: Self.byCost).allSatisfy { $0.value?.reference == $0.entity })
        try await store.expectInvariants()
    }

    @Test("They are cached until something among them changes")
    func cached() async throws {
        let store = try await store()
        try await store.create(Trip(name: "a", destination: "Lisboa"))
        let porto = try await store.create(Trip(name: "b", destination: "Porto"))
        try await store.appViews.catchUp()
        let group = try #require(store.appGroup)
        func read() throws -> [String] { try store.appViews.rows(of: Self.byCity, .first("Lisboa")).map(\.value) }
        #expect(try read() == ["a"])
        let hits = group.cacheStatistics.hits
        #expect(try read() == ["a"])
        #expect(group.cacheStatistics.hits == hits + 1)
        try await store.edit(porto) { $0.name = "c" }
        try await store.appViews.catchUp()
        #expect(try read() == ["a"])
        #expect(group.cacheStatistics.hits == hits + 2)
        try await store.edit(porto) { $0.destination = "Lisboa" }
        try await store.appViews.catchUp()
        #expect(try read() == ["a", "c"])
        #expect(group.cacheStatistics.hits == hits + 2)
        try await store.expectInvariants()
    }

    @Test("They can be followed live, and read as they were at a position and at an instant")
    func liveAndPast() async throws {
        let store = try await store()
        let lisbon = try await store.create(Trip(name: "a", destination: "Lisboa"))
        try await store.appViews.catchUp()
        var live = store.live(.rows(of: Self.byCity)).makeAsyncIterator()
        #expect(try await live.next()?.rows.map(\.value) == ["a"])
        let receipt = try await store.edit(lisbon) { $0.name = "b" }
        let update = try await live.next()
        #expect(update?.rows.map(\.value) == ["b"] && update?.changes.changed.count == 1)
        let past = try await store.asOf(receipt.position - 1)
        let before = try await store.appViews.asOf(past.horizon)
        #expect(try before.rows(of: Self.byCity).map(\.value) == ["a"] && before.position == past.position)
        #expect(try await store.appViews.asOf(.start).rows(of: Self.byCity).isEmpty)
        #expect(try await store.appViews.asOf(.date(.distantFuture)).rows(of: Self.byCity).map(\.value) == ["b"])
        await #expect { try await store.appViews.asOf(Position(99)) } throws: {
            ($0 as? TripStoreError)?.code == .unknownPosition
        }
        let without = try await TripStore.test()
        await #expect { try await without.appViews.asOf(.start) } throws: {
            ($0 as? TripStoreError)?.code == .invalidProjections
        }
        try await store.expectInvariants()
    }

    @Test("They can be requested for a view of SwiftUI, and a store without them gives the error")
    func requests() async throws {
        let sums = AppSums<String>("sums", version: 1) { (trip: Trip, sums) in sums.add(to: trip.destination) }
        let store = try await TripStore.temporary(
            options: TripStore.Options(
                mapSize: 1 << 30, projections: [Self.byCity, sums], dependencies: ManualClock().dependencies))
        try await store.create(Trip(name: "a", destination: "Lisboa"))
        try await store.appViews.catchUp()
        let rows = FetchRequest.rows(of: Self.byCity, .first("Lisboa"))
        #expect(rows == .rows(of: Self.byCity, .first("Lisboa")) && rows != .rows(of: Self.byCity))
        var live = store.live(rows).makeAsyncIterator()
        #expect(try await live.next()?.rows.map(\.value) == ["a"])
        var counts = store.live(.sums(of: sums)).makeAsyncIterator()
        #expect(try await counts.next()?.rows.map(\.count) == [1])
        let without = try await TripStore.test()
        var failing = without.live(rows).makeAsyncIterator()
        let error = await #expect(throws: TripStoreError.self) { try await failing.next() }
        #expect(error?.code == .invalidProjections)
        for store in [store, without] { try await store.expectInvariants() }
    }

    @Test("They obey the laws of projections, also with two rows of an entity under one key")
    func laws() async throws {
        let twice = AppView<String, Int>("twice", version: 1) { (trip: Trip, rows) in
            rows.put(trip.name, 1)
            rows.put(trip.destination, 2)
        }
        let sums = AppSums<ViewPair<String, Day?>>("sums", version: 1) { (trip: Trip, sums) in
            sums.add(Int128(trip.notes.count), to: ViewPair(trip.destination, trip.startDay))
        }
        let total = AppSums<NoValue>("total", version: 1) { (_: Trip, sums) in sums.add(to: NoValue()) }
        let found = try await ProjectionLaws.violations(
            of: [Self.byCity, Self.byCost, twice, sums, total], seeds: [1])
        #expect(found.isEmpty, "\(found)")
    }

    @Test("Bytes of another type are a damaged row, and a view that was not given is unknown")
    func mistaken() async throws {
        let store = try await store()
        try await store.create(Trip(name: "a", destination: "Lisboa"))
        try await store.appViews.catchUp()
        let other = AppView<Int, Int>("by-city", version: 1) { (_: Trip, _) in }
        #expect { try store.appViews.rows(of: other) } throws: { ($0 as? TripStoreError)?.code == .viewsDamaged }
        let none = AppView<Int, Int>("none", version: 1) { (_: Trip, _) in }
        #expect { try store.appViews.rows(of: none) } throws: { ($0 as? TripStoreError)?.code == .unknownView }
        try await store.expectInvariants()
    }
}
