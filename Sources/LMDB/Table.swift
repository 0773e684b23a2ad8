import LMDBFormat
internal import LMDBLibrary
public import Platform
import Synchronization

/// Rows in the byte order of their keys: a named table of an environment, or a part of its unnamed one.
///
/// LMDB looks up a named table by name in each transaction, and a write copies the pages of each table that it touches.
/// Parts of the unnamed table form one tree, which avoids both; it keeps no row count per part, so the caller counts.
public struct Table: Sendable, Hashable {
    public let name: String
    let handle: UInt32
    /// The byte with which the keys of a part's rows begin in the file; nil of a named table.
    let part: UInt8?

    /// Calls `body` with a key as it is stored in the file.
    @inline(__always)
    func withKey<T>(_ key: UnsafeRawBufferPointer, _ body: (MDB_val) -> T) -> T {
        guard let part else { return body(MDB_val(key)) }
        // LMDB refuses an empty key; the part's number would hide that.
        guard let source = key.baseAddress, !key.isEmpty else { return body(MDB_val(mv_size: 0, mv_data: nil)) }
        // LMDB refuses a key that is too long only on a put; all other operations accept it.
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
    /// Opens tables and creates missing ones, as the environment's access says, or as `creating` says: another caller
    /// may have opened it for creating. Never creates if it is read-only.
    ///
    /// Names are not empty, nor `environment`, which is a row of the same tree. Call it once after opening: table
    /// handles are made in a transaction of their own. Throws `StorageError`: `.missing` if a table is missing and may
    /// not be created.
    public func tables(_ names: [String], creating: Bool? = nil) throws -> [Table] {
        guard creating ?? (options.access == .creating), !options.isReadOnly else { return try openForReading(names) }
        return try writing("open the tables of") { raw in try names.map { try table($0, raw, UInt32(MDB_CREATE)) } }
            .noted(in: self)
    }

    /// Opens parts of the unnamed table; a part's number is its index in the list. Nothing is written: a part without
    /// rows does not exist in the file.
    ///
    /// Throws `StorageError`. An environment has either named tables or parts, and parts only where commits are not
    /// synced: their changes are not written ahead.
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

    /// Whether the unnamed database holds anything: a table, opened or not, or a row. O(1).
    public func hasEntries() throws(StorageError) -> Bool {
        try checkNotForked()
        let (number, count) = try mapLock.withStableMap {
            var stat = MDB_stat()
            return (mdb_env_stat(handle, &stat), stat.ms_entries)
        }
        try check(number, "inspect")
        return count > 0
    }

    // A handle opened in a transaction lasts only if the transaction commits, also a read transaction; so a pooled
    // reader does not work. And only one transaction at a time may open handles, hence the writer turn.
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
            return tables.noted(in: self)
        }
    }

    /// Makes the handles again, under their numbers, of an environment that is opened anew and used by nobody yet. LMDB numbers them in the
    /// order in which they are made.
    func openTables(of handle: OpaquePointer) throws(StorageError) {
        let names = tableNames.withLock { $0.sorted { $0.key < $1.key } }
        var raw: OpaquePointer?
        try check(mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &raw), "open the tables of")
        guard let raw else { return }
        do throws(StorageError) {
            for (number, name) in names {
                guard try table(name, raw, 0).handle != number else { continue }
                throw StorageError(
                    .other, "The table '\(name)' of \(path) is not found as before. Close the store and open it again.")
            }
        } catch {
            mdb_txn_abort(raw)
            throw error
        }
        try check(mdb_txn_commit(raw), "open the tables of")
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

extension [Table] {
    /// Records the names, for an environment that is suspended and opened again: of the unnamed table too, which has a fixed handle but no
    /// order of rows until it is opened.
    fileprivate func noted(in environment: Environment) -> [Table] {
        environment.tableNames.withLock { names in for table in self { names[table.handle] = table.name } }
        return self
    }
}
