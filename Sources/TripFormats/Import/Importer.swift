import EventLog
import Foundation
import Synchronization
import TravelingSnails
public import TripStore

/// Imports files into a store: exports of Traveling Snails, calendars, tables and maps.
///
/// ```swift
/// let options = ImportOptions(timeZone: .current, currency: "EUR", destination: .trip(lisbon))
/// let report = try await Importer(store: store, options: options).run(path: "flights.ics", by: "ana") { progress in
///     show(progress.stage, Double(progress.bytesRead) / Double(progress.total))
/// }
/// ```
///
/// What the store lacks is created, with the ids of the file or ids that are derived from what names a record in it, and of what the store
/// has just the fields are edited in which the file is new.
///
/// A field of the file is new where it differs from what the newest import wrote of it, by the order of the merge. It is then
/// written, whatever stands there; where the file says the same as before, what a person wrote since stays. So the same file
/// twice in a row writes nothing, and an older file goes back to what it says. What imports wrote is known by the marks of their
/// commits, on every replica; what is undone of it counts as never imported.
///
/// Of an export of a store's own what is held already is not written either, though no import wrote it: importing a store's own export
/// into it changes nothing.
///
/// What a person deleted stays deleted. What was erased, a whole entity or values of a field, is left out and named, unless
/// `ImportOptions.bringsErased` is set or an import wrote it since. Several imports may run at once, in one process or several: of each record the one
/// that comes last counts.
public struct Importer: Sendable {
    let store: TripStore
    let options: ImportOptions
    /// How many records of a calendar, a table or a map memory holds at once.
    var recordsAtOnce = 10_000

    public init(store: TripStore, options: ImportOptions = ImportOptions()) {
        self.store = store
        self.options = options
    }

    /// Imports a file, which must be a regular one. Memory grows with the ids that the file holds, of which hashes are kept, and with its
    /// warnings: a calendar, a table or a map may have five million records.
    /// Queries show what came once all of it is stored.
    ///
    /// Throws `ExportError` for an export of Traveling Snails, or `TextFormatError`, if the file is no file of its format or is cut off, or
    /// if it is older than that of the last import and `ImportOptions.isOlderAllowed` is not set; nothing is then written. If an export
    /// has more than 100,000 attachments that cannot be used, if it is changed by another while it is read, if the store fails or the
    /// task is cancelled, whole commits may be written; importing again goes on from there.
    ///
    /// The commits share a correlation, which `authorship` may name; then they do not say when the file was exported. Their
    /// causation is the file.
    /// - Parameter progress: called from any thread, after every piece of the file.
    @discardableResult
    public func run(
        path: String, by authorship: Authorship = Authorship(), progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws -> ImportReport {
        try await run(path: path, by: authorship, progress: progress) { _ in }
    }

    /// - Parameter interrupted: receives what was written before an error that is thrown then.
    package func run(
        path: String, by authorship: Authorship, progress: (@Sendable (ImportProgress) -> Void)?,
        interrupted: (ImportReport) -> Void
    ) async throws -> ImportReport {
        guard authorship.causation == nil, authorship.appendID == nil else {
            throw TripStoreError(
                .unusableOption,
                "An import's commits have the file as their causation, and may be several, so that neither a causation nor an "
                    + "append id can be given. A correlation can.")
        }
        // Throws for an unknown currency.
        _ = try Money(parsing: "0", options.currency)
        let format = try format(of: path)
        guard format != .json else {
            return try await runExport(path: path, by: authorship, progress: progress, interrupted: interrupted)
        }
        guard format != .csv || options.mapping != nil else {
            throw TextFormatError(
                .invalidMapping, "A table needs a mapping, which says which column is which field.", file: path)
        }
        return try await runForeign(
            path: path, format, by: authorship, progress: progress, interrupted: interrupted)
    }

    /// The format that is asked for, else the one that the file shows. Throws if it shows another.
    private func format(of path: String) throws(TextFormatError) -> ImportOptions.Format {
        do throws(TextFormatError) {
            guard let asked = options.format ?? (options.mapping == nil ? nil : .csv) else {
                return try ImportOptions.Format(path: path, name: path)
            }
            guard let found = try FileSignature.format(of: path), found != asked else { return asked }
            throw TextFormatError(
                .wrongFormat,
                "It is \(found.words), and was to be imported as \(asked.words). Name the format \(found.rawValue), or none."
            )
        } catch {
            var named = error
            named.file = path
            throw named
        }
    }

    private func runExport(
        path: String, by authorship: Authorship, progress: (@Sendable (ImportProgress) -> Void)?,
        interrupted: (ImportReport) -> Void
    ) async throws -> ImportReport {
        if !options.isDryRun { try await store.catchUp() }
        let thread = WorkerThread(name: "tripstore.import")
        let file = ExportFile(path: path)
        let (summary, digest) = try await thread.run {
            let summary = try file.scan { progress?(ImportProgress(stage: .checking, bytesRead: $0, total: $1)) }
            return (summary, try Digest(ofFile: path))
        }
        try Task.checkCancellation()
        let basis = ImportBasis(
            isOwnExport: summary.info.exporter == SnailsExport.exporter, erased: try erased)
        try checkAge(summary, basis.history)
        let tally = ImportTally(
            correlation: authorship.correlation ?? ImportRun.correlation(exportedAt: summary.info.timestamp))
        let mirrored = Mutex<MirroredTrips?>(nil)
        do {
            try await load(.values, of: digest, by: authorship.author, tally, thread) { [store, options] channel in
                var planner = ImportPlanner(options, ImportSender(store, basis, tally, channel))
                try planner.plan(summary)
                try file.forEachTrip { read, total in
                    progress?(ImportProgress(stage: .importing, bytesRead: read, total: total))
                } _: { trip in
                    try planner.plan(trip)
                }
                if !options.isDryRun {
                    try file.forEachAttachment(
                        progress: { progress?(ImportProgress(stage: .attachments, bytesRead: $0, total: $1)) },
                        store: { try store.addContent($0) }, problem: { tally.note($0) },
                        body: { try planner.plan($0, $1) })
                }
                let trips = try planner.finish()
                mirrored.withLock { $0 = trips }
            }
            if options.mirror, let mirrored = mirrored.withLock({ $0 }) {
                try await load(.deletions, of: digest, by: authorship.author, tally, thread) { [store] channel in
                    var planner = MirrorPlanner(mirrored, ImportSender(store, basis, tally, channel))
                    try planner.run()
                }
            }
        } catch {
            interrupted(tally.report)
            throw error
        }
        if !options.isDryRun { try await store.removeErased(tally.report.unwanted) }
        return tally.report
    }

    /// The names to leave out because they were erased.
    var erased: Set<ErasedName> { get throws { options.bringsErased ? [] : try store.erasedNames() } }

    /// Loads what `plan` sends, which runs on the thread. If nothing is to be written, there is no channel.
    func load(
        _ part: ImportMark.Part, of file: Digest, by author: String?, _ tally: ImportTally, _ thread: WorkerThread,
        _ plan: @escaping @Sendable (ImportChannel?) throws -> Void
    ) async throws {
        if options.isDryRun { return try await thread.run { try plan(nil) } }
        let channel = ImportChannel()
        thread.perform {
            do {
                try plan(channel)
                channel.finish()
            } catch {
                channel.finish(error)
            }
        }
        let authorship = Authorship(
            author: author, causation: ImportMark(part, of: file).causation, correlation: tally.correlation)
        do {
            try await store.load(by: authorship) { load in
                for try await batch in channel.batches {
                    try await load.append(batch)
                    channel.taken()
                }
                // A cancelled task gets the end of the batches early.
                try Task.checkCancellation()
            }
        } catch {
            channel.stop()
            // The caller may close the store and remove the file after the error: the reader must have finished with
            // both.
            try? await thread.run {}
            throw error
        }
    }

    /// Refuses a file that was exported before that of the last import, unless that is wanted or this store wrote it: of its own state no
    /// import says more.
    private func checkAge(_ summary: ExportSummary, _ history: ImportHistory) throws {
        guard !options.isOlderAllowed, summary.info.store != store.journal.uuid, let date = summary.info.timestamp,
            let last = try store.lastExportDate(history), date < last
        else { return }
        let words = { (date: Date) in date.ISO8601Format() }
        throw TextFormatError(
            .olderFile,
            "The file was exported at \(words(date)), before that of the last import, which was at \(words(last)). Nothing "
                + "was written. To go back to what it says, allow older files.")
    }
}

extension Digest {
    /// That of a file, which is read in pieces.
    init(ofFile path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var builder = DigestBuilder()
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            piece.withUnsafeBytes { builder.add($0) }
        }
        self = builder.finish()
    }
}
