import Foundation
import TravelingSnails
public import TripStore

/// Brings a Traveling Snails export into a store: what the store lacks is created with the ids of the file, and of what
/// it has just the fields that differ are edited.
///
/// What a file has said once it does not say again, so that importing it again writes nothing, whoever has changed the
/// same fields since. Its commits are told by their causation, see `ImportSource`, and a store notes which files it has
/// imported to the end. Another file, if only by a byte, is a later export and overrides what differs from it.
///
/// What a person deleted stays deleted.
public struct Importer: Sendable {
    private let store: TripStore
    private let options: ImportOptions

    public init(store: TripStore, options: ImportOptions = ImportOptions()) {
        self.store = store
        self.options = options
    }

    /// Imports a file, which must be a regular one. Memory grows with the ids that the file holds, and with nothing else.
    ///
    /// Throws `ExportError` if the file is no such export or is cut off; nothing is then written. If it is changed by
    /// another while it is read, if the store fails or the task is cancelled, whole commits may be written; importing
    /// again goes on from there.
    ///
    /// The commits share a correlation, which `authorship` may name; their causation is the file.
    /// - Parameter progress: called from any thread, after every piece of the file.
    @discardableResult
    public func run(
        path: String, by authorship: Authorship = Authorship(), progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws -> ImportReport {
        try await run(path: path, by: authorship, progress: progress) { _ in }
    }

    /// - Parameter interrupted: takes what was written before an error that is thrown then.
    @discardableResult
    func run(
        path: String, by authorship: Authorship, progress: (@Sendable (ImportProgress) -> Void)?,
        interrupted: (ImportReport) -> Void
    ) async throws -> ImportReport {
        guard authorship.causation == nil, authorship.appendID == nil else {
            throw TripStoreError(
                .unusableOption,
                "An import's commits have the file as their causation, and may be several, so that neither a causation nor an "
                    + "append id can be given. A correlation can.")
        }
        // Throws for a currency that is not known.
        _ = try Money(parsing: "0", options.currency)
        try await store.settled()
        let thread = WorkerThread(name: "tripstore.import")
        let file = ExportFile(path: path)
        let (summary, source) = try await thread.run {
            let summary = try file.scan { progress?(ImportProgress(stage: .checking, bytesRead: $0, total: $1)) }
            return (summary, try ImportSource(path: path))
        }
        let channel = ImportChannel()
        thread.perform { [store, options] in
            do {
                var planner = try ImportPlanner(store, options, source, channel)
                try planner.plan(summary)
                try file.forEachTrip { read, total in
                    progress?(ImportProgress(stage: .importing, bytesRead: read, total: total))
                } _: { trip in
                    try planner.plan(trip)
                }
                try planner.finish()
                channel.finish()
            } catch {
                channel.finish(error)
            }
        }
        let report: ImportReport
        do {
            report = try await write(channel, source, authorship, interrupted)
        } catch {
            channel.stop()
            // Whoever is told of the error may close the store and remove the file: the reader must be done with both.
            try? await thread.run {}
            throw error
        }
        try await note(source)
        return report
    }

    private func write(
        _ channel: ImportChannel, _ source: ImportSource, _ authorship: Authorship,
        _ interrupted: (ImportReport) -> Void
    ) async throws -> ImportReport {
        var writer = BatchWriter(store, by: authorship, source)
        do {
            for try await batch in channel.batches {
                try await writer.write(batch)
                channel.taken()
            }
            // A cancelled task sees the end of the batches before their time.
            try Task.checkCancellation()
        } catch {
            // Nothing is written any more once the error is told. The first one counts.
            try? await writer.finish()
            interrupted(writer.report)
            throw error
        }
        do { try await writer.finish() } catch {
            interrupted(writer.report)
            throw error
        }
        return writer.report
    }

    /// Remembers that the file was imported to its end.
    private func note(_ source: ImportSource) async throws {
        for name in [source.noteName] + (options.mirror ? [source.mirrorNoteName] : [])
        where try store.note(name) == nil {
            try await store.setNote(name, [1])
        }
    }
}
