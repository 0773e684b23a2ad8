internal import CLMDB

extension Environment {
    /// Runs `body` in the one write transaction and commits it; if `body` throws, nothing is written.
    ///
    /// Waits for the writer lock, over all threads and processes, and for the medium. When the map is full it is grown
    /// and `body` runs again from the start, whatever it did with the error; so it must not count on running once. Do
    /// not call it inside `read`; inside `write` on the same thread it throws.
    ///
    /// Throws `LMDBError`, and what `body` throws.
    public func write<T>(_ body: (borrowing WriteTransaction) throws -> T) throws -> T {
        try writing("write to") { raw in try body(WriteTransaction(raw, self)) }
    }

    /// As `write`, on LMDB's own transaction, which `body` neither commits nor aborts.
    func writing<T>(_ action: String, _ body: (OpaquePointer) throws -> T) throws -> T {
        try checkNotForked()
        try gate.enterWriting()
        defer { gate.leaveWriting() }
        var growths = 0
        while true {
            let raw = try beginWriting(action)
            mapWasFull = false
            let outcome = Result { try body(raw) }
            if mapWasFull {
                mdb_txn_abort(raw)
                try growMap(attempt: growths)
                growths += 1
                continue
            }
            switch outcome {
            case .failure(let error):
                mdb_txn_abort(raw)
                throw error
            case .success(let result):
                // A commit frees the transaction, also when it fails.
                let number = mdb_txn_commit(raw)
                if number == MDB_MAP_FULL {
                    try growMap(attempt: growths)
                    growths += 1
                    continue
                }
                try check(number, action)
                if options.syncsCommits { try fullSync() }
                if writesInPlace { growAhead() }
                return result
            }
        }
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
