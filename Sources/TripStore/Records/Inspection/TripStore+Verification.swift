public import EventLog
public import Foundation
import LMDB
import LMDBFormat
import Platform

extension TripStore {
    /// Verifies the log of the store in a folder: first the structure of its file, then every hash, sequence number,
    /// timestamp and signature, derived anew from the commits.
    ///
    /// One snapshot is verified, while others may write; the report says up to where. Damage is reported,
    /// not thrown, and never ends the process. Nothing is written but what repairs the log after a crash; where that cannot be
    /// written, a temporary copy is verified. `progress` is called every few thousand commits.
    ///
    /// Commits that the medium lost are a finding as long as the file with what is left of their records is there: see `lostRecords`.
    ///
    /// Throws `TripStoreError`: `.noStore`, `.logLost`, or what the medium refuses if the file cannot be read at all.
    public static func verify(
        at folder: URL, progress: @escaping @Sendable (Position) -> Void = { _ in }
    ) async throws -> VerificationReport {
        let layout = StoreLayout(folder)
        let worker = WorkerThread(name: "tripstore.verifier")
        return try await TripStoreError.wrapAsync {
            try await worker.run { try verified(folder, layout, progress) }
        }
    }

    private static func verified(
        _ folder: URL, _ layout: StoreLayout, _ progress: @escaping @Sendable (Position) -> Void
    ) throws -> VerificationReport {
        try checkAccessible(folder)
        try checkNotLost(at: folder)
        guard TripStore.exists(at: folder) else {
            throw TripStoreError(.noStore, "There is no store at \(folder.path). Check the path.")
        }
        var report = VerificationReport()
        var unreadable: String?
        do {
            let (rows, scratch) = try layout.reading { try EnvironmentRows(at: $0.log) }
            defer { withExtendedLifetime(scratch) {} }
            unreadable = rows.unreadableRecords
            report = try LogVerifier.verify(rows, progress: progress)
        } catch let damage as StructureDamage {
            report.findings = damage.faults.map { Finding("structure", "\($0)") }
        } catch let error as StorageError where error.code == .damaged {
            report.findings = [Finding("structure", error.message)]
        } catch let error as EventLogError where error.code == .notALog {
            report.findings = [Finding("structure", error.description)]
        } catch let error as StorageError where error.code == .unfinished {
            throw TripStoreError.unfinished(folder)
        } catch let error as EventLogError where error.code == .unfinished {
            throw TripStoreError.unfinished(folder)
        }
        report.findings += layout.lostRecords(unreadable)
        return report
    }

    /// That the medium lost commits after it had reported them as stored, one finding, as long as the file with what is left of their
    /// records is there; otherwise none. `verify` finds it, and reports of exchanges and of backups have it.
    package var lostRecords: [Finding] { StoreLayout(folder).lostRecords(log.unreadableRecords) }
}

extension StoreLayout {
    /// The file with what is left of commits that the medium lost; `read` is that of the environment that was opened: this log's, or a copy's.
    func unreadableRecords(_ read: String? = nil) -> String? {
        // Of a temporary copy the records are still in the file that was copied.
        Environment.unreadableRecords(at: log) ?? read.map { _ in "\(log)/wal" }
    }

    func lostRecords(_ read: String? = nil) -> [Finding] {
        unreadableRecords(read).map { [.lostRecords(in: $0)] } ?? []
    }
}
