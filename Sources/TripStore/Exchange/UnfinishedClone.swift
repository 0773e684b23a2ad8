import EventLog
import Events
import Foundation
import LMDB
import Platform

/// The note that a clone lays into its folder before anything else, and removes once the store holds everything: by it a
/// clone that was cut off, at whatever moment, is told from a store and from a foreign folder.
///
/// Three lines of text: `tripstore clone v1`, the journal or `unknown`, and where it comes from, for people.
struct UnfinishedClone {
    static let fileName = "clone.unfinished"
    private static let title = "tripstore clone v1"

    private let folder: String
    private var path: String { "\(folder)/\(Self.fileName)" }

    init(in folder: URL) { self.folder = folder.path }

    var isThere: Bool { access(path, F_OK) == 0 }

    /// The journal of which it is to be a copy; nil if only an exchange tells.
    var journal: JournalID? { lines.count > 1 ? JournalID(lines[1]) : nil }

    /// Where it comes from, in words; empty if that cannot be read.
    var source: String { lines.count > 2 ? lines[2] : "" }

    /// The same; nil if there is no unfinished clone.
    var presentSource: String? { isThere ? source : nil }

    private var lines: [String] {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.first.map(String.init) == Self.title ? lines.map(String.init) : []
    }

    /// Creates the folder and lays the note into it, durably. Waits.
    func lay(_ journal: JournalID?, from source: String) throws {
        try Folder.create(folder)
        let text = "\(Self.title)\n\(journal.map { "\($0)" } ?? "unknown")\n\(Self.line(source))\n"
        let temporary = "\(folder)/.\(Self.fileName)"
        try NewFile.write(Array(text.utf8), to: temporary)
        guard rename(temporary, path) == 0 else { throw NewFile.failure("create", path) }
        try Folder.sync(folder)
    }

    private static func line(_ source: String) -> String { source.replacing("\n", with: " ") }

    /// The store holds everything that the one has whose words these are. Waits.
    func remove(ifFrom source: String) throws {
        if isThere, self.source == Self.line(source) { try remove() }
    }

    /// The store holds everything. Waits.
    func remove() throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw NewFile.failure("remove", path) }
        try Folder.sync(folder)
    }
}

/// Small files that are there whole or not at all.
enum NewFile {
    /// Writes a file that this user alone may read, in the place of any that is there, and syncs it.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("create", path) }
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        // What is cut short by a full disk sets no error.
        if count >= 0 && count < bytes.count { errno = ENOSPC }
        guard count == bytes.count, fsync(descriptor) == 0 else {
            let error = failure("write", path)
            unlink(path)
            throw error
        }
    }

    /// What the system refused, by `errno`.
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
