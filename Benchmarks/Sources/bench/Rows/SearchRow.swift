import BenchmarkData
import Foundation
import Peers
import TripStore

/// Searches beside SQLite's FTS5, each the best 50; and an edit of a text with an index of words and without one.
struct SearchRow: Row {
    let name = "search"
    let work = "search for words, best 50, with an index"
    let peer = "GRDB, FTS5"

    /// Numbers of items: half as many as events.
    private static let sizes = [10_000, 200_000, 1_000_000]

    /// The same question, as people type it and in FTS5's words. Asked with several words, so that neither answers from what it has just read.
    private struct Question: Sendable {
        let detail: String
        let ours: [String]

        /// Words that may be beginnings, and phrases.
        var peers: [String] {
            ours.map { text in
                if text.hasPrefix("\"") { return text }
                return text.split(separator: " ").map { "\"\($0)\"*" }.joined(separator: " AND ")
            }
        }
    }

    private static let questions = [
        Question(
            detail: "one word's beginning", ours: ["cathe", "harb", "luf", "botan", "adap", "opera", "rive", "edel"]),
        Question(
            detail: "two words",
            ours: [
                "hotel breakfast", "museum monday", "tower luggage", "harbour passport", "inn voucher",
                "concert adapter",
                "courtyard cancel", "cruise express",
            ]),
        Question(
            detail: "a phrase",
            ours: [
                "\"room to the courtyard\"", "\"museum of modern art\"", "\"key is in the box\"", "\"cathedral tower\"",
                "\"window seat\"", "\"old mill inn\"", "\"seats 14 A\"", "\"closed on mondays\"",
            ]),
    ]

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        var outcome = Outcome()
        for items in Self.sizes where items <= settings.events || items == Self.sizes[0] {
            let folder = try scratch.makeFolder("store-\(items)")
            try await FilledLog.make(folder, events: items * 2)
            let store = try await TripStore.open(at: folder, options: Self.options)
            try await store.searchViews.catchUp()
            let sqlite =
                settings.onlyOurs
                ? nil : try SQLiteStore.filled(try scratch.makeFolder("sqlite-\(items)"), events: items * 2)
            try sqlite?.addWords()
            if let sqlite, items == Self.sizes[0] { try Self.compare(store, sqlite) }
            for question in Self.questions {
                let paired = try await Paired.measure(settings, repeats: settings.repeats) {
                    try secondsOf { for text in question.ours { _ = try store.search(text, limit: 50) } }
                } peer: {
                    guard let sqlite else { return 0 }
                    return try secondsOf { for text in question.peers { _ = try sqlite.find(text, limit: 50) } }
                }
                outcome.measurements.append(paired.times("\(question.detail), \(items) items", goal: .ratioAtMost(1)))
            }
            await store.close()
            let again = try await TripStore.open(at: folder, options: Self.cachedOptions)
            try await again.searchViews.catchUp()
            for question in Self.questions {
                let paired = try await Paired.measure(settings, repeats: settings.repeats) {
                    for text in question.ours { _ = try again.search(text, limit: 50) }
                    return try secondsOf { for text in question.ours { _ = try again.search(text, limit: 50) } }
                } peer: {
                    guard let sqlite else { return 0 }
                    return try secondsOf { for text in question.peers { _ = try sqlite.find(text, limit: 50) } }
                }
                outcome.measurements.append(
                    paired.times("\(question.detail), \(items) items, asked again", goal: .ratioAtMost(0.2)))
            }
            await again.close()
        }
        outcome.measurements.append(try await writing(scratch))
        return outcome
    }

    private static var cachedOptions: TripStore.Options {
        var options = TripStore.Options.bench
        options.search = .indexed
        return options
    }

    /// Nothing is cached: each search is made.
    private static var options: TripStore.Options {
        var options = cachedOptions
        options.cacheLimit = 0
        return options
    }

    /// Both find as many, at a size where that is counted quickly.
    private static func compare(_ store: TripStore, _ sqlite: SQLiteStore) throws {
        for question in questions {
            for (text, match) in zip(question.ours, question.peers) {
                let (ours, peers) = (try store.search(text, limit: .max).count, try sqlite.matchCount(match))
                guard ours == peers else { throw BenchError("\(text): \(ours) found, and the peer has \(peers).") }
            }
        }
    }

    /// An acknowledged edit of notes, beside one of a store that keeps no words.
    private func writing(_ scratch: ScratchDirectory) async throws -> Measurement {
        let settings = scratch.settings
        let folders = (try scratch.makeFolder("with-words"), try scratch.makeFolder("without"))
        for folder in [folders.0, folders.1] { try await FilledLog.make(folder, events: settings.events) }
        let with = try await TripStore.open(at: folders.0, options: Self.options)
        try await with.searchViews.catchUp()
        let without = try await TripStore.open(at: folders.1, options: .bench)
        let trips = TripIDs(settings.events / TripGenerator.eventsPerTrip)
        var paired = Paired()
        for (number, trip) in trips.sample(settings.count(3_000)).enumerated() {
            let event = TripEvent(
                .edited, trip, [.set(\.notes, "Seats 14 A and B; the train leaves at \(number % 24):05.")])
            for isOurs in number % 2 == 0 ? [true, false] : [false, true] {
                let store = isOurs ? with : without
                let taken = try await seconds { _ = try await store.append([event], by: "ana") }
                if isOurs { paired.ours.append(taken) } else { paired.peer.append(taken) }
            }
        }
        for store in [with, without] { await store.close() }
        return paired.quietest(300).times(
            "an acknowledged edit, beside a store without an index", goal: .ratioAtMost(1.1))
    }
}
