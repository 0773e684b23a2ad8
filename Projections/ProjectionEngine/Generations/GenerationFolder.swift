import Foundation
import LMDB
import Platform

/// The folder of a generation: its files, and its users.
///
/// A process that has the generation open holds a shared lock on the file `in-use`; one that checks, closes or removes
/// it, the exclusive lock.
final class GenerationFolder: Sendable {
    let path: String
    private let use: FileLock?

    var name: String { URL(fileURLWithPath: path).lastPathComponent }
    var dataPath: String { path + "/data.mdb" }
    private var markPath: String { path + "/boot" }

    /// How often a folder is created again that another process removes before it is in use.
    private static let mostAttempts = 100

    /// Takes over a locked descriptor of `in-use`; -1 where that file cannot be opened.
    init(path: String, lockDescriptor: Int32) {
        self.path = path
        use = lockDescriptor < 0 ? nil : FileLock(lockDescriptor, at: path + "/in-use", LOCK_SH)
    }

    /// Creates the folder and joins its users, which keeps other processes from removing it. Waits for a removal in
    /// progress.
    convenience init(creating path: String) throws {
        for attempt in 1... {
            try Folder.create(path)
            // Another process that cleans up could take an unused folder for a left-over one, and remove it in its
            // turn.
            let turn = Self.takeTurn(path)
            defer { if let turn { close(turn) } }
            let file = path + "/in-use"
            let descriptor = Foundation.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            let number = errno
            guard descriptor >= 0 else {
                if number == ENOENT, attempt < Self.mostAttempts { continue }
                throw ProjectionError(
                    .failed,
                    "The folder \(path) could not be made: \(String(cString: strerror(number))). Check its permissions."
                )
            }
            FileLock.lock(descriptor, LOCK_SH)
            guard FileIdentity.isOpenFile(descriptor, at: file) || attempt >= Self.mostAttempts else {
                // It was removed during the wait.
                close(descriptor)
                continue
            }
            self.init(path: path, lockDescriptor: descriptor)
            return
        }
        throw ProjectionError(.failed, "The folder \(path) could not be made.")
    }

    /// Locks the folder itself, which inspecting processes do one at a time: so a process that finds `in-use` locked
    /// knows that a user of the views holds it, or closes them, and not another inspector. Nil if it does not exist or,
    /// with `LOCK_NB`, another process holds it. The caller closes the descriptor.
    static func takeTurn(_ path: String, _ options: Int32 = 0) -> Int32? {
        let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        if FileLock.lock(descriptor, LOCK_EX | options) { return descriptor }
        close(descriptor)
        return nil
    }

    /// Removes the folder of a generation unless it is in use; returns whether it did.
    @discardableResult
    static func removeIfUnused(_ path: String) -> Bool {
        let turn = takeTurn(path, LOCK_NB)
        defer { if let turn { close(turn) } }
        guard turn != nil else { return false }
        let descriptor = Foundation.open(path + "/in-use", O_RDWR | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor < 0 || FileLock.lock(descriptor, LOCK_EX | LOCK_NB) else { return false }
        return (try? FileManager.default.removeItem(atPath: path)) != nil
    }

    /// Removes every generation in a folder but one, unless it is in use; returns whether no other is left, also after a
    /// power cut. Blocks.
    static func removeAll(in folder: String, but serving: String? = nil) -> Bool {
        guard FileManager.default.fileExists(atPath: folder) else { return true }
        var isDone = true
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name != serving {
            let path = "\(folder)/\(name)"
            // Other groups have their folders here.
            let isGeneration = ["/in-use", "/data.mdb"].contains { FileManager.default.fileExists(atPath: path + $0) }
            if isGeneration, !removeIfUnused(path), state(of: path).isThere { isDone = false }
        }
        return isDone && (try? Folder.sync(folder)) != nil
    }

    /// Whether a path is there, and whether nothing is in it.
    static func state(of path: String) -> (isThere: Bool, isEmpty: Bool) {
        guard FileManager.default.fileExists(atPath: path) else { return (false, true) }
        return (true, (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true)
    }

    /// Removes the contents of a folder that was empty before a generation was made in it, and on request the folder.
    static func empty(_ path: String, removingFolder: Bool) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
        if removingFolder { rmdir(path) }
    }

    /// Days after which unopened views of another version are removed.
    private static let daysKept = 30.0

    /// Whether a path is a generation that was not written or opened for a long time.
    static func isForgotten(_ path: String) -> Bool {
        let newest = ["/boot", "/data.mdb", "/lock.mdb"].compactMap { file in
            try? FileManager.default.attributesOfItem(atPath: path + file)[.modificationDate] as? Date
        }.max()
        guard let newest else { return false }
        return newest.timeIntervalSinceNow < -daysKept * 86_400
    }

    // MARK: The mark

    /// The last mark; nil if it cannot be read.
    var mark: GenerationMark? { GenerationMark(path: markPath) }

    /// Marks, durably, that unsynced writes follow.
    func markOpen() throws { try write(.now(at: path, isClean: false, stamp: nil)) }

    /// Marks the data file's structure as checked in its present state. Only while no other process uses the folder.
    func markChecked(_ stamp: FileVersion) throws { try write(.now(at: path, isClean: false, stamp: stamp)) }

    /// Marks that everything is on the medium, unless another process may be writing; call it after a sync.
    func markCleanIfAlone() throws {
        guard let use else { return }
        // A refused exclusive lock may lose the shared one in the attempt.
        defer { use.lock(LOCK_SH) }
        guard use.lock(LOCK_EX | LOCK_NB), let stamp = FileVersion(path: dataPath) else { return }
        try write(.now(at: path, isClean: true, stamp: stamp))
    }

    /// Makes the next process that opens the views rebuild them.
    func removeMark() { unlink(markPath) }

    private func write(_ mark: GenerationMark) throws {
        let text = Array(mark.text.utf8)
        let temporary = markPath + ".new"
        let descriptor = Foundation.open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let isWritten =
            descriptor >= 0
            && text.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) } == text.count
            && fsync(descriptor) == 0
        let number = errno
        if descriptor >= 0 { close(descriptor) }
        guard isWritten, rename(temporary, markPath) == 0 else {
            // A write that was cut short sets no error number.
            throw StorageError(number == 0 ? ENOSPC : number, "write", path: markPath)
        }
        try Folder.sync(path)
    }
}
