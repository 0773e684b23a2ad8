import EventLog
import Events
import Foundation
import LMDB
import Logging
import ProjectionEngine
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Views")
struct ViewTests {
    /// Every row of every view.
    private func rows(_ store: TripStore) throws -> [String: [[UInt8]: [UInt8]]] {
        try store.views.read { views in
            var found: [String: [[UInt8]: [UInt8]]] = [:]
            for name in store.views.viewNames {
                found[name] = [:]
                var cursor = try views.cursor(on: name)
                var row = try cursor.first()
                while let current = row {
                    found[name]?[[UInt8](current.key)] = [UInt8](current.value)
                    row = try cursor.next()
                }
            }
            return found
        }
    }

    @Test("An invalidation names the rows that changed, each once, and no other (V6)", arguments: Seeds.some(5))
    func invalidations(seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var writer = RandomWriter(seed: seed)
        var before = try rows(store)
        var position = try store.status().position
        for _ in 0..<80 {
            try await writer.write(to: store)
            let after = try rows(store)
            let invalidations = try #require(try store.views.read { try $0.invalidations(since: position) })
            var named: [String: Set<[UInt8]>] = [:]
            for invalidation in invalidations {
                for (view, keys) in try #require(invalidation.keys) {
                    #expect(Set(keys).count == keys.count)
                    named[view, default: []].formUnion(keys)
                }
            }
            for (view, rows) in after {
                let old = before[view] ?? [:]
                let changed = Set(rows.filter { old[$0.key] != $0.value }.keys)
                    .union(old.keys.filter { rows[$0] == nil })
                #expect(named[view] ?? [] == changed, "\(view)")
            }
            before = after
            position = try store.status().position
        }
        try await store.expectInvariants()
    }

    @Test("Changes that reach back further than what is kept are not named at all")
    func forgottenInvalidations() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        for number in 0..<1200 { try await store.append([TripEvent(.edited, trip, [.set(\.notes, "\(number)")])]) }
        #expect(try store.views.read { try $0.invalidations(since: .start) } == nil)
        #expect(try store.views.read { try $0.invalidations(since: Position(1200)) }?.count == 2)
        #expect(try store.views.read { try $0.invalidations(since: Position(1202)) }?.isEmpty == true)
        try await store.expectInvariants()
    }

    @Test("No query sees half a commit, and none goes back (V4)")
    func wholeCommits() async throws {
        let store = try await TripStore.test()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var last = Position.start
                    var count = 0
                    while count < 400 {
                        let (position, trips) = try store.read { ($0.position, try $0.trips(limit: 1000).rows.count) }
                        #expect(trips.isMultiple(of: 2))
                        #expect(position >= last)
                        last = position
                        count = trips
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                let days = Day(2027, 1, 1)...Day(2027, 1, 2)
                for number in 0..<200 {
                    try await store.commit { commit in
                        commit.create(Trip(name: "\(number) a", days: days))
                        commit.create(Trip(name: "\(number) b", days: days))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await store.expectInvariants()
    }

    @Test("A rebuild beside the serving views loses no write, and queries go on")
    func rebuildBesideWriters() async throws {
        let store = try await TripStore.test()
        for number in 0..<200 { try await store.create(Trip(name: "\(number)")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 0..<3 { try await store.rebuildViews() } }
            for writer in 0..<2 {
                group.addTask {
                    for number in 0..<100 {
                        let id = try await store.create(Trip(name: "\(writer).\(number)"))
                        #expect(try store.trip(id) != nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.status().trips == 400)
        try await store.expectInvariants()
    }

    /// Fails on every entity once it is switched on.
    private struct Faulty: Projection {
        let name = "faulty"
        let version: UInt32 = 1

        func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
            throws(WireError)
        {
            if record.version.events > 1 { throw WireError("this projection fails on purpose") }
            sink.put(entity.bytes)
        }
    }

    @Test("A batch that cannot be applied leaves rows and checkpoint as they were (V2)")
    func rowsAndCheckpointChangeTogether() async throws {
        let store = try await TripStore.test()
        let folder = TemporaryFolder()
        let configuration = GroupConfiguration(
            name: "test", folder: folder.url.path, projections: [Faulty()], schema: "1", mapSize: 1 << 28)
        let group = ProjectionGroup(
            configuration, log: store.log, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await group.start()
        try await group.catchUp(to: .start)
        let trip = try await store.create(Trip(name: "Lisbon"))
        await group.applyPending()
        let before = try group.status(digests: true)
        #expect(before.map(\.position) == [Position(2), Position(2)])
        try await store.edit(trip) { $0.name = "Porto" }
        await group.applyPending()
        #expect(try group.status(digests: true) == before)
        #expect(group.fault?.description.contains("on purpose") == true)
        try await store.expectInvariants()
    }

    @Test("Two who open a store at once, and both build its views, go on with the same ones")
    func openingAtOnce() async throws {
        for _ in 0..<8 {
            let folder = TemporaryFolder()
            async let first = TripStore.test(at: folder.url)
            async let second = TripStore.test(at: folder.url)
            let stores = try await [first, second]
            #expect(stores[0].replica == stores[1].replica)
            let lisbon = try await stores[0].create(Trip(name: "Lisbon"))
            #expect(try stores[1].trip(lisbon)?.name == "Lisbon")
            try await stores[1].edit(lisbon) { $0.name = "Porto" }
            #expect(try stores[0].trip(lisbon)?.name == "Porto")
            try await stores[0].expectInvariants()
        }
    }

    @Test("Views that a power cut may have torn are built anew")
    func anotherBoot() async throws {
        let folder = TemporaryFolder()
        let trip: Trip.ID
        do {
            let store = try await TripStore.test(at: folder.url)
            trip = try await store.create(Trip(name: "Lisbon"))
        }
        let views = folder.url.appendingPathComponent("views")
        let names = try FileManager.default.contentsOfDirectory(atPath: views.path)
        for name in names {
            try Data("another boot\nopen\n".utf8).write(
                to: views.appendingPathComponent(name).appendingPathComponent("boot"))
        }
        let store = try await TripStore.test(at: folder.url)
        #expect(try store.trip(trip)?.name == "Lisbon")
        #expect(try FileManager.default.contentsOfDirectory(atPath: views.path) != names)
        try await store.expectInvariants()
    }

    @Test("A reader beside a writer sees what it writes, and follows a rebuild")
    func readerBesideWriter() async throws {
        let folder = TemporaryFolder()
        let writer = try await TripStore.test(at: folder.url)
        let reader = try await TripStore.open(at: folder.url, options: .readOnly)
        let trip = try await writer.create(Trip(name: "Lisbon"))
        #expect(try reader.trip(trip)?.name == "Lisbon")
        try await writer.rebuildViews()
        try await writer.edit(trip) { $0.name = "Porto" }
        #expect(try reader.trip(trip)?.name == "Porto")
        await #expect { try await reader.create(Trip(name: "x")) } throws: {
            ($0 as? TripStoreError)?.code == .readOnly
        }
        try await writer.expectInvariants()
    }

    @Test("Pages joined are the whole list, in order, whatever is written between them", arguments: Seeds.some(6))
    func pages(seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var writer = RandomWriter(seed: seed)
        for _ in 0..<120 { try await writer.write(to: store) }
        let trips = try writer.trips.compactMap { try store.trip($0) }
        let range = Day(2027, 1, 20)..<Day(2027, 2, 20)
        func isIn(_ trip: Trip, _ query: Query<Trip>) -> Bool {
            guard let start = trip.startDay ?? trip.endDay else {
                return query == .undated || query == .undated.reversed
            }
            let last = max(start, trip.endDay ?? start)
            switch query {
            case .dated, .dated.reversed: return true
            case .starting(in: range): return range.contains(start)
            case .overlapping(range), .overlapping(range).reversed:
                return start < range.upperBound && last >= range.lowerBound
            default: return false
            }
        }
        let queries: [Query<Trip>] = [
            .dated, .dated.reversed, .undated, .undated.reversed, .starting(in: range), .overlapping(range),
            .overlapping(range).reversed,
        ]
        for query in queries {
            let expected = Set(trips.filter { isIn($0, query) }.map(\.id))
            for size in [1, 3, 1000] {
                var rows: [TripRow] = []
                var cursor: PageCursor?
                repeat {
                    let page = try store.trips(query, limit: size, after: cursor)
                    rows += page.rows
                    cursor = page.next
                } while cursor != nil
                #expect(rows.count == expected.count && Set(rows.map(\.id)) == expected)
                let starts = rows.compactMap { $0.trip.startDay }
                let isReversed =
                    query == query.reversed.reversed && [.dated.reversed, .overlapping(range).reversed].contains(query)
                #expect(starts == (isReversed ? starts.sorted(by: >) : starts.sorted()))
            }
        }
        for trip in trips {
            let items = try store.items(of: trip.id)
            let starts = items.map { item in
                item.start?.milliseconds ?? item.startDay.map { Int64($0.daysSince1970) * 86_400_000 } ?? .max
            }
            #expect(starts == starts.sorted())
            let totals = try store.totals(of: trip.id)
            #expect(totals.itemCount == items.count)
            for sum in totals.costs {
                let costs = items.compactMap(\.countedCost).filter { $0.currency == sum.currency }
                #expect(sum.minorUnits == costs.reduce(0) { $0 + Int128($1.minorUnits) })
            }
        }
        try await store.expectInvariants()
    }
}
