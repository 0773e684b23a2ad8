import BenchmarkData
import Foundation
import Peers
import TripStore

/// Queries by several fields, with the indexes that SQLite has as well, as its documentation advises: the built-in ones and two of the
/// app's own. What contains a text has no index in either.
struct IndexedQueryRow: Row {
    let name = "indexed"
    let work = "query by any field, with indexes"
    let peer = "GRDB, same indexes"

    private typealias Question = (
        detail: String, ours: @Sendable (borrowing TripViews) throws -> Int, peer: @Sendable (SQLiteStore) throws -> Int
    )

    private static let limit = Money(minorUnits: 50_00, "EUR")
    /// 2027-05-01, as a moment and as a day.
    private static let time = Moment(milliseconds: 1_809_129_600_000, zone: "UTC")
    private static let day = Day(2027, 5, 1)

    private static let questions: [Question] = [
        (
            "50 activities from a time on",
            { try $0.fetch(Query<Activity>().where { $0.start >= time }.sorted(by: \.start).limit(50)).count },
            { try $0.activities(from: time.milliseconds, limit: 50).count }
        ),
        (
            "50 paid flights from a time on",
            {
                let paid = Query<Transportation>().where { $0.paid == .inFull && $0.start >= time }
                return try $0.fetch(paid.sorted(by: \.start).limit(50)).count
            }, { try $0.flights(paid: 2, from: time.milliseconds, limit: 50).count }
        ),
        (
            "20 activities by part of a name, in the order of time",
            { try $0.fetch(Query<Activity>().where { $0.name.contains("tour") }.sorted(by: \.start).limit(20)).count },
            { try $0.activities(named: "tour", limit: 20).count }
        ),
        (
            "50 trips with an unpaid lodging, from a day on",
            {
                let unpaid = Query<Trip>().where { $0.startDay >= day && $0.lodgings.contains { $0.paid == .none } }
                return try $0.fetch(unpaid.sorted(by: \.startDay).limit(50)).count
            }, { try $0.tripsWithUnpaidLodging(from: day.daysSince1970, limit: 50).count }
        ),
        (
            "sums of costs by currency and payment",
            {
                try $0.groups(of: Query<Activity>(), by: [.currency(of: \.cost), .value(\.paid)], measuring: \.cost)
                    .count
            },
            { try $0.costs().count }
        ),
        (
            "count of activities by cost", { try $0.count(Query<Activity>().where { $0.cost > limit }) },
            { try $0.activityCount(costing: 50_00) }
        ),
    ]

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        var outcome = Outcome()
        for events in settings.sizes {
            let store = try await TripStore.indexed(try scratch.makeFolder("store-\(events)"), events: events)
            let sqlite =
                settings.onlyOurs
                ? nil : try SQLiteStore.filled(try scratch.makeFolder("sqlite-\(events)"), events: events)
            try sqlite?.addIndexes()
            for question in Self.questions {
                try await measure(question, store, sqlite, events, settings, into: &outcome)
            }
        }
        return outcome
    }

    private func measure(
        _ question: Question, _ store: TripStore, _ sqlite: SQLiteStore?, _ events: Int, _ settings: Settings,
        into outcome: inout Outcome
    ) async throws {
        let detail = "\(question.detail), \(events) events"
        if let sqlite {
            let (ours, peer) = (try store.read(question.ours), try question.peer(sqlite))
            guard ours == peer else { throw BenchError("\(detail): \(ours) rows, and the peer has \(peer).") }
        }
        let paired = try await Paired.measure(settings, repeats: settings.repeats) {
            // In `read`, past the cache.
            try secondsOf { _ = try store.read(question.ours) }
        } peer: {
            guard let sqlite else { return 0 }
            return try secondsOf { _ = try question.peer(sqlite) }
        }
        outcome.measurements.append(paired.times(detail, goal: .ratioAtMost(1)))
    }
}

extension TripStore {
    fileprivate static func indexed(_ folder: URL, events: Int) async throws -> TripStore {
        try await FilledLog.make(folder, events: events)
        var options = Options.bench
        options.indexes = [Index(on: \Activity.cost), Index(on: \Transportation.paid).then(\Transportation.start)]
        return try await open(at: folder, options: options)
    }
}
