package import EventLog
package import Events
package import Foundation
public import ProjectionEngine

/// The result of building views from the log.
package struct ReplayReport: Sendable {
    /// A view that was built, or compared.
    package struct View: Sendable {
        package let name: String
        package let rows: Int
        package let digest: Digest
        /// Whether the serving view is the same; nil if it was not compared.
        package let matches: Bool?
        /// The first row that differs.
        package let difference: ViewComparison.Difference?
    }

    package let events: Int
    package let commits: Int
    /// The position up to which the log was read.
    package let position: Position
    package let views: [View]
}

extension TripStore {
    /// Builds views anew from the log beside the serving ones, and swaps: queries and appends go on meanwhile.
    ///
    /// With `names`, those views alone are computed and the others taken over. Throws `TripStoreError` (`.unknownView`,
    /// `.readOnly`), what the log and the medium refuse, or `CancellationError`; the serving views are then as they were.
    public func rebuildViews(
        _ names: Set<String>? = nil, progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) async throws {
        _ = try await replayViews(names, progress: progress)
    }

    /// Rebuilds views, and reports their rows and digests.
    package func replayViews(
        _ names: Set<String>? = nil, progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) async throws -> ReplayReport {
        guard !isReadOnly else {
            throw TripStoreError(
                .readOnly, "The store was opened for reading. Open it for writing to rebuild its views.")
        }
        let (report, status) = try await TripStoreError.wrapAsync {
            if !views.isServing { try await views.catchUp(to: .start, isRequested: true) }
            let report = try await views.replace(views: names, progress)
            return (report, try views.status(digests: true).filter { names?.contains($0.name) ?? true })
        }
        return ReplayReport(
            events: report.events, commits: report.commits, position: report.position,
            views: status.compactMap { view in
                view.digest.map {
                    ReplayReport.View(name: view.name, rows: view.rows, digest: $0, matches: nil, difference: nil)
                }
            })
    }

    /// Builds views in a temporary folder, and compares them with the serving ones row by row.
    ///
    /// Throws like `rebuildViews`; a difference is not an error but reported.
    package func verifyViews(
        _ names: Set<String>? = nil, progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) async throws -> ReplayReport {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await buildViews(into: folder, names, progress: progress)
    }

    /// Builds views into a folder of the caller, which is created, must be empty, and stays.
    package func buildViews(
        into folder: URL, _ names: Set<String>? = nil,
        progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) async throws -> ReplayReport {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard found.isEmpty else {
            throw TripStoreError(
                .notAStore, "The folder \(folder.path) is not empty. Choose a new or an empty one for the views.")
        }
        let (report, comparisons) = try await TripStoreError.wrapAsync {
            try await views.buildApart(at: folder.path, views: names, progress)
        }
        return ReplayReport(
            events: report.events, commits: report.commits, position: report.position,
            views: comparisons.map {
                ReplayReport.View(
                    name: $0.name, rows: $0.rows, digest: $0.digest, matches: $0.difference == nil,
                    difference: $0.difference)
            })
    }
}
