internal import CLMDB
import Foundation

extension Environment {
    /// Runs `body` in the one write transaction and commits it; if `body` throws, nothing is written.
    ///
    /// Waits for the writer lock, over all threads and processes, and for the medium. When the map is full it is grown
    /// and `body` runs again from the start, whatever it did with the error; so it must not count on running once. Do
    /// not call it inside `read`; inside `write` on the same thread it throws.
    ///
    /// Throws `LMDBError`, and what `body` throws.
    public func write<T>(_ body: (borrowing WriteTransaction) throws -> T) throws -> T {
        let changes = ahead?.changes
        return try writing("write to", isRecorded: true) { raw in try body(WriteTransaction(raw, self, changes)) }
    }

    /// As `write`, on LMDB's own transaction, which `body` neither commits nor aborts. Unless what it changes is recorded, it
    /// is LMDB that syncs the commit.
    func writing<T>(_ action: String, isRecorded: Bool = false, _ body: (OpaquePointer) throws -> T) throws -> T {
        try checkNotForked()
        try gate.enterWriting()
        defer { gate.leaveWriting() }
        var growths = 0
        while true {
            let raw = try beginWriting(action)
            mapWasFull = false
            var hasBegun = false
            let outcome = Result {
                try ahead?.begin(raw)
                hasBegun = true
                if !isRecorded { ahead?.changes.leaveOut() }
                let result = try body(raw)
                if !mapWasFull { try ahead?.prepareCommit(raw) }
                return result
            }
            if mapWasFull {
                mdb_txn_abort(raw)
                try growMap(attempt: growths)
                growths += 1
                continue
            }
            switch outcome {
            case .failure(let error):
                // What goes wrong is left for the next commit. Before it has begun the file may be another's.
                if hasBegun { try? ahead?.takeBackStray() }
                mdb_txn_abort(raw)
                throw error
            case .success(let result):
                // A commit frees the transaction, also when it fails.
                let transaction = Int(mdb_txn_id(raw))
                let number = mdb_txn_commit(raw)
                if number == MDB_SUCCESS {
                    if options.syncsCommits, ahead?.isOn != true { try fullSync() }
                    ahead?.concludeCommit(of: transaction)
                    if let ahead, ahead.mustBeLookedAfter { settleLater() }
                } else {
                    takeBackStray()
                }
                if number == MDB_MAP_FULL {
                    try growMap(attempt: growths)
                    growths += 1
                    continue
                }
                try check(number, action)
                if writesInPlace { growAhead() }
                return result
            }
        }
    }

    /// What was written ahead and then not committed is not to be repeated. Where LMDB refuses to go on after a fault of the
    /// medium it is, by whoever opens the environment next: of such a commit nothing is known until then.
    private func takeBackStray() {
        guard let ahead, ahead.hasStray, let raw = try? beginWriting("write to") else { return }
        defer { mdb_txn_abort(raw) }
        guard (try? ahead.begin(raw)) != nil else { return }
        try? ahead.takeBackStray()
    }

    /// Syncs what small commits left to be synced, so that the data file alone holds everything; the next one writes ahead
    /// again. For when nothing more is to be written for a while: until then other processes' writers find no free pages.
    /// Left out, whoever opens the environment next does it, in some milliseconds. Waits for the writer lock and for the
    /// medium.
    public func settle() throws(LMDBError) {
        guard let ahead, !options.readOnly else { return }
        try checkNotForked()
        try gate.enterWriting()
        defer { gate.leaveWriting() }
        guard ahead.isOn else { return }
        let raw = try beginWriting("sync")
        defer { mdb_txn_abort(raw) }
        try ahead.begin(raw)
        try ahead.settle()
    }

    /// For how long nobody has written when the environment is settled by itself.
    private static let restingTime: TimeInterval = 1

    /// Settles it once nobody has written for a while: until then other processes' writers find no free pages, and a power cut
    /// leaves more to repeat.
    private func settleLater() {
        // One thread at a time sleeps; then it waits for other writers and for the medium, which belongs on no other.
        Thread.detachNewThread { [weak self] in
            Thread.sleep(forTimeInterval: Self.restingTime)
            self?.settleIfAtRest()
        }
    }

    private func settleIfAtRest() {
        guard let ahead, (try? checkNotForked()) != nil, (try? gate.enterWriting()) != nil else { return }
        let isAtRest = ahead.isAtRest
        gate.leaveWriting()
        // What goes wrong is said by the next commit.
        if isAtRest { try? settle() } else { settleLater() }
    }

    func beginWriting(_ action: String) throws(LMDBError) -> OpaquePointer {
        while true {
            var raw: OpaquePointer?
            let number = mdb_txn_begin(handle, nil, 0, &raw)
            if number == MDB_SUCCESS, let raw { return raw }
            guard number == MDB_MAP_RESIZED else { throw failure(number, action) }
            try adoptMapSize()
        }
    }
}
