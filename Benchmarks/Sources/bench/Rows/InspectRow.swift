import Foundation
import TripStore

/// Questions of the page of `tripstore inspect` to the program behind it, over a store with a commit for each event.
struct InspectRow: Row {
    let name = "inspect"
    let work = "`tripstore inspect`, what the page asks"
    let peer = "–"

    /// Requests of a page before it shows something, by the name that the table has.
    private static let questions: [(detail: String, paths: [String], goal: Goal?)] = [
        ("the page with its style and script", ["", "inspect.css", "inspect.js"], .atMost(0.1)),
        ("100 trips by date", ["api/1/trips?limit=100"], .atMost(0.1)),
        // The time grows with the trips that are passed over.
        (
            "100 trips by a condition without an index",
            ["api/1/list/trips?limit=100&where=notes%20contains%20%22a%22"], nil
        ),
        ("the newest 50 commits", ["api/1/audit/log?limit=50"], .atMost(0.1)),
        ("devices", ["api/1/status", "api/1/members", "api/1/peers"], .atMost(0.1)),
    ]

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let folder = try scratch.makeFolder("store")
        try await FilledLog.make(folder, events: scratch.settings.events, eventsPerCommit: 1)
        try await TripStore.open(at: folder, options: .bench).close()
        let page = try await InspectedPage(of: folder, state: try scratch.makeFolder("state"))
        defer { page.end() }
        let repeats = scratch.settings.isSingle ? 1 : 21
        var measurements: [Measurement] = []
        for (detail, paths, goal) in Self.questions {
            var times: [Double] = []
            // The first one also reads pages of the store in.
            for _ in 0...repeats {
                times.append(try await seconds { for path in paths { try await page.ask(path) } })
            }
            measurements.append(
                Measurement(detail: detail, ours: .seconds(Array(times.dropFirst()).median), goal: goal))
        }
        measurements.append(
            Measurement(
                detail: "anonymous memory of the program", ours: .bytes(Double(page.anonymousBytes)),
                goal: .atMost(150e6)))
        return Outcome(measurements: measurements)
    }
}
