import Foundation
import LMDB

/// The folder of a generation: its files, who uses it, and whether a power cut may have torn it.
///
/// `@unchecked Sendable`: `lockDescriptor` is set in the initialiser and closed in `deinit`; nothing else changes.
final class GenerationFolder: @unchecked Sendable {
    let path: String
    private let lockDescriptor: Int32

    var name: String { URL(fileURLWithPath: path).lastPathComponent }

    /// How often a folder is made that somebody else removes before it is in use.
    private static let mostAttempts = 100

    /// Takes part in the use of the folder, which keeps others from removing it. Creates it if asked.
    init(path: String, create: Bool) throws {
        self.path = path
        var attempts = 0
        while true {
            if create { try Folder.create(path) }
            let file = path + "/in-use"
            let descriptor = Foundation.open(file, create ? O_RDWR | O_CREAT : O_RDONLY, 0o600)
            let number = errno
            attempts += 1
            guard descriptor >= 0 || !create else {
                // Who cleans up beside us takes a folder that nobody uses yet for one that was left behind.
                if number == ENOENT, attempts < Self.mostAttempts { continue }
                throw ProjectionError(
                    .failed,
                    "The folder \(path) could not be made: \(String(cString: strerror(number))). Check its permissions."
                )
            }
            // Waits only for one who is removing the folder, or marking it clean, this moment.
            if descriptor >= 0 { flock(descriptor, LOCK_SH) }
            guard create, !FileIdentity.isOpenFile(descriptor, at: file), attempts < Self.mostAttempts else {
                lockDescriptor = descriptor
                return
            }
            // It was removed while we waited.
            close(descriptor)
        }
    }

    deinit { if lockDescriptor >= 0 { close(lockDescriptor) } }

    /// Removes the folder of a generation unless somebody uses it; answers whether it did.
    @discardableResult
    static func removeIfUnused(_ path: String) -> Bool {
        let descriptor = Foundation.open(path + "/in-use", O_RDWR)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        return (try? FileManager.default.removeItem(atPath: path)) != nil
    }

    /// Days after which the views of another version, which nobody opened since, are not kept any longer.
    private static let daysKept = 30.0

    /// Whether a path is a generation that was not written or opened for long.
    static func isForgotten(_ path: String) -> Bool {
        let newest = ["/boot", "/data.mdb", "/lock.mdb"].compactMap { file in
            try? FileManager.default.attributesOfItem(atPath: path + file)[.modificationDate] as? Date
        }.max()
        guard let newest else { return false }
        return newest.timeIntervalSinceNow < -daysKept * 86_400
    }

    // MARK: The mark of the boot

    private var markPath: String { path + "/boot" }

    /// Whether every write to the folder is sure to be in its files: they were written since the machine started, or
    /// the last to write synced them.
    var isIntact: Bool {
        guard let text = try? String(contentsOfFile: markPath, encoding: .utf8) else { return false }
        let lines = text.split(separator: "\n")
        guard lines.count == 2 else { return false }
        return lines[1] == "clean" || (lines[0] == BootIdentity.current && !BootIdentity.current.isEmpty)
    }

    /// Notes, durably, that writes follow which are not synced.
    func markOpen() throws { try mark("open") }

    /// Notes that everything is on the medium, unless somebody else may be writing; to be called after a sync.
    func markCleanIfAlone() throws {
        guard flock(lockDescriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        defer { flock(lockDescriptor, LOCK_SH) }
        try mark("clean")
    }

    private func mark(_ word: String) throws {
        let text = Array("\(BootIdentity.current)\n\(word)\n".utf8)
        let temporary = markPath + ".new"
        let descriptor = Foundation.open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let isWritten =
            descriptor >= 0 && text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == text.count
            && fsync(descriptor) == 0
        let number = errno
        if descriptor >= 0 { close(descriptor) }
        guard isWritten, rename(temporary, markPath) == 0 else {
            throw ProjectionError(
                .failed,
                "\(markPath) could not be written: \(String(cString: strerror(number))). "
                    + "Check permissions and room on the disk.")
        }
        try Folder.sync(path)
    }
}
