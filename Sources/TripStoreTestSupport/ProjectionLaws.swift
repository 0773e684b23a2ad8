import EventLog
import Events
import Foundation
import Logging
import ProjectionEngine
import Synchronization
public import TripStore

/// Checks an app's own projections against the laws that the engine rests on.
///
/// ```swift
/// #expect(try await ProjectionLaws.violations(of: [ByDestination()]).isEmpty)
/// ```
public enum ProjectionLaws {
    /// A law, and how it was broken.
    public struct Violation: Error, Sendable, Hashable, CustomStringConvertible {
        public let law: Law
        /// The view; empty if unknown.
        public let view: String
        /// The seed that reproduces it.
        public let seed: UInt64
        public let detail: String

        public var description: String {
            "\(law.rawValue)\(view.isEmpty ? "" : " of '\(view)'") (seed \(seed)): \(detail)"
        }
    }

    /// A law that every projection must obey.
    public enum Law: String, Sendable, CaseIterable {
        /// An entity yields the same rows, whenever and however often it is read.
        case pure
        /// Everything that a peer may have written yields rows, and no failure.
        case total
        /// A set of commits yields the same rows, in any order of arrival.
        case anyOrder = "any order"
        /// The incremental result equals a rebuild.
        case rebuild = "rebuild equals increment"
        /// Unknown content stays in the records, and neither adds nor removes rows.
        case unknownFields = "unknown fields survive"
    }

    /// The laws that projections break, under random events of two replicas for each seed. O(seeds · events²) in calls
    /// of the projections.
    ///
    /// Throws what prevents the check.
    public static func violations(
        of projections: [any Projection], seeds: some Sequence<UInt64> = 1...5, commits: Int = 60
    ) async throws -> [Violation] {
        var found: [Violation] = []
        for seed in seeds {
            found += try await violations(of: projections, seed: seed, commits: commits)
        }
        return found
    }

    private static func violations(
        of projections: [any Projection], seed: UInt64, commits: Int
    ) async throws -> [Violation] {
        let journal = JournalID(UUID())
        let watched = projections.map { WatchedProjection($0) }
        var stores: [TripStore] = []
        for number in 0..<2 {
            stores.append(try await open(watched.map { $0 }, journal, seed: seed &* 16 &+ UInt64(number)))
        }
        var writer = RandomWriter(seed: seed)
        var odd = OddEvents(seed: seed)
        for number in 0..<commits {
            let store = stores[number % 2]
            if number % 4 == 3 {
                try await store.appendUnchecked(odd.events(writer))
            } else {
                try await writer.write(to: store)
            }
            if number % 7 == 6 { try await pass(stores[number % 2], to: stores[(number + 1) % 2]) }
        }
        try await pass(stores[0], to: stores[1])
        try await pass(stores[1], to: stores[0])

        var found: [Violation] = []
        for store in stores {
            do { try await store.appViews.catchUp() } catch {
                let fault = store.appViews.fault
                found.append(Violation(law: .total, view: fault?.view ?? "", seed: seed, detail: "\(error)"))
            }
        }
        for projection in watched {
            found += projection.impurities.map {
                Violation(law: .pure, view: projection.name, seed: seed, detail: $0)
            }
            found += projection.unknownDependence.map {
                Violation(law: .unknownFields, view: projection.name, seed: seed, detail: $0)
            }
        }
        guard found.allSatisfy({ $0.law != .total }) else { return found }
        found += try await compare(stores, seed)
        return found
    }

    private static func open(
        _ projections: [any Projection], _ journal: JournalID, seed: UInt64
    ) async throws -> TripStore {
        try await TripStore.temporary(
            options: TripStore.Options(
                journal: journal, mapSize: 1 << 30, projections: projections,
                logger: Logger(label: "laws", factory: { _ in SwiftLogNoOpLogHandler() }),
                dependencies: ManualClock(seed: seed).dependencies))
    }

    private static func pass(_ store: TripStore, to other: TripStore) async throws {
        for segment in try await store.segments() { try await other.store(segment) }
    }

    private static func compare(_ stores: [TripStore], _ seed: UInt64) async throws -> [Violation] {
        var found: [Violation] = []
        let digests = try stores.map { try $0.appViews.status(digests: true) }
        for (one, other) in zip(digests[0], digests[1]) where one.digest != other.digest {
            found.append(
                Violation(
                    law: .anyOrder, view: one.name, seed: seed,
                    detail: "two replicas with the same commits have other rows: \(one.rows) and \(other.rows)"))
        }
        for store in stores {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("tripstore-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            do {
                for view in try await store.appViews.compared(at: folder.path) {
                    guard let difference = view.difference else { continue }
                    found.append(
                        Violation(law: .rebuild, view: view.name, seed: seed, detail: "the first row: \(difference)"))
                }
            } catch {
                found.append(Violation(law: .rebuild, view: "", seed: seed, detail: "\(error)"))
            }
        }
        return found
    }
}
