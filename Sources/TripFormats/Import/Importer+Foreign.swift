import EventLog
import Events
import Foundation
import Synchronization
import TripStore

extension Importer {
    /// Imports a calendar, a map, or a table by a mapping, by the rules of exports: ids are derived from what names a record in its file, and just
    /// what is new in a file is written.
    func runForeign(
        path: String, _ format: ImportOptions.Format, by authorship: Authorship,
        progress: (@Sendable (ImportProgress) -> Void)?, interrupted: (ImportReport) -> Void
    ) async throws -> ImportReport {
        let thread = WorkerThread(name: "tripstore.import")
        let watch = ReadingWatch(progress)
        let file = try await withTaskCancellationHandler {
            do {
                return try await thread.run { [options, recordsAtOnce] in
                    try ForeignFile(path: path, options, format, atOnce: recordsAtOnce, watch)
                }
            } catch {
                try Task.checkCancellation()
                throw error
            }
        } onCancel: {
            watch.stop()
        }
        try Task.checkCancellation()
        progress?(ImportProgress(stage: .checking, bytesRead: file.size, total: file.size))
        if !options.isDryRun { try await store.catchUp() }
        let tally = ImportTally(correlation: authorship.correlation ?? ImportRun.correlation(exportedAt: nil))
        for warning in file.warnings + file.faults { tally.warn(warning) }
        if file.skipped > 0 { tally.skip(.activity, file.skipped) }
        let basis = ImportBasis(isOwnExport: file.isExport, erased: try erased)
        if options.isStrict { try await refuseFaults(of: file, called: path, basis, thread) }
        let touched = Mutex<Set<Trip.ID>>([])
        do {
            try await load(.values, of: file.digest, by: authorship.author, tally, thread) {
                [store, options] channel in
                var planner = ForeignPlanner(
                    file, options, ImportSender(store, basis, tally, channel), progress)
                try planner.run()
                touched.withLock { [trips = planner.trips] in $0 = trips }
            }
            if !options.isDryRun {
                try await store.removeErased(tally.report.unwanted)
                try await store.catchUp()
                let run = Authorship(author: authorship.author, correlation: tally.correlation)
                for trip in touched.withLock({ $0 }).sorted() { try await store.followItems(of: trip, by: run) }
            }
        } catch {
            interrupted(tally.report)
            throw error
        }
        return tally.report
    }

    /// Plans the import without writing, and throws `TextFormatError` with `malformed` if it would leave a record out.
    private func refuseFaults(
        of file: ForeignFile, called path: String, _ basis: ImportBasis, _ thread: WorkerThread
    ) async throws {
        let tally = ImportTally(correlation: UUID())
        var planning = options
        planning.isDryRun = true
        try await thread.run { [store, planning] in
            var planner = ForeignPlanner(file, planning, ImportSender(store, basis, tally, nil), nil)
            try planner.run()
        }
        let report = tally.report
        let count = file.skipped + report.faultCount
        guard count > 0, let first = file.firstFault ?? report.firstFault else { return }
        let words = count == 1 ? "A record" : count.counted("record")
        throw TextFormatError(.malformed, "\(words) would be left out, and nothing was written. \(first)", file: path)
    }
}
