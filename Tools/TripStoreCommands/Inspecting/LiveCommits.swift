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
    private let place: StorePlace

    init(of store: TripStore, at place: StorePlace) { (self.store, self.place) = (store, place) }

    /// Events after a position, until the reader is gone or the store cannot be read.
    func events(after start: Position, trip: Trip.ID?, on thread: ThreadExecutor) -> AsyncStream<[UInt8]> {
        AsyncStream(bufferingPolicy: .bufferingOldest(1_000)) { continuation in
            let task = Task(executorPreference: thread) {
                do { try await follow(after: start, trip, continuation) } catch is ReaderIsBehind {
                    // The stream ends. The browser connects again, with the position of the last commit that it got.
                } catch {
                    continuation.yield(EventStream.event("gone", ErrorReport(error).json.text))
                }
                continuation.finish()
            }
            let pulse = Task {
                while (try? await Task.sleep(for: .seconds(15))) != nil {
                    do { try place.check() } catch {
                        continuation.yield(EventStream.event("gone", ErrorReport(error).json.text))
                        return continuation.finish()
                    }
                    continuation.yield(EventStream.pulse)
                }
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
        var queries: [Watch] = []
        // The views change after the log: the positions of the log alone would not say when a query has another answer.
        let signal = store.views.signal
        // Other processes' changes are looked for as long as it is there.
        let watch = signal.watch()
        defer { withExtendedLifetime(watch) {} }
        var tick = signal.tick
        while !Task.isCancelled {
            do {
                try TripStoreError.wrap {
                    if queries.isEmpty {
                        queries = try WatchedQuery.all(trip).map { try Watch($0, store) }
                        try send(EventStream.pulse, continuation)
                    }
                    try sendCommits(after: &last, continuation)
                    for index in queries.indices { try sendChange(of: &queries[index], continuation) }
                }
            } catch let error as TripStoreError where error.isPassing {
                // A build raises the signal when it is finished, or failed, and so does the end of a suspension.
            }
            guard let newer = await signal.wait(after: tick) else { return }
            tick = newer
        }
    }

    /// Sends the commits after a position that the views show: a reader who asks for more about one then finds it there.
    private func sendCommits(
        after last: inout Position, _ continuation: AsyncStream<[UInt8]>.Continuation
    ) throws {
        let shown = try store.read { $0.position }
        let commits = try store.audit(
            AuditFilter(), limit: Self.mostAtOnce + 1, beyond: last, detailingUpTo: Self.mostEvents
        ).rows.prefix { $0.position <= shown }
        guard commits.count <= Self.mostAtOnce else {
            last = shown
            let data = JSON.object([("position", .integer(last.rawValue))]).text
            return try send(EventStream.event("many", data, id: "\(last)"), continuation)
        }
        for commit in commits {
            last = commit.position
            try send(EventStream.event("commit", AuditText.row(commit, next: nil).text, id: "\(last)"), continuation)
        }
    }

    private func sendChange(
        of query: inout Watch, _ continuation: AsyncStream<[UInt8]>.Continuation
    ) throws {
        guard let change = try query.runIfChanged(store) else { return }
        // Read after the change: the views may show a commit later, or earlier, than it was told.
        let newest = try store.audit(
            AuditFilter(isReversed: true), limit: 20, beyond: nil, detailingUpTo: Self.mostEvents
        ).rows
        let data = JSON.object([
            ("query", .string(query.query.name)), ("changed", change.json(naming: newest)),
        ])
        try send(EventStream.event("query", data.text), continuation)
    }

    private func send(_ event: [UInt8], _ continuation: AsyncStream<[UInt8]>.Continuation) throws {
        // A commit that is not told would never be: the next one has a later position.
        if case .dropped = continuation.yield(event) { throw ReaderIsBehind() }
    }
}

/// The reader takes events more slowly than they come, and more are waiting than are kept.
private struct ReaderIsBehind: Error {}

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
