import Foundation
internal import LMDBLibrary
import Platform

extension Environment {
    /// A reader found that another process has grown the file beyond the map: remaps to that size, unless another
    /// thread of this process already did.
    func adoptMapSize(unlessChangedSince permit: MapLock.ReadPermit) throws(StorageError) {
        try mapLock.enterWriting()
        defer { mapLock.leaveWriting() }
        guard !mapLock.hasChanged(since: permit.changes) else { return }
        try adoptMapSize()
    }

    /// Remaps to the size that the file uses, plus room to grow. The caller holds the writer turn and has no
    /// transaction.
    ///
    /// The size is not taken from the file's meta page, where damage may have changed it.
    func adoptMapSize() throws(StorageError) {
        let information = try information()
        try resizeMap(from: information.mapSize, toHold: information.usedSize)
    }

    /// Doubles the map, once the readers of this process have left it. The caller holds the writer turn and has no
    /// transaction.
    func growMap() throws(StorageError) {
        let information = try information()
        try resizeMap(from: information.mapSize, toHold: max(information.mapSize, information.usedSize))
    }

    private func resizeMap(from old: Int, toHold used: Int) throws(StorageError) {
        var size = max(old, pageSize)
        while size <= used && size <= Int.max / 4 { size *= 2 }
        try setMap(size, from: old, toHold: used)
    }

    private func setMap(_ size: Int, from old: Int, toHold used: Int) throws(StorageError) {
        guard size > used, AddressSpace.holds(size) else {
            throw StorageError(
                .mapFull,
                "The map of \(path) has \(old) bytes and cannot grow: there are not \(size) bytes of address space "
                    + "left. Raise the limit of this process ('ulimit -v'), close other stores, or use a system with more "
                    + "address space.")
        }
        // LMDB unmaps the old map before it requests the new one, and cannot go on if the request fails; so tested first.
        try mapLock.changeMap {
            let number = mdb_env_set_mapsize(handle, size)
            guard number != MDB_SUCCESS else { return nil }
            return StorageError(
                .mapFull,
                "The map of \(path) was lost while it grew from \(old) to \(size) bytes: "
                    + "\(String(cString: mdb_strerror(number))). What was committed is safe; close the store and open "
                    + "it again.", number: number)
        }
    }
}
