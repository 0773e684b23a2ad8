internal import CLMDB

extension Environment {
    /// Runs `body` on a snapshot of what is committed now.
    ///
    /// Any thread may call it; it takes no lock that a writer holds, except when another process has grown the file
    /// beyond this one's map. Keep `body` short: its snapshot keeps old pages alive, and growing the map waits for it.
    /// Nothing that points into the map may leave it. A `read` inside a `read` is a second snapshot, and can wait for
    /// ever if the map must grow between: pass the transaction on.
    ///
    /// Throws `LMDBError`, and what `body` throws.
    public func read<T>(_ body: (borrowing ReadTransaction) throws -> T) throws -> T {
        try reading { raw, admission in try body(ReadTransaction(raw, self, bounds(for: raw, admission))) }
    }

    /// As `read`, on LMDB's own transaction. Nothing of the file but a meta page is looked at before `body`.
    func reading<T>(_ body: (OpaquePointer, MapGate.Admission) throws -> T) throws -> T {
        let (raw, admission) = try beginReading()
        defer { finishReading(raw) }
        return try body(raw, admission)
    }

    private func beginReading() throws(LMDBError) -> (OpaquePointer, MapGate.Admission) {
        try checkNotForked()
        var clearedReaders = false
        while true {
            let admission = try gate.enterReading()
            var raw = admission.kept
            let number: Int32
            if let kept = admission.kept {
                number = mdb_txn_renew(kept)
            } else {
                number = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &raw)
            }
            if number == MDB_SUCCESS, let raw { return (raw, admission) }
            if let kept = admission.kept { mdb_txn_abort(kept) }
            _ = gate.leaveReading(keeping: nil)
            switch number {
            case MDB_MAP_RESIZED: try adoptMapSize(unlessChangedSince: admission)
            case MDB_READERS_FULL where !clearedReaders:
                clearedReaders = true
                try clearStaleReaders()
            default: throw failure(number, "read")
            }
        }
    }

    private func finishReading(_ raw: OpaquePointer) {
        mdb_txn_reset(raw)
        if let surplus = gate.leaveReading(keeping: raw) { mdb_txn_abort(surplus) }
    }
}
