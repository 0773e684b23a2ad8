public import EventLog
import Events
public import Foundation
import LMDB

extension TripStore {
    /// Verifies the log of the store in a folder: first the structure of its file, then every hash, sequence number,
    /// timestamp and signature, derived anew from the commits.
    ///
    /// Others may write meanwhile. Damage is reported, not thrown, and never ends the process. `progress` is told
    /// every few thousand commits. Throws `TripStoreError.noStore`, or `LMDBError` if the file cannot be read at all.
    public static func verify(
        at folder: URL, progress: @escaping @Sendable (Position) -> Void = { _ in }
    ) async throws -> VerificationReport {
        let layout = StoreLayout(folder)
        let worker = WorkerThread(name: "tripstore.verifier")
        return try await worker.run {
            guard TripStore.exists(at: folder) else {
                throw TripStoreError(.noStore, "There is no trip store at \(folder.path). Check the path.")
            }
            do {
                return try verify(layout.log, progress)
            } catch let error as LMDBError where error.code == .damaged {
                return .structural([Finding("structure", error.message)])
            } catch let error as EventLogError where error.code == .notALog {
                return .structural([Finding("structure", error.description)])
            }
        }
    }

    private static func verify(
        _ log: String, _ progress: @escaping (Position) -> Void
    ) throws -> VerificationReport {
        // Before LMDB opens the file, for damage could lead it astray; and again on the snapshot that is then read,
        // which writers may have moved on to since.
        let atRest = try Environment.checkStructure(at: log)
        if atRest.contains(where: \.isDangerous) { return .structural(atRest.map { Finding("structure", "\($0)") }) }
        let environment = try Environment.open(at: log, options: Environment.Options(readOnly: true))
        let open = try environment.checkStructure()
        if open.contains(where: \.isDangerous) { return .structural(open.map { Finding("structure", "\($0)") }) }
        return try LogVerifier.verify(EnvironmentRows(at: log), progress: progress)
    }
}

extension VerificationReport {
    fileprivate static func structural(_ findings: [Finding]) -> VerificationReport {
        var report = VerificationReport()
        report.findings = findings
        return report
    }
}
