internal import CLMDB

extension Environment {
    /// Runs `body` in the one write transaction and commits it; if `body` throws, nothing is written.
    ///
    /// Waits for the writer lock, over all processes, and for the medium. When the map is full it is grown and `body`
    /// runs again from the start, so `body` must not count on running once. Do not call it inside `read`.
    ///
    /// Throws `LMDBError`, and what `body` throws.
    public func write<T>(_ body: (borrowing WriteTransaction) throws -> T) throws -> T {
        try checkNotForked()
        while true {
            let raw = try beginWriting()
            let result: T
            do {
                result = try body(WriteTransaction(raw, self))
            } catch {
                mdb_txn_abort(raw)
                guard let error = error as? LMDBError, error.code == .mapFull else { throw error }
                try growMap()
                continue
            }
            let number = mdb_txn_commit(raw)
            if number == MDB_MAP_FULL {
                try growMap()
                continue
            }
            try check(number, "write to")
            if options.syncsCommits { try fullSync() }
            return result
        }
    }

    private func beginWriting() throws(LMDBError) -> OpaquePointer {
        while true {
            var raw: OpaquePointer?
            let number = mdb_txn_begin(handle, nil, 0, &raw)
            if number == MDB_SUCCESS, let raw { return raw }
            guard number == MDB_MAP_RESIZED else { throw LMDBError(number, "write to", path: path) }
            try adoptMapSize()
        }
    }

    /// Another process grew the map: map as much as it did.
    func adoptMapSize() throws(LMDBError) {
        try check(gate.withoutReaders { mdb_env_set_mapsize(handle, 0) }, "map")
    }

    /// Doubles the map, once the readers of this process have left it.
    private func growMap() throws(LMDBError) {
        let size = try information().mapSize
        guard size <= Int.max / 4 else {
            throw LMDBError(.mapFull, "The map of \(path) has \(size) bytes and cannot grow further.")
        }
        try check(gate.withoutReaders { mdb_env_set_mapsize(handle, size * 2) }, "grow the map of")
    }
}
