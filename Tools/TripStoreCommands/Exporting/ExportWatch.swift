import EventLog
import TripFormats
import TripStore

/// Keeps an exported file in step with a store until the command is interrupted.
actor ExportWatch {
    /// A file that was written.
    struct Written: Sendable {
        let trips: Int
        /// Bytes.
        let size: Int
        let warnings: [String]
    }

    private let exporter: any TripExporter
    private let path: String
    /// Nil for the trips that the days, or all, have at the time.
    private let trips: [Trip.ID]?
    private let days: ClosedRange<Day>?
    /// What is watched is read on a thread of its own: it is everything that the file may hold.
    private let thread = WorkerThread(name: "tripstore.watch")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ exporter: any TripExporter, path: String, trips: [Trip.ID]?, days: ClosedRange<Day>?) {
        self.exporter = exporter
        self.path = path
        self.trips = trips
        self.days = days
    }

    /// Writes the file, and again whenever the trips change, each time as a whole. Changes that come while it is written are written
    /// together.
    /// - Parameter written: receives each file.
    func run(_ store: TripStore, replacing: Bool, written: @escaping @Sendable (Written) -> Void) async throws {
        let console = Console.current
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.follow(store, replacing: replacing, written) }
            group.addTask { await console.ended() }
            try await group.next()
            group.cancelAll()
        }
    }

    private func follow(_ store: TripStore, replacing: Bool, _ written: @Sendable (Written) -> Void) async throws {
        var isFirst = true
        for try await state in store.live({ [trips, days] in try WatchedTrips(trips, days, in: $0) }) {
            let output = try ExportOutput(OutputTarget(argument: path), replacing: replacing || !isFirst)
            let selection = ExportSelection(trips: state.trips, days: days, isAll: trips == nil && days == nil)
            let warnings: [String]
            do {
                warnings = try await exporter.export(selection, of: store, to: output)
                try output.finish()
            } catch {
                output.discard()
                throw error
            }
            isFirst = false
            written(Written(trips: state.trips.count, size: output.size, warnings: warnings))
        }
    }
}

/// The state of some trips and of everything that a file may say of them.
private struct WatchedTrips: Equatable, Sendable {
    let trips: [Trip.ID]
    private var versions: [EntityReference: EntityVersion] = [:]

    init(_ trips: [Trip.ID]?, _ days: ClosedRange<Day>?, in views: borrowing TripViews) throws {
        self.trips = try trips ?? ExportSelection.trips(touching: days, in: views)
        for trip in self.trips {
            guard let document = try views.document(of: trip) else { continue }
            for entity in document.entities { versions[entity] = try views.record(of: entity)?.version }
        }
    }
}

extension TripDocument {
    /// The trip, its parts, and what they name.
    fileprivate var entities: [EntityReference] {
        var entities = [contents.trip.reference] + contents.items.map(\.reference)
        entities += contents.budgets.map(\.reference) + contents.checklists.map(\.reference)
        entities += contents.entries.map(\.reference) + travellers.keys.map(\.reference)
        entities += organizations.keys.map(\.reference)
        return entities + attachments.values.flatMap { $0.map(\.reference) }
    }
}

extension ExportSelection {
    /// The trips with a day in a range, or all but templates: by their start, those without days last.
    static func trips(touching days: ClosedRange<Day>?, in views: borrowing TripViews) throws -> [Trip.ID] {
        let queries: [TripQuery] = days.map { [.overlapping($0)] } ?? [.dated, .undated]
        var ids: [Trip.ID] = []
        for query in queries {
            var cursor: PageCursor?
            repeat {
                let page = try views.trips(query, limit: 1000, after: cursor)
                ids += page.rows.map(\.trip.id)
                cursor = page.next
            } while cursor != nil
        }
        return ids
    }
}
