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
    private let clock: any Clock<Duration>
    /// What is watched is read on a thread of its own: it is everything that the file may hold.
    private let thread = WorkerThread(name: "tripstore.watch")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// The time between two looks at the store: of many commits in a row each would otherwise read all trips.
    private static let pause = Duration.seconds(1)

    init(
        _ exporter: any TripExporter, path: String, trips: [Trip.ID]?, days: ClosedRange<Day>?,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.clock = clock
        self.exporter = exporter
        self.path = path
        self.trips = trips
        self.days = days
    }

    /// Writes the file, and again whenever the trips change, each time as a whole. Changes that come while it is written, or within a second
    /// after it, are written together.
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
            let warnings: [String]
            do {
                warnings = try await exporter.export(state.selection, of: store, to: output)
                try output.finish()
            } catch {
                output.discard()
                throw error
            }
            isFirst = false
            written(Written(trips: state.selection.trips.count, size: output.size, warnings: warnings))
            // If the task is cancelled meanwhile, there is no next state.
            try? await clock.sleep(for: Self.pause)
        }
    }
}

/// The state of some trips and of everything that a file may say of them.
private struct WatchedTrips: Equatable, Sendable {
    let selection: ExportSelection
    private var versions: [EntityReference: EntityVersion] = [:]

    init(_ trips: [Trip.ID]?, _ days: ClosedRange<Day>?, in views: borrowing TripViews) throws {
        selection = try trips.map { ExportSelection(trips: $0, days: days) } ?? ExportSelection(on: days, in: views)
        for trip in selection.trips {
            guard let document = try views.document(of: trip) else { continue }
            for entity in document.entities { versions[entity] = try views.record(of: entity)?.version }
        }
    }

    /// What is left out changes the file no more than what is not watched.
    static func == (a: WatchedTrips, b: WatchedTrips) -> Bool {
        a.selection.trips == b.selection.trips && a.versions == b.versions
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
