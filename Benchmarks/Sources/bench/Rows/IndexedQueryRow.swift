import BenchmarkData
import Foundation
import Peers
import TripStore

/// Queries by several fields, with the indexes that SQLite has as well, as its documentation advises: the built-in ones and three of the
/// app's own. What contains a text has no index in either.
struct IndexedQueryRow: Row {
    let name = "indexed"
    let work = "query by any field, with indexes"
    let peer = "GRDB, same indexes"

    /// Numbers of items: half as many as events.
    private static let sizes = [10_000, 200_000, 1_000_000]

    /// Asked with several values, so that neither answers from what it has just read.
    private struct Question: Sendable {
        let detail: String
        /// How many values.
        let variants: Int
        /// Past the cache; both return how many rows, or for counts and sums the count.
        let ours: @Sendable (borrowing TripViews, Int) throws -> Int
        /// As apps ask.
        let cached: @Sendable (TripStore, Int) throws -> Int
        let peer: @Sendable (SQLiteStore, Int) throws -> Int

        init<Entity: TripEntity>(
            _ detail: String, variants: Int = 40, _ query: @escaping @Sendable (Int) -> Query<Entity>,
            _ peer: @escaping @Sendable (SQLiteStore, Int) throws -> Int
        ) {
            self.detail = detail
            self.variants = variants
            ours = { try $0.fetch(query($1)).count }
            cached = { try $0.fetch(query($1)).count }
            self.peer = peer
        }

        init(
            _ detail: String, variants: Int, _ ours: @escaping @Sendable (borrowing TripViews, Int) throws -> Int,
            cached: @escaping @Sendable (TripStore, Int) throws -> Int,
            _ peer: @escaping @Sendable (SQLiteStore, Int) throws -> Int
        ) {
            self.detail = detail
            self.variants = variants
            self.ours = ours
            self.cached = cached
            self.peer = peer
        }
    }

    /// From 2027-05-01 on, in steps of ten days, as a moment and as a day.
    private static func time(_ variant: Int) -> Moment {
        Moment(milliseconds: 1_809_129_600_000 + Int64(variant) * 864_000_000, zone: "UTC")
    }
    private static func day(_ variant: Int) -> Day {
        Day(daysSince1970: Day(2027, 5, 1).daysSince1970 + variant * 10) ?? Day(2027, 5, 1)
    }
    private static func cost(_ variant: Int) -> Int { 50_00 + variant * 100 }
    private static func part(_ variant: Int) -> String { ["tour", "muse", "walk", "park"][variant % 4] }

    private static func dear(_ variant: Int) -> Query<Activity> {
        Query<Activity>().where { $0.cost > Money(minorUnits: Int64(cost(variant)), "EUR") }
    }

    private static let sums: [GroupKey<Activity>] = [.currency(of: \.cost), .value(\.paid)]

    private static let questions: [Question] = [
        Question(
            "50 activities from a time on",
            { time in Query<Activity>().where { $0.start >= Self.time(time) }.sorted(by: \.start).limit(50) },
            { try $0.activities(from: time($1).milliseconds, limit: 50).count }),
        Question(
            "50 paid flights from a time on",
            { time in
                Query<Transportation>().where { $0.paid == .inFull && $0.start >= Self.time(time) }.sorted(by: \.start)
                    .limit(50)
            }, { try $0.flights(paid: 2, from: time($1).milliseconds, limit: 50).count }),
        Question(
            "20 activities by part of a name, in the order of time", variants: 4,
            { part in Query<Activity>().where { $0.name.contains(Self.part(part)) }.sorted(by: \.start).limit(20) },
            { try $0.activities(named: part($1), limit: 20).count }),
        Question(
            "50 trips with an unpaid lodging, from a day on",
            { day in
                Query<Trip>().where { $0.startDay >= Self.day(day) && $0.lodgings.contains { $0.paid == .none } }
                    .sorted(by: \.startDay).limit(50)
            }, { try $0.tripsWithUnpaidLodging(from: day($1).daysSince1970, limit: 50).count }),
        Question(
            "sums of costs by currency and payment", variants: 1,
            { views, _ in try views.groups(of: Query<Activity>(), by: sums, measuring: \.cost).count },
            cached: { store, _ in try store.groups(of: Query<Activity>(), by: sums, measuring: \.cost).count },
            { store, _ in try store.costs().count }),
        Question(
            "count of activities by cost", variants: 8, { try $0.count(dear($1)) },
            cached: { try $0.count(dear($1)) }, { try $0.activityCount(costing: cost($1)) }),
    ]

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        var outcome = Outcome()
        for items in Self.sizes where items <= settings.events || items == Self.sizes[0] {
            let events = items * 2
            let store = try await TripStore.indexed(try scratch.makeFolder("store-\(items)"), events: events)
            let sqlite =
                settings.onlyOurs
                ? nil : try SQLiteStore.filled(try scratch.makeFolder("sqlite-\(items)"), events: events)
            try sqlite?.addIndexes()
            for question in Self.questions {
                try await measure(question, store, sqlite, items, settings, into: &outcome)
            }
        }
        return outcome
    }

    private func measure(
        _ question: Question, _ store: TripStore, _ sqlite: SQLiteStore?, _ items: Int, _ settings: Settings,
        into outcome: inout Outcome
    ) async throws {
        let detail = "\(question.detail), \(items) items"
        if let sqlite {
            for variant in 0..<question.variants {
                let (ours, peer) = (
                    try store.read { try question.ours($0, variant) }, try question.peer(sqlite, variant)
                )
                guard ours == peer else { throw BenchError("\(detail): \(ours) rows, and the peer has \(peer).") }
            }
        }
        let peer: @Sendable () throws -> Double = {
            guard let sqlite else { return 0 }
            return try secondsOf { for variant in 0..<question.variants { _ = try question.peer(sqlite, variant) } }
        }
        let first = try await Paired.measure(settings, repeats: settings.repeats) {
            // In `read`, past the cache.
            try secondsOf {
                for variant in 0..<question.variants { _ = try store.read { try question.ours($0, variant) } }
            }
        } peer: {
            try peer()
        }
        outcome.measurements.append(first.times(detail, goal: .ratioAtMost(1)))
        let again = try await Paired.measure(settings, repeats: settings.repeats) {
            for variant in 0..<question.variants { _ = try question.cached(store, variant) }
            return try secondsOf { for variant in 0..<question.variants { _ = try question.cached(store, variant) } }
        } peer: {
            try peer()
        }
        outcome.measurements.append(again.times("\(detail), asked again", goal: .ratioAtMost(0.2)))
    }
}

extension TripStore {
    fileprivate static func indexed(_ folder: URL, events: Int) async throws -> TripStore {
        try await FilledLog.make(folder, events: events)
        var options = Options.bench
        options.indexes = [
            Index(on: \Activity.cost), Index(on: \Transportation.paid).then(\Transportation.start),
            Index(on: \Trip.startDay),
        ]
        return try await open(at: folder, options: options)
    }
}
