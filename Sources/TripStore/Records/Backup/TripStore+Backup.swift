public import EventLog
package import Events
public import Foundation
import LMDB
public import LogExchange
import Logging

extension TripStore {
    /// Makes a backup of the store in a folder that is new or empty: what is committed at one moment, while others write,
    /// also other processes, with the bytes of attachments. Views are left out; they are built when the backup is opened.
    ///
    /// The copy is synced, read back and verified, every hash, chain and signature of it, and only then put into place. One
    /// that is cut off leaves a folder named like the target, but ending in `.unfinished-backup`, which the next backup
    /// of that target removes.
    ///
    /// **The folder holds the replica's private key**, readable by this user alone: keep it as safe as the store. To restore
    /// it, copy the folder back and open it. It notices that it is a copy and goes on as a new replica, so that nothing that
    /// was written since and is held elsewhere is in its way: exchange with the others, and it comes back.
    ///
    /// Works on a store that was opened for reading, too. `progress` is called on another thread, a few times a second.
    ///
    /// Throws `TripStoreError` (`.backupRefused`, `.backupUnsound`, `.diskFull`, `.notPermitted`, `.inputOutput`,
    /// `.keyUnusable`), or `CancellationError`; no backup is then there. O(bytes of the log and of the attachments).
    @discardableResult
    public func backup(
        to folder: URL, progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws -> BackupReport {
        try await TripStoreError.wrapAsync { try await makeBackup(in: folder, progress) }
    }

    private func makeBackup(
        in folder: URL, _ progress: @escaping @Sendable (BackupProgress) -> Void
    ) async throws -> BackupReport {
        let worker = WorkerThread(name: "tripstore.backup")
        let place = try await worker.run { [store = self.folder] in try BackupFolder(for: folder, of: store) }
        do {
            let keys = try await copyLog(to: place, on: worker, progress)
            try Task.checkCancellation()
            let (replica, journal, position) = try await worker.run {
                try Self.finishKey(place, keys, of: StoreLayout(self.folder))
            }
            let report = try await Self.verify(place, upTo: position, progress)
            try Task.checkCancellation()
            // After the log, so that all that its commits name is among them.
            let leftOut = try await copyAttachments(to: place, on: worker)
            return try await worker.run {
                try place.removeLocks()
                let holdsKey = FileManager.default.fileExists(atPath: place.layout.key)
                let size = try FileManager.default.attributesOfItem(atPath: place.layout.log + "/data.mdb")[.size]
                try place.finish()
                return BackupReport(
                    folder: URL(fileURLWithPath: place.target), journal: journal, replica: replica, position: position,
                    commits: report.commits, events: report.events, fileSize: (size as? NSNumber)?.intValue ?? 0,
                    holdsKey: holdsKey, leftOut: leftOut, findings: self.lostRecords)
            }
        } catch {
            try? await worker.run { place.discard() }
            throw error
        }
    }

    /// Copies the log, and returns the keys that existed before: the key that the copy names may have been replaced
    /// since.
    private func copyLog(
        to place: BackupFolder, on worker: WorkerThread, _ progress: @escaping @Sendable (BackupProgress) -> Void
    ) async throws -> [ReplicaIdentity] {
        let total = try log.information().usedSize
        let target = place.layout.log + "/data.mdb"
        progress(BackupProgress(stage: .copying, done: 0, total: total))
        return try await Self.reporting(every: .milliseconds(200)) {
            let size = (try? FileManager.default.attributesOfItem(atPath: target)[.size] as? NSNumber)?.intValue
            progress(BackupProgress(stage: .copying, done: min(size ?? 0, total), total: total))
        } during: {
            try await worker.run { [log, keyPath = StoreLayout(folder).key] in
                let keys = try Log.keys(at: keyPath)
                try log.copy(to: place.layout.log)
                return keys
            }
        }
    }

    /// Copies the bytes of attachments that are here, each part verified. What was altered is left out, and returned: it is of no use, and a
    /// backup without it is better than none.
    private func copyAttachments(to place: BackupFolder, on worker: WorkerThread) async throws -> [ContentError] {
        var leftOut: [ContentError] = []
        let copies = ContentFolder(place.layout.attachments, now: { [log] in log.wallClock })
        for (content, _) in try await worker.run({ [contentFolder] in try contentFolder.contents() }) {
            try Task.checkCancellation()
            do {
                try await worker.run { [contentFolder] in try copies.add(content, from: contentFolder) }
            } catch let error as ContentError where error.code == .damaged {
                logger.warning("a damaged attachment is not in the backup", metadata: ["error": "\(error)"])
                leftOut.append(error)
            }
        }
        return leftOut
    }

    /// Calls `report` repeatedly while `body` runs; the last call has returned when this does.
    static func reporting<T>(
        every interval: Duration, _ report: @escaping @Sendable () -> Void, during body: () async throws -> T
    ) async throws -> T {
        let reports = Task {
            while true {
                try await Task.sleep(for: interval)
                report()
            }
        }
        let outcome: Result<T, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        reports.cancel()
        _ = await reports.result
        return try outcome.get()
    }

    /// Copies the key of the replica that the copy names beside it. Returns the copy's replica and position.
    private static func finishKey(
        _ place: BackupFolder, _ keys: [ReplicaIdentity], of store: StoreLayout
    ) throws -> (ReplicaID, JournalID, Position) {
        let options = Log.Options(environment: Environment.Options(.reading))
        let copy = try Log.open(at: place.layout.log, keyPath: place.layout.key, options: options)
        let (line, position) = (copy.ownLine, try copy.read { try $0.lastPosition() })
        // Another process may have activated a new replica between reading the keys and copying.
        _ = try Log.copyKey(of: line.replica, among: keys + Log.keys(at: store.key), to: place.layout.key)
        return (line.replica, line.journal, position)
    }

    private static func verify(
        _ place: BackupFolder, upTo end: Position, _ progress: @escaping @Sendable (BackupProgress) -> Void
    ) async throws -> VerificationReport {
        let total = Int(clamping: end.rawValue)
        progress(BackupProgress(stage: .verifying, done: 0, total: total))
        let report = try await verify(at: URL(fileURLWithPath: place.layout.folder)) { position in
            progress(BackupProgress(stage: .verifying, done: Int(clamping: position.rawValue), total: total))
        }
        guard report.findings.isEmpty, report.commits == total else {
            let found = report.findings.prefix(3).map { "\($0)" }.joined(separator: " ")
            throw TripStoreError(
                .backupUnsound,
                "The copy for \(place.target) is not sound: \(report.commits) of \(total.counted("commit")) \(report.commits.agreeing("was", "were")) read back. \(found) "
                    + "If 'verify' finds nothing wrong with the store, the medium of the backup is at fault."
            )
        }
        progress(BackupProgress(stage: .verifying, done: total, total: total))
        return report
    }
}

/// The contents of a backup.
public struct BackupReport: Sendable, Hashable {
    /// The folder, which opens as a store.
    public let folder: URL
    /// The journal that the store belongs to.
    package let journal: JournalID
    /// The replica that wrote there at the time of the backup.
    package let replica: ReplicaID
    /// The newest position in it.
    package let position: Position
    /// The number of its commits, each read back and verified.
    public let commits: Int
    /// The number of their events.
    package let events: Int
    /// Bytes of the log's file.
    package let fileSize: Int
    /// Whether the replica's private key is in it: not if the store did not have it.
    package let holdsKey: Bool
    /// Why bytes of attachments are not in it that lie in the store: damaged ones. What cannot be read fails the backup.
    public let leftOut: [ContentError]
    /// Findings of the store that are not in the backup: commits that its medium lost.
    public let findings: [Finding]
}

/// The progress of a backup.
public struct BackupProgress: Sendable, Hashable {
    /// The current stage.
    public enum Stage: Sendable {
        /// The log is copied; counted in bytes, with an upper bound as the total.
        case copying
        /// The copy is read back and verified; counted in commits.
        case verifying
    }

    /// The current stage; the stages follow in order, each once.
    public let stage: Stage
    /// How much of it is done, in the stage's unit; at most `total`.
    public let done: Int
    /// The total, in the stage's unit.
    public let total: Int

    package init(stage: Stage, done: Int, total: Int) {
        self.stage = stage
        self.done = done
        self.total = total
    }
}
