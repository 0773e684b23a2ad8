import Foundation
internal import LMDBLibrary
import Platform

extension Environment {
    /// Writes everything committed so far to a new file, as a data file without free pages, and syncs it. The file's
    /// folder is not synced. Blocks; other threads and processes may write meanwhile.
    ///
    /// The copy is one snapshot, as a reader sees it, including commits that are so far synced only in the write-ahead
    /// file. Its pages are kept until the copy is complete, and the map does not grow meanwhile. If it fails, the file
    /// is removed.
    ///
    /// Throws `StorageError`: `.diskFull`, `.notPermitted`, `.inputOutput`, `.damaged`.
    public func copy(to file: String) throws {
        let descriptor = Foundation.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw copyFailure(errno, file) }
        defer { close(descriptor) }
        do {
            System.bypassCache(descriptor)
            try copy(into: descriptor, file)
            let number = Medium.sync(descriptor)
            guard number == 0 else { throw copyFailure(number, file) }
            System.dropCache(descriptor)
        } catch {
            unlink(file)
            throw error
        }
    }

    private func copy(into descriptor: Int32, _ file: String) throws {
        var flags = UInt32(MDB_CP_COMPACT)
        var hasClearedReaders = false
        while true {
            // As a reader, so that the map stays in place. LMDB begins a transaction of its own for the copy.
            let number = try reading { _ in mdb_env_copyfd2(handle, descriptor, flags) }
            switch number {
            case MDB_SUCCESS: return
            // Another process has grown the file in between: the next reader adopts that.
            case MDB_MAP_RESIZED: break
            case MDB_READERS_FULL where !hasClearedReaders:
                hasClearedReaders = true
                try clearStaleReaders()
            // Pages that neither a table nor the free list names stop LMDB from compacting. They do no harm.
            case MDB_INCOMPATIBLE where flags != 0: flags = 0
            default: throw copyFailure(number, file)
            }
            guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
                throw copyFailure(errno, file)
            }
        }
    }

    private func copyFailure(_ number: Int32, _ file: String) -> StorageError {
        StorageError(
            lmdb: number, "copy \(path) to", path: file, writingIn: (file as NSString).deletingLastPathComponent)
    }
}
