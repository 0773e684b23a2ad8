internal import CLMDB

/// A named table of an environment: rows in the order of their keys' bytes.
public struct Table: Sendable, Hashable {
    public let name: String
    let handle: UInt32
}

extension Environment {
    /// Opens tables, creating those that are missing unless the environment is read-only.
    ///
    /// Call it once after opening: table handles are made in a transaction of their own. Throws `LMDBError`:
    /// `.missing` if read-only and a table is not there.
    public func tables(_ names: [String]) throws -> [Table] {
        if options.readOnly {
            return try inTableTransaction(UInt32(MDB_RDONLY)) { raw in try names.map { try table($0, raw, 0) } }
        }
        return try inTableTransaction(0) { raw in try names.map { try table($0, raw, UInt32(MDB_CREATE)) } }
    }

    // Handles opened in a transaction last only if it commits, a reading one too; so pooled readers will not do.
    private func inTableTransaction<T>(_ flags: UInt32, _ body: (OpaquePointer) throws -> T) throws -> T {
        try checkNotForked()
        var raw: OpaquePointer?
        var number = mdb_txn_begin(handle, nil, flags, &raw)
        if number == MDB_MAP_RESIZED {
            try adoptMapSize()
            number = mdb_txn_begin(handle, nil, flags, &raw)
        }
        guard number == MDB_SUCCESS, let raw else { throw LMDBError(number, "open the tables of", path: path) }
        do {
            let result = try body(raw)
            try check(mdb_txn_commit(raw), "open the tables of")
            return result
        } catch {
            // A commit that fails has freed the transaction already; it fails only where the medium does.
            if !(error is LMDBError) { mdb_txn_abort(raw) }
            throw error
        }
    }

    private func table(_ name: String, _ raw: OpaquePointer, _ flags: UInt32) throws(LMDBError) -> Table {
        var handle: MDB_dbi = 0
        let number = mdb_dbi_open(raw, name, flags, &handle)
        if number == MDB_NOTFOUND {
            throw LMDBError(.missing, "\(path) has no table '\(name)': it was made by something else.", number: number)
        }
        try check(number, "open the table '\(name)' of")
        return Table(name: name, handle: handle)
    }
}
