internal import CPlatform
import Foundation
import LMDBFormat
import Platform

/// The file `wal` of an environment: small commits go there first, in one synced write, and reach the data file without
/// waiting for the medium. For why nothing is lost, see `WriteAhead`.
///
/// A block with a `WriteAheadHeader`, and frames, each from the start of a block, so that no acknowledged one is
/// rewritten. Format: <doc:WriteAheadFile>.
///
/// A thread that writes to it holds LMDB's writer lock, or opens the environment while no process has it open.
final class WriteAheadFile {
    static let name = "wal"
    /// Bytes of the file. With a block each, 255 small commits, which recovery repeats in some milliseconds.
    static let size = 1 << 20
    static let frameHead = 32

    let path: String
    private let folder: String
    let isWritable: Bool
    private let descriptor: Int32
    /// For tests: the error number that writes report after writing; 0 for none. Belongs to the writing thread.
    var fault: Int32 = 0

    /// Opens the file in an environment's folder, and creates it if `creating`; nil if there is none, also for lack of
    /// permission to create it.
    init?(in folder: String, creating: Bool) throws(StorageError) {
        path = folder + "/" + Self.name
        self.folder = folder
        let flags = O_RDWR | O_CLOEXEC | System.synchronousWrites
        func isDenied(_ number: Int32) -> Bool { number == EACCES || number == EPERM || number == EROFS }
        var descriptor = Foundation.open(path, flags)
        var isNew = false
        if descriptor < 0, errno == ENOENT, creating {
            descriptor = Foundation.open(path, flags | O_CREAT, 0o600)
            isNew = descriptor >= 0
            if descriptor < 0, isDenied(errno) { return nil }
        }
        isWritable = descriptor >= 0
        if descriptor < 0, isDenied(errno), !creating { descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC) }
        self.descriptor = descriptor
        if descriptor < 0 {
            if errno == ENOENT, !creating { return nil }
            throw StorageError(errno, "open", path: path)
        }
        if isNew {
            // Every user that may write to the data file may write here, whichever user created it.
            _ = tripstore_share_like(descriptor, folder + "/data.mdb")
            try Folder.sync(folder)
        }
    }

    static func isThere(in folder: String) -> Bool { access(folder + "/" + name, F_OK) == 0 }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Why a file is put aside: the suffix of its new name.
    enum Reason: String {
        /// It belongs to another data file, or to another state of this one.
        case other
        /// One of its frames cannot be read.
        case unreadable
    }

    /// Renames the file out of the way, over one that was put aside before for the same reason.
    func putAside(_ reason: Reason) throws(StorageError) {
        guard rename(path, "\(path).\(reason.rawValue)") == 0 else { throw StorageError(errno, "rename", path: path) }
        try Folder.sync(folder)
    }

    /// Keeps a copy of a file with unreadable frames, because this file is written to again.
    func keepUnreadable() throws(StorageError) {
        let kept = "\(path).\(Reason.unreadable.rawValue)"
        let temporary = kept + ".new"
        unlink(temporary)
        try Folder.copyFile(path, to: temporary, syncs: true)
        guard rename(temporary, kept) == 0 else { throw StorageError(errno, "rename", path: temporary) }
        try Folder.sync(folder)
    }

    /// Whether anything was ever written to it.
    var hasContents: Bool {
        get throws(StorageError) {
            let file = DataFile(path: path, descriptor: descriptor)
            return try file.bytes(file.size(), at: 0).contains { $0 != 0 }
        }
    }

    var isHeaderZero: Bool {
        get throws(StorageError) {
            try DataFile(path: path, descriptor: descriptor).bytes(WriteAheadHeader.block, at: 0).allSatisfy { $0 == 0 }
        }
    }

    /// The state in the header, unchecked: a holder of LMDB's writer lock knows that the header is intact.
    func readState() throws(StorageError) -> WriteAheadHeader.State {
        let state: WriteAheadHeader.State? = withUnsafeTemporaryAllocation(
            byteCount: WriteAheadHeader.stateSize, alignment: 8
        ) { buffer in
            while true {
                let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
                if count >= 0 { return .init(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                if errno != EINTR { return nil }
            }
        }
        guard let state else { throw StorageError(errno, "read", path: path) }
        return state
    }

    /// The header, or nil if there is no intact one.
    func header() throws(StorageError) -> WriteAheadHeader? {
        try WriteAheadHeader(
            try DataFile(path: path, descriptor: descriptor).bytes(WriteAheadHeader.block, at: 0), path: path)
    }

    /// Everything after the header.
    func frames() throws(StorageError) -> [UInt8] {
        let file = DataFile(path: path, descriptor: descriptor)
        return try file.bytes(max(0, try file.size() - WriteAheadHeader.block), at: WriteAheadHeader.block)
    }

    /// Whether the medium has so much free space that this file takes none from more important data.
    var hasRoom: Bool {
        (try? DataFile(path: path, descriptor: descriptor).size()) ?? 0 >= Self.size
            || Folder.room(folder) >= 16 * UInt64(Self.size)
    }

    /// Fills the file with zeros up to its full size, unless it has that: overwriting syncs faster than extending.
    ///
    /// Throws `StorageError`, `.diskFull` among others.
    func makeWhole() throws(StorageError) {
        let present = try DataFile(path: path, descriptor: descriptor).size()
        guard present < Self.size else { return }
        let start = present / WriteAheadHeader.block * WriteAheadHeader.block
        // Keeps an existing header.
        let from = max(start, WriteAheadHeader.block)
        // The process that made the file may have been killed before its name was durable. A file of full size has a
        // durable name.
        try Folder.sync(folder)
        do throws(StorageError) {
            try write([UInt8](repeating: 0, count: Self.size - from), at: from)
        } catch {
            ftruncate(descriptor, off_t(present))
            throw error
        }
    }

    /// Overwrites everything after the header with zeros. Only while nothing there is to be repeated.
    func clear() throws(StorageError) {
        let size = try DataFile(path: path, descriptor: descriptor).size()
        guard size > WriteAheadHeader.block else { return }
        try write([UInt8](repeating: 0, count: size - WriteAheadHeader.block), at: WriteAheadHeader.block)
    }

    /// Writes and waits until the medium has it.
    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
        try FileSystem.write(bytes, at: offset, to: descriptor, path)
        guard fault == 0 else { throw StorageError(fault, "write to", path: path) }
        if System.synchronousWrites == 0 {
            let number = Medium.sync(descriptor)
            guard number == 0 else { throw StorageError(number, "sync", path: path) }
        }
    }
}
