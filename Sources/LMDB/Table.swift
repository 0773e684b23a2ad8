internal import CLMDB

/// A named table of an environment: rows in the order of their keys' bytes.
public struct Table: Sendable, Hashable {
    public let name: String
    let handle: UInt32
}

extension Environment {
    /// Opens tables, creating those that are missing: as the environment was opened, unless it is said here, for it may be open
    /// for others who create. Never if it is read-only.
    ///
    /// Call it once after opening: table handles are made in a transaction of their own. Throws `LMDBError`:
    /// `.missing` if a table is not there and is not to be created.
    public func tables(_ names: [String], creating: Bool? = nil) throws -> [Table] {
        guard creating ?? options.creates, !options.readOnly else { return try openForReading(names) }
        return try writing("open the tables of") { raw in try names.map { try table($0, raw, UInt32(MDB_CREATE)) } }
    }

    /// How many tables there are, opened or not. O(1).
    public func tableCount() throws(LMDBError) -> Int {
        try checkNotForked()
        // LMDB counts the rows of the table of tables.
        let (number, count) = try gate.lookAtMap {
            var stat = MDB_stat()
            return (mdb_env_stat(handle, &stat), stat.ms_entries)
        }
        try check(number, "inspect")
        return count
    }

    // A handle that a transaction opened lasts only if that commits, a reading one too; so pooled readers will not do.
    // And only one transaction at a time may open handles, hence the writers' turn.
    private func openForReading(_ names: [String]) throws -> [Table] {
        try checkNotForked()
        try gate.enterWriting()
        defer { gate.leaveWriting() }
        while true {
            var raw: OpaquePointer?
            let number = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &raw)
            if number == MDB_MAP_RESIZED {
                try adoptMapSize()
                continue
            }
            guard number == MDB_SUCCESS, let raw else { throw failure(number, "open the tables of") }
            let tables: [Table]
            do {
                tables = try names.map { try table($0, raw, 0) }
            } catch {
                mdb_txn_abort(raw)
                throw error
            }
            try check(mdb_txn_commit(raw), "open the tables of")
            return tables
        }
    }

    private func table(_ name: String, _ raw: OpaquePointer, _ flags: UInt32) throws(LMDBError) -> Table {
        var handle: MDB_dbi = 0
        let number = mdb_dbi_open(raw, name, flags, &handle)
        switch number {
        case MDB_SUCCESS: break
        case MDB_NOTFOUND:
            throw LMDBError(.missing, "\(path) has no table '\(name)': it was made by something else.", number: number)
        case MDB_DBS_FULL:
            throw LMDBError(
                .other,
                "\(path) was opened for \(options.maxTables) tables, and '\(name)' is one more. Open it for more.",
                number: number)
        default:
            if number == MDB_MAP_FULL { mapWasFull = true }
            throw failure(number, "open the table '\(name)' of")
        }
        var tableFlags: UInt32 = 0
        try check(mdb_dbi_flags(raw, handle, &tableFlags), "open the table '\(name)' of")
        guard tableFlags == 0 else {
            throw LMDBError(
                .damaged,
                "The table '\(name)' of \(path) has flags 0x\(String(tableFlags, radix: 16)), an order of rows that is "
                    + "not used here: it was made by something else, or the file is not intact.")
        }
        // The same order as without it, only quicker.
        try check(mdb_set_compare(raw, handle, tripstore_compare), "open the table '\(name)' of")
        return Table(name: name, handle: handle)
    }
}
