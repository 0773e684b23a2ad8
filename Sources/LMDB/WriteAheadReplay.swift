import Foundation
import LMDBFormat
internal import LMDBLibrary
import Platform

/// Repeats the frames of a write-ahead file in one transaction: until it commits, the snapshot stays intact, so that
/// this can be cut off and repeated.
struct WriteAheadReplay {
    let folder: String
    /// The snapshot's transaction: the frames follow on it.
    let transaction: UInt

    /// Initial address space beyond the file; each repeated change fills at most a few pages.
    private static let smallestRoom = 16 << 20
    /// The frames are one megabyte: if this is not enough, something else is wrong.
    private static let largestRoom = 16 << 30

    /// Throws `StorageError`.
    func run(_ frames: [WriteAheadFrame], of bytes: [UInt8]) throws(StorageError) {
        guard !frames.isEmpty else { return }
        let size = try DataFile(path: folder + "/data.mdb").size()
        var room = Self.smallestRoom
        var number = attempt(frames, of: bytes, mapSize: size + room)
        while number == MDB_MAP_FULL, room < Self.largestRoom {
            room *= 4
            number = attempt(frames, of: bytes, mapSize: size + room)
        }
        guard number == MDB_SUCCESS else {
            throw StorageError(lmdb: number, "repeat the last commits of", path: folder)
        }
    }

    /// Returns LMDB's number.
    private func attempt(_ frames: [WriteAheadFrame], of bytes: [UInt8], mapSize: Int) -> Int32 {
        var created: OpaquePointer?
        var number = mdb_env_create(&created)
        guard number == MDB_SUCCESS, let handle = created else { return number }
        defer { mdb_env_close(handle) }
        number = mdb_env_set_mapsize(handle, mapSize)
        if number == MDB_SUCCESS { number = mdb_env_set_maxdbs(handle, 128) }
        if number == MDB_SUCCESS { number = mdb_env_open(handle, folder, UInt32(MDB_NOTLS), 0o600) }
        guard number == MDB_SUCCESS else { return number }
        var begun: OpaquePointer?
        number = mdb_txn_begin(handle, nil, 0, &begun)
        guard number == MDB_SUCCESS, let begun else { return number }
        number = bytes.withUnsafeBytes { repeatAll(frames, of: $0, begun) }
        guard number == MDB_SUCCESS else {
            mdb_txn_abort(begun)
            return number
        }
        return mdb_txn_commit(begun)
    }

    private func repeatAll(
        _ frames: [WriteAheadFrame], of bytes: UnsafeRawBufferPointer, _ transaction: OpaquePointer
    ) -> Int32 {
        // Frames may be repeated only on the state that they follow.
        guard UInt(mdb_txn_id(transaction)) == self.transaction + 1 else { return MDB_CORRUPTED }
        var tables: [String: MDB_dbi] = [:]
        for frame in frames {
            guard let changes = RecordedChange.all(in: UnsafeRawBufferPointer(rebasing: bytes[frame.changes])) else {
                return MDB_CORRUPTED
            }
            for change in changes {
                let number = repeatChange(change, transaction, &tables)
                if number != MDB_SUCCESS { return number }
            }
        }
        return MDB_SUCCESS
    }

    private func repeatChange(
        _ change: RecordedChange, _ transaction: OpaquePointer, _ tables: inout [String: MDB_dbi]
    ) -> Int32 {
        var table = tables[change.table] ?? 0
        if tables[change.table] == nil {
            // The tables exist: a transaction that makes one is synced by LMDB.
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
