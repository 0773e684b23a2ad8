public import EventLog
import Events
import Foundation
import LMDB

/// Views of the past: built apart, from a part of the log, and never changed again.
///
/// They lie in a folder of their own, which is removed with the object.
public final class PastViews: Sendable {
    public let horizon: Horizon
    /// The log position up to which they were built.
    public let position: Position
    /// Bytes on the medium.
    public let size: Int
    /// The folder that holds them.
    package var path: String { generation.folder.path }
    private let generation: Generation
    private let projections: [any Projection]

    /// The prefix of the folder names of past views.
    package static let folderPrefix = "tripstore-past-"

    /// Removes folders that killed processes left behind at least an hour ago, beside a folder that is to be made.
    static func removeForgotten(beside path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(folderPrefix) {
            let old = folder.appendingPathComponent(name).path
            let date = try? FileManager.default.attributesOfItem(atPath: old)[.modificationDate] as? Date
            if let date, date.timeIntervalSinceNow < -3600 { GenerationFolder.removeIfUnused(old) }
        }
    }

    init(
        _ generation: Generation, _ projections: [any Projection], _ horizon: Horizon, _ position: Position
    ) throws {
        self.generation = generation
        self.projections = projections
        self.horizon = horizon
        self.position = position
        size = try generation.environment.information().usedSize
    }

    deinit { try? FileManager.default.removeItem(atPath: generation.folder.path) }

    /// Runs `body` on the views. Any thread; only values may leave `body`.
    public func read<T>(_ body: (borrowing ViewSnapshot) throws -> T) throws -> T {
        try generation.environment.read { transaction in
            try body(ViewSnapshot(transaction.alias(), generation, at: position))
        }
    }

    /// The state of each view. With digests it reads every row.
    public func status(digests: Bool) throws -> [ViewStatus] {
        try read { try ViewStatus.all(of: projections, in: $0, digests: digests) }
    }
}

extension ProjectionGroup {
    /// Builds the views of the commits that a horizon includes, in a new folder. O(log).
    ///
    /// Throws `StorageError`, `EventLogError`, `ProjectionFault`, or `CancellationError` if the task is cancelled; the folder is
    /// then gone.
    package nonisolated func past(
        _ horizon: Horizon, at path: String, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> PastViews {
        // Not on the thread of rebuilds: readers that wait for serving views come first.
        let worker = WorkerThread(name: "tripstore.past")
        return try await worker.run(unless: log.suspension) { [configuration, log] flag in
            PastViews.removeForgotten(beside: path)
            let folder = try GenerationFolder(creating: path)
            do {
                let builder = configuration.builder(nil, attaching: nil, progress, flag)
                let end =
                    switch horizon {
                    case .position(let position): position
                    case .instant: Position(.max)
                    }
                let reach = try log.read { try $0.lastPosition() }
                _ = try builder.build(in: folder, from: log, upTo: min(end, reach), within: horizon)
                return try PastViews(
                    configuration.open(folder, for: .serving), configuration.projections, horizon, min(end, reach))
            } catch {
                try? FileManager.default.removeItem(atPath: path)
                throw error
            }
        }
    }
}
