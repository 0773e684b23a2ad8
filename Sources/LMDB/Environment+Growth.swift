internal import CLMDB
import Foundation
import Platform
import Synchronization

extension Environment {
    /// A reader found that another process has grown the file beyond the map: maps as much, unless another thread of
    /// this process did so meanwhile.
    func adoptMapSize(unlessChangedSince admission: MapGate.Admission) throws(StorageError) {
        try gate.enterWriting()
        defer { gate.leaveWriting() }
        guard !gate.hasChanged(since: admission.changes) else { return }
        try adoptMapSize()
    }

    /// Maps as much as the file now uses, and room to grow. The caller has the writers' turn and no transaction.
    ///
    /// The size that the file names is not asked for: it is one more number that damage may have changed.
    func adoptMapSize() throws(StorageError) {
        let information = try information()
        if writesInPlace { return try resizeFile(toHold: information.usedSize) }
        try resizeMap(from: information.mapSize, toHold: information.usedSize)
    }

    /// Doubles the map, once the readers of this process have left it; where pages are written in place, it grows by a
    /// step instead. The caller has the writers' turn and no transaction.
    ///
    /// `attempt` counts how often it has grown for the same transaction.
    func growMap(attempt: Int = 0) throws(StorageError) {
        let information = try information()
        if writesInPlace { return try resizeFile(toHold: information.mapSize, attempt: attempt) }
        try resizeMap(from: information.mapSize, toHold: max(information.mapSize, information.usedSize))
    }

    private func resizeMap(from old: Int, toHold used: Int) throws(StorageError) {
        var size = max(old, pageSize)
        while size <= used && size <= Int.max / 4 { size *= 2 }
        try setMap(size, from: old, toHold: used)
    }

    /// Has the medium set aside what is to be written in place next, and maps it.
    private func resizeFile(
        toHold used: Int, attempt: Int = 0, patience: Double? = nil
    ) throws(StorageError) {
        let patience = patience ?? growthPatience.withLock { $0 }
        let old = try information().mapSize
        let file = try InPlaceFile(at: path + "/data.mdb")
        let present = try file.size()
        // What another process has added is enough, or the next attempt adds more.
        let size =
            present > used && present > old
            ? InPlaceFile.rounded(present) : InPlaceFile.size(toHold: max(used, present), attempt: attempt)
        try file.allocate(upTo: size)
        try setMap(size, from: old, toHold: used, patience: patience)
    }

    /// Grows a file that is written in place before it must: as long as nobody reads, so that nobody waits. The caller has
    /// the writers' turn and no transaction.
    func growAhead() {
        guard let information = try? information() else { return }
        let used = information.usedSize
        // What the last transaction took, the next may take as well: else it would have to begin anew.
        let taken = usedBefore == 0 ? 0 : max(0, used - usedBefore)
        usedBefore = used
        let room = information.mapSize - used
        guard room < max(taken, (InPlaceFile.size(toHold: used) - used) / 2) else { return }
        // If it cannot grow now, it does when it must, and says what is wrong then.
        try? resizeFile(toHold: max(information.mapSize, used + 4 * taken), patience: 0)
    }

    private func setMap(
        _ size: Int, from old: Int, toHold used: Int, patience: Double? = nil
    ) throws(StorageError) {
        guard size > used, Self.canReserve(size) else {
            throw StorageError(
                .mapFull,
                "The map of \(path) has \(old) bytes and cannot grow: there are not \(size) bytes of address space "
                    + "left. Close other stores, or use a system with more address space.")
        }
        let hasChanged = try gate.changeMap(patience: patience) {
            let number = mdb_env_set_mapsize(handle, size)
            guard number != MDB_SUCCESS else { return nil }
            return StorageError(
                .mapFull,
                "The map of \(path) was lost while it grew from \(old) to \(size) bytes: "
                    + "\(String(cString: mdb_strerror(number))). What was committed is safe; close the store and open "
                    + "it again.", number: number)
        }
        guard hasChanged else {
            throw StorageError(
                .mapFull,
                "The map of \(path) has \(old) bytes and could not grow, for it was read all the time. Keep reads short."
            )
        }
    }

    /// Whether so much address space is left. LMDB gives up the old map before it asks for the new one, and cannot go
    /// on if it is denied; so the question is put before.
    private static func canReserve(_ size: Int) -> Bool {
        #if canImport(Darwin)
            let flags = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
        #else
            let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        #endif
        guard let place = mmap(nil, size, PROT_NONE, flags, -1, 0), place != MAP_FAILED else { return false }
        munmap(place, size)
        return true
    }
}
