import BenchmarkData
import Foundation
import Peers
import TripStore

/// Random queries, one at a time, each decoded into values; beside the same rows as GRDB's records.
struct ReadsRow: Row {
    let name = "reads"
    let work = "queries, 200 k trips at full size"
    let peer = "GRDB FetchableRecord"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        var outcome = Outcome()
        var plots = Dictionary(
            uniqueKeysWithValues: Found.plots.map { ($0.name, PairedSeries($0.name, peer: "GRDB")) })
        for size in settings.sizes {
            // Twice as many events as elsewhere: 200 k trips at full size.
            let trips = size * 2 / TripGenerator.eventsPerTrip
            let found = try await scratch.withFolder { try await measure(trips, $0, settings) }
            for plot in Found.plots { plots[plot.name]?.add(found[keyPath: plot.times], size: size * 2) }
            if size == settings.events { outcome.measurements = found.measurements }
        }
        outcome.series = Found.plots.flatMap { plots[$0.name]?.series ?? [] }
        return outcome
    }

    private struct Found {
        var page = Paired()
        var cachedPage = Paired()
        var pageAlone = Paired()
        var items = Paired()
        var trip = Paired()
        var cachedTrip = Paired()

        static var plots: [(name: String, times: KeyPath<Found, Paired>)] {
            [("page", \.page), ("items", \.items), ("trip", \.trip)]
        }

        var measurements: [Measurement] {
            [
                page.times("page of 50 by date, with totals", goal: .ratioAtLeast(10)),
                cachedPage.times("the same page from the cache", goal: .ratioAtLeast(100)),
                pageAlone.times("page of 50, the peer without totals", goal: nil),
                items.times("items of a trip", goal: .ratioAtLeast(10)),
                trip.times("trip by id", goal: .ratioAtLeast(30)),
                cachedTrip.times("trip by id, by chance, through the cache", goal: nil),
            ]
        }
    }

    private func measure(_ trips: Int, _ folder: URL, _ settings: Settings) async throws -> Found {
        let events = trips * TripGenerator.eventsPerTrip
        let store = try await TripStore.filled(folder.appendingPathComponent("store"), events: events)
        let sqlite = settings.onlyOurs ? nil : try SQLiteStore.filled(folder, events: events)
        let ids = TripIDs(trips)
        let count = settings.count(4_000)
        let repeats = settings.isSingle ? 1 : 5
        var numbers = SeededNumbers(seed: 9)
        let days = (0..<count / 4).map { _ in Day(2024, 1, 1).advanced(by: numbers.below(3_500)) }
        var found = Found()

        func pair<Key>(
            _ keys: [Key], _ ours: (Key) throws -> Int, _ peer: (SQLiteStore, Key) throws -> Int
        ) async throws -> Paired {
            // Once before, untimed, so that both have their pages in memory.
            _ = try Self.each(keys, ours)
            if let sqlite { _ = try Self.each(keys) { try peer(sqlite, $0) } }
            return try await Paired.measure(settings, repeats: repeats) {
                try Self.each(keys, ours)
            } peer: {
                guard let sqlite else { return 0 }
                return try Self.each(keys) { try peer(sqlite, $0) }
            }
        }
        func rows(_ day: Day) throws -> Int {
            try store.read { try $0.trips(.starting(in: day..<Day.last), limit: 50).rows.count }
        }
        let tripIDs = ids.sample(count)
        found.page = try await pair(days, rows) { try $0.tripRows(from: $1.daysSince1970, limit: 50).count }
        found.pageAlone = try await pair(days, rows) { try $0.trips(from: $1.daysSince1970, limit: 50).count }
        let few = Array(repeating: days.prefix(20), count: max(1, count / 20)).flatMap { $0 }
        found.cachedPage = try await pair(few) {
            try store.trips(.starting(in: $0..<Day.last), limit: 50).rows.count
        } _: {
            try $0.tripRows(from: $1.daysSince1970, limit: 50).count
        }
        found.items = try await pair(tripIDs) { id in
            try store.read { try $0.items(of: id).count }
        } _: {
            try $0.items(of: $1.uuid).count
        }
        found.trip = try await pair(tripIDs) { id in
            try store.read { try $0.entity(id) } == nil ? 0 : 1
        } _: {
            try $0.trip($1.uuid) == nil ? 0 : 1
        }
        found.cachedTrip = try await pair(tripIDs) { id in
            try store.trip(id) == nil ? 0 : 1
        } _: {
            try $0.trip($1.uuid) == nil ? 0 : 1
        }
        return found
    }

    /// Average seconds of one query; each must find something.
    private static func each<Key>(_ keys: [Key], _ body: (Key) throws -> Int) throws -> Double {
        var rows = 0
        let taken = try secondsOf { for key in keys { rows += try body(key) } }
        guard rows >= keys.count else { throw BenchError("Queries found \(rows) rows for \(keys.count) keys.") }
        return taken / Double(keys.count)
    }
}
