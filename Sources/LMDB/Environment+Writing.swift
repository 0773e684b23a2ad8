import Foundation
internal import LMDBLibrary
public import Platform

extension Environment {
    /// Runs `body` in the one write transaction and commits it; if `body` throws, nothing is written.
    ///
    /// Waits for the writer lock, over all threads and processes, and for the medium. When the map is full, it is grown
    /// and `body` runs again from the start, even if it handled the error; so `body` must tolerate running more than
    /// once.
    ///
    /// Throws `StorageError`, `.nested` among others if the thread already reads or writes, and what `body` throws.
    public func write<T>(_ body: (borrowing WriteTransaction) throws -> T) throws -> T {
        try writing("write to", isRecorded: true) { raw in try body(WriteTransaction(raw, self, ahead?.changes)) }
    }

    /// As `write`, on LMDB's own transaction, which `body` neither commits nor aborts. Unless its changes are recorded,
    /// LMDB syncs the commit.
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
                // A killed process may have left behind the read transaction that held its snapshot.
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
                // On failure the next commit reports it. Before `hasBegun` the file may belong to another process.
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

    /// Makes sure that recovery does not repeat a transaction that LMDB failed to commit. Returns false where that is
    /// not possible: LMDB refuses to go on after it failed to write the newest meta page, and that page may be on the
    /// medium all the same.
    private func discardAfterFailedCommit() -> Bool {
        guard let raw = try? beginWriting("write to") else { return false }
        defer { mdb_txn_abort(raw) }
        guard let ahead, ahead.hasUncommittedFrame else { return true }
        // Does not begin a new frame: the state of the failed transaction is needed.
        try? ahead.discardUncommittedFrame()
        return !ahead.hasUncommittedFrame
    }

    private func outcomeUnknown(_ cause: any Error) -> StorageError {
        // Not the cause's own advice: that assumes nothing was written.
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

    /// Checks for reader slots of dead processes from time to time: they keep pages from being reused.
    private func clearStaleReadersInTime() {
        writesSinceReaderCheck += 1
        guard writesSinceReaderCheck >= Self.writesBetweenReaderChecks else { return }
        writesSinceReaderCheck = 0
        // A failure is retried later.
        _ = try? clearStaleReaders()
    }

    /// Syncs the data file, so that it alone holds every commit; the next small commit writes ahead again. Call it
    /// before an idle period: until then writers in other processes find no free pages.
    ///
    /// If it is not called, the next process to open the environment recovers, in some milliseconds. Waits for the
    /// writer lock and for the medium.
    public func checkpoint() throws(StorageError) {
        guard !options.isReadOnly else { return }
        try checkNotForked()
        try checkNotReading("sync")
        try mapLock.enterWriting()
        defer { mapLock.leaveWriting() }
        try checkpointInTurn()
    }

    /// The caller has the writer turn, or nobody else is in.
    func checkpointInTurn() throws(StorageError) {
        guard let ahead, ahead.isEnabled else { return }
        let raw = try beginWriting("sync")
        defer { mdb_txn_abort(raw) }
        try ahead.begin(raw)
        try ahead.checkpoint()
    }

    /// Starts a timer that checkpoints the environment when it is idle: until then writers in other processes find no
    /// free pages, and recovery after a power cut repeats more.
    private func checkpointWhenIdle() {
        let idleTime = options.idleTime
        guard idleTime.isFinite else { return }
        // A thread of its own, one at a time: it sleeps, and then waits for other writers and for the medium.
        Thread.detachNewThread { [weak self] in
            Thread.sleep(forTimeInterval: idleTime)
            self?.checkpointIfIdle()
        }
    }

    /// What the timer does: checkpoints, or waits once more if there were commits meanwhile.
    func checkpointIfIdle() {
        guard (try? checkNotForked()) != nil else { return }
        guard (try? mapLock.enterWriting()) != nil else {
            // A suspended environment is checkpointed, and has a new timer when it is written to again; one that is about to be may go on.
            if !mapLock.isClosed, !mapLock.isMapLost { checkpointWhenIdle() }
            return
        }
        let isIdle = ahead?.stopIdleTimerIfIdle() ?? true
        mapLock.leaveWriting()
        // A failure is reported by the next commit.
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
