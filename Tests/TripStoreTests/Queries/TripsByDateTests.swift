import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Trips by date as queries")
struct TripsByDateTests {
    private static let queries: [Query<Trip>] = {
        let days = Day(2027, 1, 20)..<Day(2027, 2, 20)
        let queries: [Query<Trip>] = [
            .dated, .undated, .starting(in: days), .overlapping(days), .starting(in: days.lowerBound..<days.lowerBound),
            .overlapping(days.lowerBound..<days.lowerBound),
        ]
        return queries + queries.map(\.reversed)
    }()

    /// All rows of a query by pages.
    private func pages(_ query: Query<Trip>, of store: TripStore, _ size: Int) throws -> [Trip] {
        var (found, cursor): ([Trip], PageCursor?) = ([], nil)
        repeat {
            let page = try store.fetch(query.limit(size), after: cursor)
            #expect(page.count <= size && (page.next == nil || page.count == size))
            found += page
            cursor = page.next
        } while cursor != nil
        return found
    }

    @Test("Rows, counts, ids, groups and pages of each agree, also with further conditions", arguments: Seeds.some(4))
    func agreement(seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var writer = RandomWriter(seed: seed)
        for _ in 0..<150 { try await writer.write(to: store) }
        for query in Self.queries {
            let trips = try store.trips(query, limit: 1000).map(\.trip)
            #expect(try store.fetch(query).rows == trips)
            #expect(try store.ids(query) == trips.map(\.id))
            #expect(try store.count(query) == trips.count && store.exists(query) == !trips.isEmpty)
            #expect(try store.first(query) == trips.first)
            #expect(try store.groups(of: query).map(\.count) == (trips.isEmpty ? [] : [trips.count]))
            for size in [1, 3] { #expect(try pages(query, of: store, size) == trips) }
            // A condition that some meet.
            let middle = trips.isEmpty ? "" : trips[trips.count / 2].name
            let some = query.where { $0.name >= middle }
            let expected = trips.filter { !$0.name.unicodeScalars.lexicographicallyPrecedes(middle.unicodeScalars) }
            #expect(try store.fetch(some).rows == expected && store.count(some) == expected.count)
            for size in [1, 3] { #expect(try pages(some, of: store, size) == expected) }
            #expect(try store.trips(some, limit: 1000).map(\.trip) == expected)
        }
        try await store.expectInvariants()
    }

    @Test("The view of trips by date answers them, and gives the order to those with further conditions")
    func routes() async throws {
        let store = try await TripStore.test()
        let may = Day(2027, 5, 1)..<Day(2027, 6, 1)
        for day in 1...9 {
            try await store.create(Trip(name: "\(day % 3)", days: Day(2027, 5, day)...Day(2027, 5, day + 1)))
        }
        let page = try store.explain(Query.starting(in: may).limit(2))
        #expect(page.index == "trips-by-start" && page.rowsLookedAt == 3 && !page.isSorted)
        #expect(try store.explain(Query.overlapping(may)).index == "trips-by-span")
        let some = try store.explain(Query.starting(in: may).where { $0.notes != "x" }.limit(3))
        #expect(some.index == "trips-by-start" && some.rowsGiven == 3 && some.rowsLookedAt == 4 && !some.isSorted)
        #expect(try store.explain(Query.starting(in: may).sorted(by: \.name)).isSorted)
        try await store.expectInvariants()
    }

    @Test(
        "A further page of trips by date with more conditions begins at its row, and not at the first trip",
        arguments: [false, true])
    func furtherPages(isReversed: Bool) async throws {
        let store = try await TripStore.test()
        let days = Day(2027, 1, 1)..<Day(2027, 12, 31)
        for day in 1...60 {
            let first = days.lowerBound.advanced(by: day)
            try await store.create(Trip(name: "\(day)", days: first...first.advanced(by: day % 3)))
        }
        for query in [Query.dated, .starting(in: days)] {
            let some = (isReversed ? query.reversed : query).where { $0.notes != "x" }.limit(3)
            var (found, cursor): ([Trip], PageCursor?) = ([], nil)
            repeat {
                try store.read { views in
                    var run = try views.run(some, limit: some.limit)
                    let start = try cursor.map { try $0.sortValues(in: some, run.query) }
                    _ = try run.forEachOfPage(after: start, through: nil, in: views) { _ in }
                    #expect(run.indexNames != nil && run.rowsLookedAt <= 4)
                }
                let page = try store.fetch(some, after: cursor)
                found += page
                cursor = page.next
            } while cursor != nil
            let names = (1...60).map(String.init)
            #expect(found.map(\.name) == (isReversed ? names.reversed() : names))
        }
        try await store.expectInvariants()
    }

    @Test(
        "A range is the same query whether it names its last day or the day after, and reversing twice changes nothing")
    func equality() {
        let (first, last) = (Day(2027, 5, 1), Day(2027, 5, 31))
        #expect(Query.starting(in: first...last) == .starting(in: first..<last.advanced(by: 1)))
        #expect(Query.overlapping(first...last) == .overlapping(first..<last.advanced(by: 1)))
        #expect(Query.overlapping(first...last) != .starting(in: first...last))
        for query in Self.queries { #expect(query.reversed != query && query.reversed.reversed == query) }
        let named = Query<Trip>().sorted(by: \.name)
        #expect(named.reversed.reversed == named)
    }

    @Test("A trip on the last day of the calendar is in the range that includes it alone")
    func lastDay() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "end", days: Day.last...Day.last))
        #expect(try store.fetch(.starting(in: Day.last...Day.last)).map(\.id) == [trip])
        #expect(try store.fetch(.overlapping(Day.first...Day.last)).map(\.id) == [trip])
        #expect(try store.fetch(.starting(in: Day.first..<Day.last)).isEmpty)
        #expect(try store.fetch(.starting(in: Day.first..<Day.first)).isEmpty)
        try await store.expectInvariants()
    }

    @Test("They are followed as any query is, page by page, and asked of the past and inside of a read")
    @MainActor
    func everywhere() async throws {
        let store = try await TripStore.test()
        var updates = store.live(.starting(in: Day(2027, 5, 1)..<Day(2027, 5, 3))).makeAsyncIterator()
        #expect(try await updates.next()?.rows.isEmpty == true)
        func trip(_ day: Int) -> Trip { Trip(name: "\(day)", days: Day(2027, 5, day)...Day(2027, 5, day)) }
        let first = try await store.commit { $0.create(trip(1)) }
        for day in 2...5 { try await store.create(trip(day)) }
        #expect(try await updates.next()?.rows.map(\.name) == ["1", "2"])
        let model = LiveModel(store.live(.dated.limit(2)))
        #expect(model.rows.map(\.name) == ["1", "2"] && model.hasMore)
        model.loadMore()
        #expect(model.rows.map(\.name) == ["1", "2", "3", "4"] && model.hasMore)
        #expect(try store.read { try $0.fetch(.dated.reversed.limit(1)).map(\.name) } == ["5"])
        #expect(try await store.asOf(first.position).fetch(.dated).map(\.name) == ["1"])
        #expect(try await store.asOf(.start).count(.dated) == 0)
        try await store.deleteAll(.overlapping(Day(2027, 5, 2)...Day(2027, 5, 4)))
        #expect(try store.ids(.dated).count == 2 && store.fetch(.dated.where { $0.name == "5" }).count == 1)
        try await store.expectInvariants()
    }
}
