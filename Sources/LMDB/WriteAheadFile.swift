internal import CPlatform
import Foundation
import LMDBFormat
import Platform

/// The file `wal` of an environment: small commits go there first, in one write that is synced, and reach the data file
/// without waiting for the medium. See `WriteAhead` for why nothing is lost.
///
/// A block with a `WriteAheadHeader`, and frames, each from the start of a block, so that no acknowledged one is written again.
/// Format: <doc:WriteAheadFile>.
///
/// Who writes to it has LMDB's lock for writers, or opens the environment while nobody has it open.
final class WriteAheadFile {
    static let name = "wal"
    /// Bytes of the file. With a block for each, 255 small commits, and some milliseconds to repeat them.
    static let size = 1 << 20
    static let frameHead = 32

    let path: String
    private let folder: String
    let isWritable: Bool
    private let descriptor: Int32
    /// For tests: the number of the error that writes report after they wrote; 0 for none. It belongs to who writes.
    var fault: Int32 = 0

    /// Opens the file of an environment's folder, creating it if asked to; nil if there is none, also for lack of permission
    /// to create it.
    init?(in folder: String, creating: Bool) throws(StorageError) {
        path = folder + "/" + Self.name
        self.folder = folder
        #if os(Linux)
            let flags = O_RDWR | O_CLOEXEC | O_DSYNC
        #else
            let flags = O_RDWR | O_CLOEXEC
        #endif
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
            // Who may write to the data file may write here, whoever creates it.
            _ = tripstore_share_like(descriptor, folder + "/data.mdb")
            try Folder.sync(folder)
        }
    }

    static func isThere(in folder: String) -> Bool { access(folder + "/" + name, F_OK) == 0 }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Why a file is put aside: the end of its new name.
    enum Reason: String {
        /// It belongs to another data file, or to another state of this one.
        case other
        /// A frame of it cannot be read.
        case unreadable
    }

    /// Puts the file out of the way, in the place of one that was put aside for the same reason before.
    func putAside(_ reason: Reason) throws(StorageError) {
        guard rename(path, "\(path).\(reason.rawValue)") == 0 else { throw StorageError(errno, "rename", path: path) }
        try Folder.sync(folder)
    }

    /// Keeps a copy of a file of which frames cannot be read, for this one is written to again.
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

    /// What the header says, unchecked: for those who know that it is whole, for they have LMDB's lock.
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

    /// The header, or nil if there is no whole one.
    func header() throws(StorageError) -> WriteAheadHeader? {
        try WriteAheadHeader(
            try DataFile(path: path, descriptor: descriptor).bytes(WriteAheadHeader.block, at: 0), path: path)
    }

    /// Everything after the header.
    func frames() throws(StorageError) -> [UInt8] {
        let file = DataFile(path: path, descriptor: descriptor)
        return try file.bytes(max(0, try file.size() - WriteAheadHeader.block), at: WriteAheadHeader.block)
    }

    /// Whether the medium has so much room that this file takes none from what is more important.
    var hasRoom: Bool {
        (try? DataFile(path: path, descriptor: descriptor).size()) ?? 0 >= Self.size
            || Folder.room(folder) >= 16 * UInt64(Self.size)
    }

    /// Writes zeros up to the file's full size, unless it has that: what overwrites syncs quicker than what extends.
    ///
    /// Throws `StorageError`, `.diskFull` among others.
    func makeWhole() throws(StorageError) {
        let present = try DataFile(path: path, descriptor: descriptor).size()
        guard present < Self.size else { return }
        let start = present / WriteAheadHeader.block * WriteAheadHeader.block
        // What is there of the header stays.
        let from = max(start, WriteAheadHeader.block)
        // Whoever made the file may have been killed before its name was durable. A file that has its size has its name.
        try Folder.sync(folder)
        do throws(StorageError) {
            try write([UInt8](repeating: 0, count: Self.size - from), at: from)
        } catch {
            ftruncate(descriptor, off_t(present))
            throw error
        }
    }

    /// Writes and waits until the medium has it.
    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
        try FileSystem.write(bytes, at: offset, to: descriptor, path)
        guard fault == 0 else { throw StorageError(fault, "write to", path: path) }
        #if canImport(Darwin)
            let number = Medium.sync(descriptor)
            guard number == 0 else { throw StorageError(number, "sync", path: path) }
        #endif
    }
}
