import EventLog
public import Foundation
import TravelingSnails
public import TripStore

/// Writes trips as the JSON export of the app Traveling Snails, with the attachments of their items.
///
/// What the format has no place for is returned as losses. What the app has no place for, but its format allows to add (currencies, open
/// times, fractions of seconds), is written under keys that the app passes over and an import into a `TripStore` reads: importing the file
/// into the store that it comes from changes nothing, and into an empty one it gives the same trips, items, organizations and attachments
/// under the same ids, but for the losses.
///
/// ```swift
/// let losses = try await SnailsExport(of: store).write(trips) { try file.write(contentsOf: Data($0)) }
/// for loss in losses { print(loss) }
/// ```
public struct SnailsExport: Sendable {
    /// The progress of an export.
    public struct Progress: Sendable, Hashable {
        /// Trips that are written.
        public let trips: Int
        /// Trips that are to be written.
        public let total: Int
        /// Bytes that are written.
        public let bytes: Int64
    }

    /// What the file names as its exporter.
    package static let exporter = "TripStore"

    private let store: TripStore
    private let date: Date

    /// - Parameter date: when the export is made, which it says: the one thing in the file that does not follow from the store.
    public init(of store: TripStore, at date: Date = .now) {
        self.store = store
        self.date = date
    }

    /// Writes the trips that are there, in the order of their ids in `trips`. Memory holds a piece of the file, one trip, 1 MiB of an
    /// attachment, and the ids of the trips, of the organizations and, if these are all trips, of the entities of apps' own kinds.
    ///
    /// It runs on a thread of its own, as `progress` and `output` do. Each trip is as one snapshot shows it; trips that are written later may show later commits.
    /// - Parameters:
    ///   - isAll: whether these are all trips: then organizations that none of them names are written too, and what belongs to no trip, as
    ///     templates, travellers and items without one, is among the losses.
    ///   - progress: called after every trip.
    ///   - output: takes the next bytes of the file; its error ends the export and is rethrown.
    /// - Returns: what the format does not hold, in the order in which it was found.
    /// - Throws: `TripStoreError` (`.damagedContent` for an attachment whose file was altered), `CancellationError`, or what `output`
    ///   throws. What was written is then no export.
    public func write(
        _ trips: [Trip.ID], isAll: Bool = false, progress: ((Progress) -> Void)? = nil,
        to output: @escaping ([UInt8]) throws -> Void
    ) async throws -> [SnailsLoss] {
        try await withTaskExecutorPreference(ThreadExecutor(name: "tripstore.export")) {
            try await writing(trips, isAll: isAll, progress, output)
        }
    }

    private func writing(
        _ trips: [Trip.ID], isAll: Bool, _ progress: ((Progress) -> Void)?,
        _ output: @escaping ([UInt8]) throws -> Void
    ) async throws -> [SnailsLoss] {
        var run = SnailsRun(store, at: date, isAll: isAll, output)
        for (index, trip) in trips.enumerated() {
            try Task.checkCancellation()
            try run.write(trip)
            progress?(Progress(trips: index + 1, total: trips.count, bytes: run.bytes))
        }
        try run.writeOrganizations()
        for trip in run.tripsWithAttachments {
            try Task.checkCancellation()
            try await run.writeAttachments(of: trip)
            progress?(Progress(trips: trips.count, total: trips.count, bytes: run.bytes))
        }
        return try run.finish()
    }
}
