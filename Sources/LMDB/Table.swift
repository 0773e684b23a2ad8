internal import CLMDB
import LMDBFormat
public import Platform

/// Rows in the order of their keys' bytes: a named table of an environment, or a part of its unnamed one.
///
/// LMDB finds a named table anew in each transaction, by its name, and a write copies the pages of each that it touches. The
/// parts of the unnamed one are one tree, which spares both; who needs to know how many rows a part has counts them.
public struct Table: Sendable, Hashable {
    public let name: String
    let handle: UInt32
    /// The byte with which the keys of a part's rows begin in the file; nil of a named table.
    let part: UInt8?

    /// Calls `body` with a key as it is in the file.
    @inline(__always)
    func withKey<T>(_ key: UnsafeRawBufferPointer, _ body: (MDB_val) -> T) -> T {
        guard let part else { return body(MDB_val(key)) }
        // LMDB refuses a key of no bytes, which the part's number would hide.
        guard let source = key.baseAddress, !key.isEmpty else { return body(MDB_val(mv_size: 0, mv_data: nil)) }
        // A key that is too long is refused when it is put alone: everything else reads it.
        guard key.count <= PageLayout.maximumKey else {
            return ([part] + key).withUnsafeBytes { body(MDB_val($0)) }
        }
        return withUnsafeTemporaryAllocation(byteCount: PageLayout.maximumKey + 1, alignment: 8) { buffer in
            buffer[0] = part
            if let start = buffer.baseAddress { (start + 1).copyMemory(from: source, byteCount: key.count) }
            return body(MDB_val(mv_size: key.count + 1, mv_data: buffer.baseAddress))
        }
    }
}

extension Environment {
    /// Opens tables, creating those that are missing: as the environment was opened, unless it is said here, for it may be open
    /// for others who create. Never if it is read-only.
    ///
    /// Names are not empty, nor `environment`, which is a row of the same tree. Call it once after opening: table handles are made in a transaction of their own. Throws `StorageError`:
    /// `.missing` if a table is not there and is not to be created.
    public func tables(_ names: [String], creating: Bool? = nil) throws -> [Table] {
        guard creating ?? (options.access == .creating), !options.isReadOnly else { return try openForReading(names) }
        return try writing("open the tables of") { raw in try names.map { try table($0, raw, UInt32(MDB_CREATE)) } }
    }

    /// Opens parts of the unnamed table, the number of each being its place in the list. Nothing is written: there is no
    /// part without rows.
    ///
    /// Throws `StorageError`. An environment has either named tables or parts, and parts only where commits are not synced:
    /// what was changed in them is not written ahead.
    public func parts(_ names: [String]) throws -> [Table] {
        guard names.count <= 256, !options.syncsCommits else {
            throw StorageError(
                .other,
                "\(names.count) parts of \(path) cannot be opened: there are at most 256, and only where commits are not synced. "
                    + "Use named tables.")
        }
        return try openForReading([""]).first.map { unnamed in
            names.enumerated().map { Table(name: $1, handle: unnamed.handle, part: UInt8($0)) }
        } ?? []
    }

    /// Whether there is anything in the unnamed database: a table, opened or not, or a row. O(1).
    public func hasEntries() throws(StorageError) -> Bool {
        try checkNotForked()
        let (number, count) = try mapLock.withStableMap {
            var stat = MDB_stat()
            return (mdb_env_stat(handle, &stat), stat.ms_entries)
        }
        try check(number, "inspect")
        return count > 0
    }

    // A handle that a transaction opened lasts only if that commits, a reading one too; so pooled readers will not do.
    // And only one transaction at a time may open handles, hence the writers' turn.
    private func openForReading(_ names: [String]) throws -> [Table] {
        try checkNotForked()
        try checkNotReading("look-up of tables")
        try mapLock.enterWriting()
        defer { mapLock.leaveWriting() }
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

    private func table(_ name: String, _ raw: OpaquePointer, _ flags: UInt32) throws(StorageError) -> Table {
        guard name != SnapshotIdentity.name else {
            throw StorageError(
                .other, "A table of \(path) cannot have the name '\(name)', which is taken. Choose another.")
        }
        var handle: MDB_dbi = 0
        let number = mdb_dbi_open(raw, name.isEmpty ? nil : name, flags, &handle)
        switch number {
        case MDB_SUCCESS: break
        case MDB_NOTFOUND:
            throw StorageError(
                .missing, "\(path) has no table '\(name)': it was made by something else.", number: number)
        case MDB_DBS_FULL:
            throw StorageError(
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
            throw StorageError(
                .damaged,
                "The table '\(name)' of \(path) has flags 0x\(String(tableFlags, radix: 16)), an order of rows that is "
                    + "not used here: it was made by something else, or the file is not intact.")
        }
        return Table(name: name, handle: handle, part: nil)
    }
}
