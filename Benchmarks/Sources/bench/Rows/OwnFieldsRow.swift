import BenchmarkData
import Foundation
import TripStore

extension Trip {
    fileprivate static let rating = OwnField<Trip, Int>("org.example.bench", 1, "rating")
    fileprivate static let labels = OwnSet<Trip, String>("org.example.bench", 2, "labels")
    fileprivate static let visits = OwnCounter<Trip>("org.example.bench", 3, "visits")
    fileprivate static let stops = OwnList<Trip, String>("org.example.bench", 4, "stops")
}

/// Edits of apps' own fields and collections beside the same of a built-in field, in turn, each of its own trip.
struct OwnFieldsRow: Row {
    let name = "own-fields"
    let work = "edit of an app's field until visible"
    let peer = "built-in field"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let store = try await TripStore.filled(try scratch.makeFolder("store"), events: settings.events)
        let trips = TripIDs(settings.events / TripGenerator.eventsPerTrip).sample(8)
        guard trips.count == 8 else { throw BenchError("The store has fewer than 8 trips.") }
        // A set of 20 and a list of 100, as people have them.
        try await store.edit(trips[1]) { $0[Trip.labels] = Set((0..<20).map { "label \($0)" }) }
        try await store.edit(trips[3]) { $0[Trip.stops] = (0..<100).map { "stop \($0)" } }
        let edits: [(detail: String, trip: Trip.ID, goal: Goal, change: @Sendable (inout Trip, Int) -> Void)] = [
            ("an own field", trips[0], .ratioAtMost(1.1), { $0[Trip.rating] = $1 }),
            (
                "an element in and out of a set of 20", trips[1], .ratioAtMost(1.5),
                { trip, number in
                    if number % 2 == 0 {
                        trip[Trip.labels].insert("another")
                    } else {
                        trip[Trip.labels].remove("another")
                    }
                }
            ),
            ("a counter", trips[2], .ratioAtMost(1.1), { trip, _ in trip[Trip.visits] += 1 }),
            (
                "a move in a list of 100", trips[3], .ratioAtMost(5),
                { trip, number in trip[Trip.stops].insert(trip[Trip.stops].remove(at: number % 100), at: 50) }
            ),
        ]
        var outcome = Outcome()
        for edit in edits {
            var paired = Paired()
            for number in 0..<settings.count(1_200) {
                for isOurs in number % 2 == 0 ? [true, false] : [false, true] {
                    if isOurs {
                        paired.ours.append(
                            try await seconds { try await store.edit(edit.trip) { edit.change(&$0, number) } })
                    } else {
                        paired.peer.append(
                            try await seconds { try await store.edit(trips[7]) { $0.notes = "Number \(number)." } })
                    }
                }
            }
            let quiet = paired.quietest(300)
            outcome.measurements.append(
                Measurement(
                    detail: edit.detail, ours: .seconds(quiet.ours.median), peer: .seconds(quiet.peer.median),
                    ratio: quiet.ratioOfMedians, goal: edit.goal))
        }
        return outcome
    }
}
