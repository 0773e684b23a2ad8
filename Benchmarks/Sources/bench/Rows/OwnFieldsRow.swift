import BenchmarkData
import Foundation
import TripStore

extension Trip {
    fileprivate static let rating = OwnField<Trip, Int>("org.example.bench", 1, "rating")
    fileprivate static let labels = OwnSet<Trip, String>("org.example.bench", 2, "labels")
    fileprivate static let visits = OwnCounter<Trip>("org.example.bench", 3, "visits")
    fileprivate static let stops = OwnList<Trip, String>("org.example.bench", 4, "stops")
}

/// A kind of an app's own.
private struct BenchEntry: OwnEntity {
    let id: Identifier<BenchEntry>
    var text = ""
    var trip: Trip.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ text: String, of trip: Trip.ID) {
        self.init(id: .new())
        self.text = text
        self.trip = trip
    }

    static let schema = Schema<BenchEntry>(
        "org.example.bench", 1, "entry", [Field(1, "text", \.text, isRequired: true), .parent("trip", \.trip)])
}

private typealias Work = @Sendable (Int) async throws -> Void

/// Edits of apps' own fields, collections and kinds beside the same of built-in ones, in turn, each of its own entity.
struct OwnFieldsRow: Row {
    let name = "own-fields"
    let work = "edit of an app's field or kind until visible"
    let peer = "built-in one"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        var options = TripStore.Options.bench
        options.schema = [Trip.rating, Trip.labels, Trip.visits, Trip.stops, BenchEntry.schema]
        let store = try await TripStore.filled(
            try scratch.makeFolder("store"), events: settings.events, options: options)
        let trips = TripIDs(settings.events / TripGenerator.eventsPerTrip).sample(8)
        guard trips.count == 8 else { throw BenchError("The store has fewer than 8 trips.") }
        // A set of 20 and a list of 100, as people have them.
        try await store.edit(trips[1]) { $0[Trip.labels] = Set((0..<20).map { "label \($0)" }) }
        try await store.edit(trips[3]) { $0[Trip.stops] = (0..<100).map { "stop \($0)" } }
        let entry = BenchEntry("An entry", of: trips[4])
        try await store.create(entry)
        let item = try store.items(of: trips[4]).rows.compactMap { item in
            if case .activity(let activity) = item.id { activity } else { nil }
        }.first
        guard let item else { throw BenchError("The trip \(trips[4]) has no activity.") }
        func edit(_ trip: Trip.ID, _ change: @escaping @Sendable (inout Trip, Int) -> Void) -> Work {
            { number in try await store.edit(trip) { change(&$0, number) } }
        }
        let notes = edit(trips[7]) { $0.notes = "Number \($1)." }
        let pairs: [(detail: String, goal: Goal, ours: Work, peer: Work)] = [
            ("an own field", .ratioAtMost(1.1), edit(trips[0]) { $0[Trip.rating] = $1 }, notes),
            (
                "an element in and out of a set of 20", .ratioAtMost(1.5),
                edit(trips[1]) { trip, number in
                    if number % 2 == 0 {
                        trip[Trip.labels].insert("another")
                    } else {
                        trip[Trip.labels].remove("another")
                    }
                }, notes
            ),
            ("a counter", .ratioAtMost(1.1), edit(trips[2]) { trip, _ in trip[Trip.visits] += 1 }, notes),
            (
                "a move in a list of 100", .ratioAtMost(5),
                edit(trips[3]) { trip, number in
                    trip[Trip.stops].insert(trip[Trip.stops].remove(at: number % 100), at: 50)
                }, notes
            ),
            (
                "an entity of an own kind, beside an activity", .ratioAtMost(1.1),
                { number in try await store.edit(entry.id) { $0.text = "Number \(number)." } },
                { number in try await store.edit(item) { $0.notes = "Number \(number)." } }
            ),
            (
                "1,000 reads of one, beside an activity", .ratioAtMost(2),
                { _ in for _ in 0..<1_000 { _ = try store.entity(entry.id) } },
                { _ in for _ in 0..<1_000 { _ = try store.entity(item) } }
            ),
        ]
        var outcome = Outcome()
        for pair in pairs {
            var paired = Paired()
            for number in 0..<settings.count(1_200) {
                for isOurs in number % 2 == 0 ? [true, false] : [false, true] {
                    if isOurs {
                        paired.ours.append(try await seconds { try await pair.ours(number) })
                    } else {
                        paired.peer.append(try await seconds { try await pair.peer(number) })
                    }
                }
            }
            let quiet = paired.quietest(300)
            outcome.measurements.append(
                Measurement(
                    detail: pair.detail, ours: .seconds(quiet.ours.median), peer: .seconds(quiet.peer.median),
                    ratio: quiet.ratioOfMedians, goal: pair.goal))
        }
        return outcome
    }
}
