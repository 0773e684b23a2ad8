internal import CLMDB
import Foundation

/// Brings an environment back to its last commit after a power cut or a killed process, by what its write-ahead file holds.
enum WriteAheadRecovery {
    /// Looks after the environment in a folder, which is not open in this process. Answers the locked file, if there is
    /// one: until it is let go of, no other process opens the environment, so that it is to be opened meanwhile.
    ///
    /// Cheap if there is nothing to do. Else O(records), some milliseconds, and it waits for the medium.
    ///
    /// Throws `LMDBError`: `.notPermitted` if it may not write, `.damaged`, `.diskFull`.
    static func run(in folder: String, options: Environment.Options) throws(LMDBError) -> WriteAheadFile? {
        let isWriter = !options.readOnly && options.syncsCommits
        guard let file = try WriteAheadFile(in: folder, creating: isWriter) else { return nil }
        try file.lock()
        guard let header = try file.header(), header.isOn, !isOpenElsewhere(folder) else { return file }
        guard file.isWritable else {
            throw LMDBError(
                .notPermitted,
                "\(folder) was not closed, and its last commits lie in \(file.path). Open it once as a user who may write "
                    + "there.")
        }
        let bytes = try file.records()
        let records = bytes.withUnsafeBytes { WriteAheadRecord.all(in: $0, after: header) }
        if try restore(header, records.count, in: folder) {
            try LockFile.setAside(in: folder, readers: options.maxReaders)
            try DataFile.checkMetaPages(at: folder + "/data.mdb")
            try replay(records, of: bytes, in: folder, mapSize: options.mapSize)
        }
        try file.write(WriteAheadHeader.off(generation: header.generation + 1).bytes, at: 0)
        return file
    }

    /// Whether another process has the environment open. LMDB locks the first byte of this file as long as it has; to close a
    /// descriptor of it would drop such a lock of this process.
    private static func isOpenElsewhere(_ folder: String) -> Bool { tripstore_is_locked(folder + "/lock.mdb") != 0 }

    /// Takes the data file back to the snapshot of a header. False if the header is not of this file: after all that it can
    /// have seen, its newest transaction is that of the snapshot or of one of the records.
    private static func restore(
        _ header: WriteAheadHeader, _ records: Int, in folder: String
    ) throws(LMDBError) -> Bool {
        let path = folder + "/data.mdb"
        guard FileIdentity(path: path) != nil,
            case .success(let pages?) = try DataFile(path: path).readMetaPages(),
            pages.first.pageSize == header.pageSize,
            (header.transaction...header.transaction + UInt(records)).contains(pages.newest.transaction)
        else { return false }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, "open", path: path) }
        defer { close(descriptor) }
        for (number, page) in header.metaPages.enumerated() {
            let written = pwrite(descriptor, page, page.count, off_t(number * header.pageSize))
            guard written == page.count else { throw LMDBError(written < 0 ? errno : EIO, "write to", path: path) }
        }
        guard fsync(descriptor) == 0 else { throw LMDBError(errno, "sync", path: path) }
        return true
    }

    /// Repeats the records in one transaction: until it is committed the snapshot stays whole, so that this can be cut off and
    /// begun anew.
    private static func replay(
        _ records: [WriteAheadRecord], of bytes: [UInt8], in folder: String, mapSize: Int
    ) throws(LMDBError) {
        guard !records.isEmpty else { return }
        var mapSize = mapSize
        while true {
            let number = attempt(records, of: bytes, in: folder, mapSize: mapSize)
            if number == MDB_SUCCESS { return }
            guard number == MDB_MAP_FULL, mapSize < Int.max / 4 else {
                let isFull = number == EIO && Folder.isFull(folder)
                throw LMDBError(isFull ? ENOSPC : number, "repeat the last commits of", path: folder)
            }
            mapSize *= 2
        }
    }

    /// LMDB's number for how it went.
    private static func attempt(
        _ records: [WriteAheadRecord], of bytes: [UInt8], in folder: String, mapSize: Int
    ) -> Int32 {
        var created: OpaquePointer?
        var number = mdb_env_create(&created)
        guard number == MDB_SUCCESS, let handle = created else { return number }
        defer { mdb_env_close(handle) }
        number = mdb_env_set_mapsize(handle, mapSize)
        if number == MDB_SUCCESS { number = mdb_env_set_maxdbs(handle, 128) }
        if number == MDB_SUCCESS { number = mdb_env_open(handle, folder, UInt32(MDB_NOTLS), 0o600) }
        guard number == MDB_SUCCESS else { return number }
        var transaction: OpaquePointer?
        number = mdb_txn_begin(handle, nil, 0, &transaction)
        guard number == MDB_SUCCESS, let transaction else { return number }
        number = bytes.withUnsafeBytes { bytes in
            var tables: [String: MDB_dbi] = [:]
            for record in records {
                guard let changes = RecordedChange.all(in: UnsafeRawBufferPointer(rebasing: bytes[record.changes]))
                else {
                    return MDB_CORRUPTED
                }
                for change in changes {
                    let number = repeatChange(change, transaction, &tables)
                    if number != MDB_SUCCESS { return number }
                }
            }
            return MDB_SUCCESS
        }
        guard number == MDB_SUCCESS else {
            mdb_txn_abort(transaction)
            return number
        }
        return mdb_txn_commit(transaction)
    }

    private static func repeatChange(
        _ change: RecordedChange, _ transaction: OpaquePointer, _ tables: inout [String: MDB_dbi]
    ) -> Int32 {
        var table = tables[change.table] ?? 0
        if tables[change.table] == nil {
            // They are there: a transaction that makes one is synced by LMDB.
            let number = mdb_dbi_open(transaction, change.table, 0, &table)
            guard number == MDB_SUCCESS else { return number }
            tables[change.table] = table
        }
        var key = MDB_val(change.key)
        guard let bytes = change.value else {
            let number = mdb_del(transaction, table, &key, nil)
            return number == MDB_NOTFOUND ? MDB_CORRUPTED : number
        }
        var value = MDB_val(bytes)
        return mdb_put(transaction, table, &key, &value, 0)
    }
}
