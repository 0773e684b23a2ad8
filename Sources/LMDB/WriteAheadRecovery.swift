internal import CLMDB
import Foundation

/// Brings an environment back to its last commit after a power cut or a killed process, by what its write-ahead file holds.
enum WriteAheadRecovery {
    /// Looks after the environment in a folder, which is not open in this process. Answers the locked file, if there is
    /// one: until it is let go of, no other process opens the environment, so that it is to be opened meanwhile.
    ///
    /// Cheap if there is nothing to do. Else O(records), some milliseconds, and it waits for the medium. With `checking` it is
    /// O(size of the data file): everything is looked at first, and where there are faults nothing is done but to answer
    /// them.
    ///
    /// Throws `LMDBError`: `.notPermitted` if it may not write, `.alreadyOpen` if a program has the environment open that did
    /// not do this after the machine started, `.damaged`, `.diskFull`.
    static func run(
        in folder: String, options: Environment.Options, checking: Bool = false
    ) throws(LMDBError) -> (file: WriteAheadFile?, faults: [StructureFault]) {
        let isWriter = !options.readOnly && options.syncsCommits
        while let file = try WriteAheadFile(in: folder, creating: isWriter) {
            try file.lock()
            // Whoever had it before may have put it aside.
            guard file.isCurrent else { continue }
            guard let header = try file.header(), header.isOn else { return (file, []) }
            // Before the lock, for it closes a descriptor of the same file.
            if file.isWritable { try LockFile.setAside(in: folder, readers: options.readerPlaces) }
            guard let exclusive = try lockAlone(folder) else {
                try checkSameBoot(header, folder)
                return (file, [])
            }
            guard file.isWritable else { throw unrepairable(folder) }
            // Whoever had it open until now may have written another.
            guard try file.header() == header else { continue }
            let bytes = try file.records()
            let records = bytes.withUnsafeBytes { WriteAheadRecord.all(in: $0, after: header) }
            guard try isOurs(header, records.count, in: folder) else {
                try file.putAside()
                continue
            }
            if checking {
                let faults = try faults(of: header, in: folder)
                guard faults.isEmpty else { return (file, faults) }
            }
            try restore(header, in: folder)
            try sync(folder + "/data.mdb")
            try DataFile.checkMetaPages(at: folder + "/data.mdb")
            try replay(records, of: bytes, after: header, in: folder, mapSize: options.mapSize)
            try sync(folder + "/data.mdb")
            try file.write(WriteAheadHeader.off(generation: header.generation + 1).bytes, at: 0)
            _ = consume exclusive
            return (file, [])
        }
        return (nil, [])
    }

    private static func lockAlone(_ folder: String) throws(LMDBError) -> ExclusiveLock? {
        do throws(LMDBError) {
            return try ExclusiveLock(in: folder)
        } catch {
            throw error.code == .notPermitted ? unrepairable(folder) : error
        }
    }

    private static func unrepairable(_ folder: String) -> LMDBError {
        LMDBError(
            .notPermitted,
            "\(folder) was not closed, and its last commits lie in '\(WriteAheadFile.name)' there. Open it once as a user who "
                + "may write there, or copy it to where you may.")
    }

    /// Whoever has the environment open keeps what was written in memory, unless the machine was started since: then the
    /// data file may be torn, and they read it as it is.
    private static func checkSameBoot(_ header: WriteAheadHeader, _ folder: String) throws(LMDBError) {
        let isSame = header.boot.isEmpty || BootIdentity.current.isEmpty || header.boot == BootIdentity.current
        guard header.isLost || !isSame else { return }
        throw LMDBError(
            .alreadyOpen,
            "\(folder) was not closed when the machine stopped, or a sync failed, and another program has it open. Close that, "
                + "and open it again: it is repaired by who has it alone.")
    }

    /// Whether a header is of this data file: after all that it can have seen, the newest transaction there is that of the
    /// snapshot or of one of the records.
    private static func isOurs(
        _ header: WriteAheadHeader, _ records: Int, in folder: String
    ) throws(LMDBError) -> Bool {
        let path = folder + "/data.mdb"
        guard FileIdentity(path: path) != nil else { return false }
        let file = try DataFile(path: path)
        let pages: DataFile.MetaPages
        switch try file.readMetaPages() {
        case .success(let found?) where found.first.pageSize == header.pageSize: pages = found
        case .success: return false
        case .failure(let objection):
            // What cannot be read may be ours all the same.
            throw LMDBError(
                .damaged,
                "\(path) cannot be opened: \(objection.words). The file is not intact, and its last commits lie in "
                    + "'\(WriteAheadFile.name)' beside it; restore both from a backup, or the store from a replica.")
        }
        let newest = pages.newest.transaction
        if newest == header.transaction {
            let place = newest == pages.first.transaction ? 0 : 1
            return try file.bytes(MetaPage.size, at: place * header.pageSize) == header.metaPages[place]
        }
        return newest > header.transaction && newest <= header.transaction + UInt(records)
    }

    private static func faults(of header: WriteAheadHeader, in folder: String) throws(LMDBError) -> [StructureFault] {
        let file = try DataFile(path: folder + "/data.mdb")
        let metas = header.metaPages.map { $0.withUnsafeBytes { MetaPage($0) } }
        guard let meta = metas.first(where: { $0.transaction == header.transaction }) else { return [] }
        return try file.faults(of: meta, filePages: UInt(try file.size() / header.pageSize))
    }

    /// Takes the data file back to the snapshot of a header.
    private static func restore(_ header: WriteAheadHeader, in folder: String) throws(LMDBError) {
        let path = folder + "/data.mdb"
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, "open", path: path) }
        defer { close(descriptor) }
        for (number, page) in header.metaPages.enumerated() {
            let written = pwrite(descriptor, page, page.count, off_t(number * header.pageSize))
            guard written == page.count else { throw LMDBError(written < 0 ? errno : EIO, "write to", path: path) }
        }
    }

    private static func sync(_ path: String) throws(LMDBError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, "open", path: path) }
        defer { close(descriptor) }
        let number = Medium.sync(descriptor)
        guard number == 0 else { throw LMDBError(number, "sync", path: path) }
    }

    /// Repeats the records in one transaction: until it is committed the snapshot stays whole, so that this can be cut off and
    /// begun anew.
    private static func replay(
        _ records: [WriteAheadRecord], of bytes: [UInt8], after header: WriteAheadHeader, in folder: String,
        mapSize: Int
    ) throws(LMDBError) {
        guard !records.isEmpty else { return }
        // What is repeated fits for sure; addresses are cheap, and given back.
        let size = try DataFile(path: folder + "/data.mdb").size()
        let number = attempt(records, of: bytes, after: header, in: folder, mapSize: max(mapSize, 2 * size + 1 << 30))
        guard number == MDB_SUCCESS else {
            let isFull = number == EIO && Folder.isFull(folder)
            throw LMDBError(isFull ? ENOSPC : number, "repeat the last commits of", path: folder)
        }
    }

    /// LMDB's number for how it went.
    private static func attempt(
        _ records: [WriteAheadRecord], of bytes: [UInt8], after header: WriteAheadHeader, in folder: String,
        mapSize: Int
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
            // It begins where the records do, and nowhere else.
            guard UInt(mdb_txn_id(transaction)) == header.transaction + 1 else { return MDB_CORRUPTED }
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
