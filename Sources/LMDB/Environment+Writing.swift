internal import CLMDB
import Foundation
public import Platform

extension Environment {
    /// Runs `body` in the one write transaction and commits it; if `body` throws, nothing is written.
    ///
    /// Waits for the writer lock, over all threads and processes, and for the medium. When the map is full it is grown
    /// and `body` runs again from the start, whatever it did with the error; so it must not count on running once.
    ///
    /// Throws `StorageError`, `.nested` among others if the thread reads or writes already, and what `body` throws.
    public func write<T>(_ body: (borrowing WriteTransaction) throws -> T) throws -> T {
        let changes = ahead?.changes
        return try writing("write to", isRecorded: true) { raw in try body(WriteTransaction(raw, self, changes)) }
    }

    /// As `write`, on LMDB's own transaction, which `body` neither commits nor aborts. Unless what it changes is recorded, it
    /// is LMDB that syncs the commit.
    func writing<T>(_ action: String, isRecorded: Bool = false, _ body: (OpaquePointer) throws -> T) throws -> T {
        try checkNotForked()
        try checkNotReading("write")
        try mapLock.enterWriting()
        defer { mapLock.leaveWriting() }
        try lockFile?.renew()
        clearStaleReadersInTime()
        while true {
            let raw = try beginWriting(action)
            mapWasFull = false
            var hasBegun = false
            let outcome = Result {
                try ahead?.begin(raw)
                hasBegun = true
                // A process that was killed may have left the read transaction of its snapshot behind.
                if ahead?.foundEnabledByOther == true { _ = try? clearStaleReaders() }
                if !isRecorded { ahead?.changes.markNotReplayable() }
                let result = try body(raw)
                if !mapWasFull, let ahead {
                    try checkChange(ahead.writeNonce(raw))
                    try ahead.prepareCommit(raw)
                }
                return result
            }
            if mapWasFull {
                mdb_txn_abort(raw)
                try growMap()
                continue
            }
            switch outcome {
            case .failure(let error):
                // What goes wrong is left for the next commit. Before it has begun the file may be another's.
                if hasBegun { try? ahead?.discardUncommittedFrame() }
                mdb_txn_abort(raw)
                throw ahead?.isOutcomeUnknown == true ? outcomeUnknown(error) : error
            case .success(let result):
                // A commit frees the transaction, also when it fails.
                let transaction = Int(mdb_txn_id(raw))
                let number = mdb_txn_commit(raw)
                if number == MDB_SUCCESS {
                    if options.syncsCommits, ahead?.isEnabled != true {
                        do { try fullSync() } catch { throw outcomeUnknown(error) }
                    }
                    ahead?.concludeCommit(of: transaction)
                    if let ahead, ahead.startIdleTimer() { checkpointWhenIdle() }
                } else if !discardAfterFailedCommit() {
                    throw outcomeUnknown(failure(number, action))
                }
                if number == MDB_MAP_FULL {
                    try growMap()
                    continue
                }
                try check(number, action)
                return result
            }
        }
    }

    /// Makes sure that a transaction that LMDB could not commit does not come to be later: its record is not to be repeated.
    /// False where that cannot be: LMDB refuses to go on once it could not write the page that names the newest state, and that
    /// page may be on the medium all the same.
    private func discardAfterFailedCommit() -> Bool {
        guard let raw = try? beginWriting("write to") else { return false }
        defer { mdb_txn_abort(raw) }
        guard let ahead, ahead.hasUncommittedFrame else { return true }
        // Not begun anew: what is known of the failed transaction is needed.
        try? ahead.discardUncommittedFrame()
        return !ahead.hasUncommittedFrame
    }

    private func outcomeUnknown(_ cause: any Error) -> StorageError {
        // Not the advice that goes with the cause: it is for what was not written.
        let words =
            switch cause {
            case let error as StorageError where error.number != 0: String(cString: mdb_strerror(error.number))
            default: "\(cause)"
            }
        return StorageError(
            .outcomeUnknown,
            "It is not known whether the last change of \(path) was written (\(words)). Close the store and open it again, and "
                + "see whether the change is there before it is repeated.",
            number: (cause as? StorageError)?.number ?? 0)
    }

    /// Looks for the slots of readers that died, now and then: they keep pages from being used again.
    private func clearStaleReadersInTime() {
        writesSinceReaderCheck += 1
        guard writesSinceReaderCheck >= Self.writesBetweenReaderChecks else { return }
        writesSinceReaderCheck = 0
        // What goes wrong is tried again.
        _ = try? clearStaleReaders()
    }

    /// Syncs what small commits left to be synced, so that the data file alone holds everything; the next one writes ahead
    /// again. For when nothing more is to be written for a while: until then other processes' writers find no free pages.
    /// Left out, whoever opens the environment next does it, in some milliseconds. Waits for the writer lock and for the
    /// medium.
    public func checkpoint() throws(StorageError) {
        guard let ahead, !options.isReadOnly else { return }
        try checkNotForked()
        try checkNotReading("sync")
        try mapLock.enterWriting()
        defer { mapLock.leaveWriting() }
        guard ahead.isEnabled else { return }
        let raw = try beginWriting("sync")
        defer { mdb_txn_abort(raw) }
        try ahead.begin(raw)
        try ahead.checkpoint()
    }

    /// Seconds without a commit after which the environment is checkpointed.
    private static let idleTime: TimeInterval = 1

    /// Checkpoints it once nobody has written for a while: until then other processes' writers find no free pages, and a power cut
    /// leaves more to repeat.
    private func checkpointWhenIdle() {
        // One thread at a time sleeps; then it waits for other writers and for the medium, which belongs on no other.
        Thread.detachNewThread { [weak self] in
            Thread.sleep(forTimeInterval: Self.idleTime)
            self?.checkpointIfIdle()
        }
    }

    private func checkpointIfIdle() {
        guard let ahead, (try? checkNotForked()) != nil, (try? mapLock.enterWriting()) != nil else { return }
        let isIdle = ahead.stopIdleTimerIfIdle()
        mapLock.leaveWriting()
        // What goes wrong is said by the next commit.
        if isIdle { try? checkpoint() } else { checkpointWhenIdle() }
    }

    func beginWriting(_ action: String) throws(StorageError) -> OpaquePointer {
        while true {
            var raw: OpaquePointer?
            let number = mdb_txn_begin(handle, nil, 0, &raw)
            if number == MDB_SUCCESS, let raw { return raw }
            guard number == MDB_MAP_RESIZED else { throw failure(number, action) }
            try adoptMapSize()
        }
    }
}
