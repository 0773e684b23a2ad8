import EventLog
import Events
import Foundation
import ProjectionEngine
import TripStore

/// What changes in a store, as it changes: its commits, and why the queries of the page ran again.
struct LiveCommits: Sendable {
    /// The most new commits that are sent one by one. After an exchange of more the page gets their last position, and reads anew.
    private static let mostAtOnce = 100
    /// Of a commit with more events these have no details.
    private static let mostEvents = 50

    private let store: TripStore

    init(of store: TripStore) { self.store = store }

    /// Events after a position, until the reader is gone or the store cannot be read.
    func events(after start: Position, trip: Trip.ID?, on thread: ThreadExecutor) -> AsyncStream<[UInt8]> {
        AsyncStream(bufferingPolicy: .bufferingOldest(1_000)) { continuation in
            let task = Task(executorPreference: thread) {
                do { try await follow(after: start, trip, continuation) } catch {
                    continuation.yield(EventStream.event("gone", ErrorReport(error).json.text))
                }
                continuation.finish()
            }
            let pulse = Task {
                while (try? await Task.sleep(for: .seconds(15))) != nil { continuation.yield(EventStream.pulse) }
            }
            continuation.onTermination = { _ in
                task.cancel()
                pulse.cancel()
            }
        }
    }

    private func follow(
        after start: Position, _ trip: Trip.ID?, _ continuation: AsyncStream<[UInt8]>.Continuation
    ) async throws {
        var last = start
        var queries = try WatchedQuery.all(trip).map { try Watch($0, store) }
        continuation.yield(EventStream.pulse)
        for await _ in store.changes() {
            let commits = try store.audit(
                AuditFilter(), limit: Self.mostAtOnce + 1, beyond: last, detailingUpTo: Self.mostEvents
            ).rows
            let newest = try store.read { $0.position }
            if commits.count > Self.mostAtOnce {
                last = max(last, newest)
                let data = JSON.object([("position", .integer(last.rawValue))]).text
                continuation.yield(EventStream.event("many", data, id: "\(last)"))
            } else {
                for commit in commits {
                    last = commit.position
                    let data = AuditText.row(commit, next: nil).text
                    continuation.yield(EventStream.event("commit", data, id: "\(last)"))
                }
            }
            for index in queries.indices {
                guard let change = try queries[index].runIfChanged(store) else { continue }
                // Read after the change: the views may show a commit later, or earlier, than it was told.
                let newest = try store.audit(
                    AuditFilter(isReversed: true), limit: 20, beyond: nil, detailingUpTo: Self.mostEvents
                ).rows
                let data = JSON.object([
                    ("query", .string(queries[index].query.name)), ("changed", change.json(naming: newest)),
                ])
                continuation.yield(EventStream.event("query", data.text))
            }
        }
    }
}

/// A query of the page that is watched.
private struct WatchedQuery: Sendable {
    let name: String
    let run: @Sendable (borrowing TripViews) throws -> Void

    /// Those that every page has, and that of the trip which it shows.
    static func all(_ trip: Trip.ID?) -> [WatchedQuery] {
        var queries = [WatchedQuery(name: "trips") { _ = try $0.trips(.dated, limit: 100, after: nil) }]
        if let trip {
            queries.append(
                WatchedQuery(name: "trip") { views in
                    _ = try views.trip(trip)
                    _ = try views.items(of: trip)
                })
        }
        return queries
    }
}

/// A watched query, and what it read when it ran last.
private struct Watch {
    let query: WatchedQuery
    private var reading: ProjectionGroup.Reading

    init(_ query: WatchedQuery, _ store: TripStore) throws {
        self.query = query
        reading = try Self.run(query, store)
    }

    private static func run(_ query: WatchedQuery, _ store: TripStore) throws -> ProjectionGroup.Reading {
        try store.log.read { log in
            try store.views.reading(beside: log) { try query.run(TripViews($0.alias(), in: nil)) }.1
        }
    }

    /// Runs it if something that it read has changed, and returns what; nil if nothing has.
    mutating func runIfChanged(_ store: TripStore) throws -> ChangedKey? {
        guard let change = try store.views.changedKey(since: &reading) else { return nil }
        reading = try Self.run(query, store)
        return change
    }
}

extension ChangedKey {
    /// - Parameter commits: the newest, whose entities name the key.
    fileprivate func json(naming commits: [AuditedCommit]) -> JSON {
        let digits = key.digits
        // The key of a row has the id of its entity.
        let event = commits.lazy.flatMap(\.events).first { digits.contains($0.entity.id.bytes.digits) }
        let words = event.map { "\($0.entity.kindWords) \($0.name.isEmpty ? $0.entity.id.uuidString : $0.name)" }
        return .object([("view", .string(view)), ("key", .string(digits)), ("words", .optional(words))])
    }
}
