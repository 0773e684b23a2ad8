import BenchmarkData
import Foundation
import Peers
import TripStore

/// Queries by any field, which read every entity of a kind; beside SQLite without an index for them, which reads every row.
struct QueryRow: Row {
    let name = "query"
    let work = "query by any field"
    let peer = "GRDB, no index"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let store = try await TripStore.filled(try scratch.makeFolder("store"), events: settings.events)
        let sqlite =
            settings.onlyOurs ? nil : try SQLiteStore.filled(try scratch.makeFolder("sqlite"), events: settings.events)
        let limit = Money(minorUnits: 50_00, "EUR")
        let costly = Query<Activity>().where { $0.cost > limit }
        let named = Query<Activity>().where { $0.name.contains("tour") }.sorted(by: \.start).limit(20)
        let pairs: [(detail: String, ours: () throws -> Int, peer: (SQLiteStore) throws -> Int)] = [
            (
                "count of activities by cost", { try store.read { try $0.count(costly) } },
                { try $0.activityCount(costing: 50_00) }
            ),
            (
                "20 activities by part of a name, in the order of time",
                { try store.read { try $0.fetch(named).count } },
                { try $0.activities(named: "tour", limit: 20).count }
            ),
        ]
        var outcome = Outcome()
        for pair in pairs {
            if let sqlite {
                let (ours, peer) = (try pair.ours(), try pair.peer(sqlite))
                guard ours == peer else { throw BenchError("\(pair.detail): \(ours) rows, and the peer has \(peer).") }
            }
            let paired = try await Paired.measure(settings, repeats: settings.repeats) {
                try secondsOf { _ = try pair.ours() }
            } peer: {
                guard let sqlite else { return 0 }
                return try secondsOf { _ = try pair.peer(sqlite) }
            }
            outcome.measurements.append(paired.times(pair.detail, goal: nil))
        }
        return outcome
    }
}
