package import EventLog
import Foundation
import LMDB
package import Logging
import Platform
import Synchronization

/// Lets go of all that a store holds in its folder, and takes it up again: files, locks, transactions, reader slots.
///
/// A system that suspends an app ends it if it holds a lock on a file that other processes use. The order matters: first appends are refused
/// and long work is ended, then the views close, then the log.
package final class StoreSuspension: Sendable {
    private let log: Log
    private let groups: [ProjectionGroup]
    private let folder: String
    private let alsoEnd: @Sendable () async -> Void
    private let logger: Logger
    private let started = Mutex<WorkerThread?>(nil)
    /// The call that was made last: each waits for the one before.
    private let last = Mutex<Task<Void, any Error>?>(nil)

    /// `alsoEnd` waits for what else uses files of the folder; from its beginning on the log's flag is set.
    package init(
        of log: Log, _ groups: [ProjectionGroup], in folder: String, _ logger: Logger,
        alsoEnd: @escaping @Sendable () async -> Void
    ) {
        self.log = log
        self.groups = groups
        self.folder = folder
        self.logger = logger
        self.alsoEnd = alsoEnd
    }

    /// Returns when nothing is held any more. Does nothing if that is so.
    ///
    /// Throws `StorageError.timedOut` if something does not end in time, or the deadline has passed: everything goes on as before then.
    package func suspend(by deadline: ContinuousClock.Instant) async throws {
        try await next { [self] in
            guard deadline > .now else {
                throw StorageError(
                    .timedOut,
                    "\(folder) was to be suspended by a time that has passed. Name one some seconds ahead; nothing was closed."
                )
            }
            if log.suspension.isSet { return }
            log.suspension.isSet = true
            do { try await letGo(by: deadline) } catch {
                try? await takeUp()
                throw error
            }
        }
    }

    /// Returns when everything goes on. Does nothing if nothing is suspended.
    ///
    /// Throws `StorageError` and `EventLogError` as opening the store does: it stays suspended then.
    package func resume() async throws { try await next { [self] in try await takeUp() } }

    private func next(_ step: @escaping @Sendable () async throws -> Void) async throws {
        let task = last.withLock { last in
            let task = Task { [last] in
                _ = await last?.result
                try await step()
            }
            last = task
            return task
        }
        try await task.value
    }

    /// The thread that closes and opens the log's files: one, so that what a call left behind it does not overtake the next.
    private var thread: WorkerThread {
        started.withLock { started in
            let thread = started ?? WorkerThread(name: "tripstore.suspension")
            started = thread
            return thread
        }
    }

    private func letGo(by deadline: ContinuousClock.Instant) async throws {
        let work = Task {
            for group in groups { try await group.suspend(by: deadline) }
            await alsoEnd()
            try await log.worker.run { [log] in
                try? log.flushNotes()
                // A failure to sign is made up for later.
                try? log.prepareClose()
            }
            try Task.checkCancellation()
            try await thread.run { [log, folder] in
                // Later the store may have taken up everything before this begins.
                guard deadline > .now else { throw Self.isLate(folder) }
                try log.suspend(by: deadline)
                guard Environment.awaitClosed(under: folder, by: deadline) else { throw Self.isLate(folder) }
                FileLock.suspend(under: folder)
            }
        }
        guard try await work.value(by: deadline) == nil else { return }
        // Its last step ends at the deadline by itself.
        work.cancel()
        throw Self.isLate(folder)
    }

    private func takeUp() async throws {
        let change = try await thread.run { [log, folder] in
            FileLock.resume(under: folder)
            do { return try log.resume() } catch {
                FileLock.suspend(under: folder)
                throw error
            }
        }
        if let change {
            logger.warning(
                "the replica goes on under a new id",
                metadata: ["previous": "\(change.previous)", "replica": "\(log.replica)", "reason": "\(change.reason)"])
        }
        for group in groups { await group.resumeServing() }
        log.changes.raise()
    }

    private static func isLate(_ folder: String) -> StorageError {
        StorageError(
            .timedOut,
            "\(folder) could not be suspended in time: what was begun has not ended. End first what runs for long, such as a backup, and "
                + "suspend again; nothing was closed.")
    }
}
