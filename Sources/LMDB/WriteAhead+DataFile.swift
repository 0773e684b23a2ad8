import LMDBFormat
internal import LMDBLibrary
import Platform

/// The data file beside a write-ahead file: how it is synced, and which state of it the next header names.
extension WriteAhead {
    func nextHeader(_ previous: Int) throws(StorageError) -> WriteAheadHeader? {
        // Not by path: the file may have been moved.
        var descriptor: Int32 = -1
        guard mdb_env_get_fd(handle, &descriptor) == MDB_SUCCESS else { return nil }
        let file = DataFile(path: path + "/data.mdb", descriptor: descriptor)
        guard case .success(let pages?) = try file.readMetaPages(), pages.newest.transaction == UInt(previous) else {
            return nil
        }
        // A state without its own nonce cannot be told from others.
        guard lastTransaction == previous, let identity = try SnapshotIdentity(in: file, pages.newest) else {
            return nil
        }
        let bytes = [
            try file.bytes(MetaPage.size, at: 0), try file.bytes(MetaPage.size, at: pages.first.pageSize),
        ]
        return WriteAheadHeader(
            isEnabled: true, generation: try self.file.readState().generation &+ 1, salt: .random(in: 0...(.max)),
            pageSize: pages.first.pageSize, session: MountSession.name(of: descriptor, at: file.path),
            metaPages: bytes, identity: identity)
    }

    func setSyncing(_ isSyncing: Bool) throws(StorageError) {
        let number = mdb_env_set_flags(handle, UInt32(MDB_NOSYNC), isSyncing ? 0 : 1)
        guard number == MDB_SUCCESS else { throw StorageError(lmdb: number, "set up", path: path) }
    }

    func syncDataFile() throws(StorageError) {
        var number = mdb_env_sync(handle, 1)
        if System.syncsLeaveCache {
            var descriptor: Int32 = -1
            if number == MDB_SUCCESS { number = mdb_env_get_fd(handle, &descriptor) }
            if number == MDB_SUCCESS { number = Medium.sync(descriptor) }
        }
        guard number == MDB_SUCCESS else {
            // A medium that failed a sync reports success the second time, and has dropped the data; other processes
            // must not trust it either.
            let error = Self.lost(path, because: String(cString: mdb_strerror(number)), number)
            syncFailure = error
            if var header = try? file.header(), header.isEnabled {
                header.syncFailed = true
                try? file.write(header.bytes, at: 0)
            }
            throw error
        }
    }

    static func lost(_ path: String, because reason: String, _ number: Int32 = 0) -> StorageError {
        StorageError(
            .inputOutput,
            "\(path) could not be synced: \(reason). What was committed is safe; close the store in all programs, check the "
                + "medium, and open it again.", number: number)
    }
}
