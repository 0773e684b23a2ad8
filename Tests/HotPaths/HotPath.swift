import EventLog
import Events
import Foundation
import LMDB
import Logging
import TripStore
import TripStoreTestSupport

extension Trip {
    fileprivate static let rating = OwnField<Trip, Int>("org.example.hot-paths", 1, "rating")
    fileprivate static let companion = OwnField<Trip, String>("org.example.hot-paths", 2, "companion")
    fileprivate static let isShared = OwnField<Trip, Bool>("org.example.hot-paths", 3, "isShared")
}

/// The most frequent work, or the largest.
enum HotPath: String {
    case append
    case scan
    case rebuild
    case trip
    case page
    /// `append` and `trip` with own fields in the place of built-in ones: one that is edited, and three that are read beside the others.
    case ownEdit
    case ownTrip
    /// A load's commits of 100 events, without the views that are built at the end: those have a path of their own.
    case load
    /// A page of a query that an index serves.
    case query
    /// Sums of all activities' costs by currency and payment, which no index serves.
    case groups

    static let trips = 100

    static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 2 else { throw Misuse() }
        let store = try await open(URL(fileURLWithPath: arguments[1]))
        if arguments[0] == "prepare" {
            var samples = SampleTrips(seed: 1)
            try await samples.write(trips, to: store)
            // How many events there are to scan and to fold.
            print(try events(of: log(of: store)))
        } else {
            guard arguments.count == 3, let path = HotPath(rawValue: arguments[0]), let count = Int(arguments[2]) else {
                throw Misuse()
            }
            if path == .load { try await load(count, beside: URL(fileURLWithPath: arguments[1])) }
            try await path.run(count, store)
        }
        await store.close()
    }

    private struct Misuse: Error {}

    private static func open(_ folder: URL) async throws -> TripStore {
        // Valgrind has no room for a map of the usual size.
        var options = TripStore.Options(mapSize: 64 << 20, schema: [Trip.rating, Trip.companion, Trip.isShared])
        options.dependencies.machineFolder = nil
        options.logger.logLevel = .critical
        options.syncsCommits = false
        return try await TripStore.open(at: folder, options: options)
    }

    private func run(_ count: Int, _ store: TripStore) async throws {
        let ids = try store.read { try $0.trips(limit: Self.trips) }.rows.map(\.id)
        guard !ids.isEmpty else { throw Misuse() }
        let log = try Self.log(of: store)
        if self == .ownTrip {
            // Another value in each process, so that each writes as much.
            let companion = UUID().uuidString
            try await store.edit(ids) {
                $0[Trip.rating] = 3
                $0[Trip.companion] = companion
                $0[Trip.isShared] = true
            }
        }
        for number in 0..<count {
            switch self {
            case .append:
                // Another text each time, because an edit that changes nothing is not written; of a constant length.
                let notes = UUID().uuidString
                try await store.edit(ids[number % ids.count]) { $0.notes = notes }
            case .scan: _ = try Self.events(of: log)
            case .rebuild: try await store.rebuildViews()
            case .ownEdit:
                let companion = UUID().uuidString
                try await store.edit(ids[number % ids.count]) { $0[Trip.companion] = companion }
            case .trip, .ownTrip: _ = try store.trip(ids[number % ids.count])
            case .page: _ = try store.read { try $0.trips(limit: 50) }
            case .query:
                let query = Query<Activity>().where { $0.start > Moment(milliseconds: 0, zone: "UTC") }.sorted(
                    by: \.start)
                _ = try store.read { try $0.fetch(query.limit(20)) }
            case .groups:
                let keys: [GroupKey<Activity>] = [.currency(of: \.cost), .value(\.paid)]
                _ = try store.read { try $0.groups(of: Query<Activity>(), by: keys, measuring: \.cost) }
            case .load: throw Misuse()
            }
        }
    }

    /// Loads commits into a store of their own, and ends the process before views are built.
    private static func load(_ commits: Int, beside folder: URL) async throws {
        let store = try await open(
            folder.deletingLastPathComponent().appendingPathComponent("load-\(UUID().uuidString)"))
        try await store.load { load in
            for number in 0..<commits { try await load.append(LoadedTrips.commit(number)) }
            try await load.flush()
            exit(0)
        }
    }

    private static func log(of store: TripStore) throws -> Log {
        let options = Log.Options(environment: Environment.Options(.reading, mapSize: 64 << 20))
        return try Log.open(at: store.folder.path + "/log", keyPath: "", options: options)
    }

    /// Reads every event and every change in it; returns the number of events.
    private static func events(of log: Log) throws -> Int {
        try log.read { log in
            var events = 0
            var bytes = 0
            try log.forEachCommit(after: .start) { commit in
                try commit.forEachEvent { event, _ in
                    events += 1
                    try event.forEachChange { change throws(WireError) in bytes += change.value?.count ?? 0 }
                }
                return true
            }
            return bytes > 0 ? events : 0
        }
    }
}
