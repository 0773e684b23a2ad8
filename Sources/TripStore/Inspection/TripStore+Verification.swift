public import EventLog
import Events
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
            throw TripStoreError(.noStore, "There is no trip store at \(folder.path). Check the path.")
        }
        do {
            let (rows, scratch) = try layout.reading { try EnvironmentRows(at: $0.log) }
            defer { withExtendedLifetime(scratch) {} }
            return try LogVerifier.verify(rows, progress: progress)
        } catch let damage as StructureDamage {
            return .structural(damage.faults.map { Finding("structure", "\($0)") })
        } catch let error as StorageError where error.code == .damaged {
            return .structural([Finding("structure", error.message)])
        } catch let error as EventLogError where error.code == .notALog {
            return .structural([Finding("structure", error.description)])
        } catch let error as StorageError where error.code == .unfinished {
            throw TripStoreError.unfinished(folder)
        } catch let error as EventLogError where error.code == .unfinished {
            throw TripStoreError.unfinished(folder)
        }
    }
}

extension VerificationReport {
    fileprivate static func structural(_ findings: [Finding]) -> VerificationReport {
        var report = VerificationReport()
        report.findings = findings
        return report
    }
}
