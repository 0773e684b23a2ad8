import EventLog
import Events
import Foundation
import Platform

/// The note that a clone writes into its folder before anything else, and removes when the store holds everything: it
/// distinguishes an interrupted clone from a store and from any other folder.
///
/// Three lines of text: the title, the journal or `unknown`, and the source, for people.
struct UnfinishedClone {
    static let fileName = "clone.unfinished"
    private static let title = "tripstore clone v1"

    private let folder: String
    private var path: String { "\(folder)/\(Self.fileName)" }

    init(in folder: URL) { self.folder = folder.path }

    var isThere: Bool { access(path, F_OK) == 0 }

    /// The journal to copy; nil if only an exchange can tell.
    var journal: JournalID? { lines.count > 1 ? JournalID(lines[1]) : nil }

    /// The source, in words; empty if that cannot be read.
    var source: String { lines.count > 2 ? lines[2] : "" }

    /// The same; nil if there is no unfinished clone.
    var presentSource: String? { isThere ? source : nil }

    private var lines: [String] {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.first.map(String.init) == Self.title ? lines.map(String.init) : []
    }

    /// Creates the folder and writes the note, durably. Blocks.
    func lay(_ journal: JournalID?, from source: String) throws {
        try Folder.create(folder)
        let text = "\(Self.title)\n\(journal.map { "\($0)" } ?? "unknown")\n\(Self.line(source))\n"
        let temporary = "\(folder)/.\(Self.fileName)"
        try NewFile.write(Array(text.utf8), to: temporary)
        guard rename(temporary, path) == 0 else { throw NewFile.failure("create", path) }
        try Folder.sync(folder)
    }

    private static func line(_ source: String) -> String { source.replacing("\n", with: " ") }

    /// Removes the note if it names this source: the store holds everything of it. Blocks.
    func remove(ifFrom source: String) throws {
        if isThere, self.source == Self.line(source) { try remove() }
    }

    /// Removes the note: the store holds everything. Blocks.
    func remove() throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw NewFile.failure("remove", path) }
        try Folder.sync(folder)
    }
}

/// Small files that are written atomically.
enum NewFile {
    /// Writes a file that only this user may read, replacing an existing one, and syncs it.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("create", path) }
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        // A write that a full disk cuts short sets no error.
        if count >= 0 && count < bytes.count { errno = ENOSPC }
        guard count == bytes.count, fsync(descriptor) == 0 else {
            let error = failure("write", path)
            unlink(path)
            throw error
        }
    }

    /// The error for what the system refused, by `errno`.
    static func failure(_ action: String, _ path: String) -> StorageError {
        let number = errno
        let (code, advice): (StorageError.Code, String) =
            switch number {
            case ENOSPC, EDQUOT: (.diskFull, "Free some room and try again.")
            case EACCES, EPERM, EROFS: (.notPermitted, "Check that this user may write there.")
            case ENOENT: (.missing, "Check the path.")
            default: (.inputOutput, "Check the medium.")
            }
        return StorageError(
            code, "Could not \(action) \(path): \(String(cString: strerror(number))). \(advice)", number: number)
    }
}
