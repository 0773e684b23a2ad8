import Foundation
internal import LMDBLibrary
import Platform

extension StorageError {
    /// Names the error number that LMDB returned from `action` on the environment at `path`: one of its own, or the
    /// system's.
    ///
    /// A full disk cuts a write short, and LMDB reports a short write as a fault of the medium: so the free space in
    /// `folder`, `path` by default, decides.
    init(lmdb number: Int32, _ action: String, path: String, writingIn folder: String? = nil) {
        let number = number == EIO && Folder.isFull(folder ?? path) ? ENOSPC : number
        let code: Code =
            switch number {
            case MDB_CORRUPTED, MDB_INVALID, MDB_VERSION_MISMATCH, MDB_PAGE_NOTFOUND, MDB_CURSOR_FULL, MDB_INCOMPATIBLE:
                .damaged
            case MDB_MAP_FULL, MDB_MAP_RESIZED: .mapFull
            case MDB_READERS_FULL: .readersFull
            case MDB_BAD_VALSIZE: .badKey
            // LMDB panics when it could not write the newest meta page.
            case MDB_PANIC: .inputOutput
            case let number where number >= 0:
                StorageError(number, action, path: path).code
            default: .other
            }
        self.init(code, action, path: path, words: String(cString: mdb_strerror(number)), number: number)
    }
}
