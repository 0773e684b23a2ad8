import Foundation
import LMDB
import LMDBFormat
import Platform

/// Checks the structure of a log's data file before LMDB reads it: LMDB trusts every number in its file, and a wrong
/// one ends the process.
///
/// The file `checked` beside it records size, date and inode of the data file when it was last checked or closed. While
/// they are unchanged, the check is skipped.
enum LogStructure {
    private static let name = "checked"

    /// O(size of the log) if the data file changed since: after a kill, a power cut, or a change by another program.
    /// Blocks.
    ///
    /// Throws `StorageError.damaged` if reading it could end the process.
    static func check(at folder: String) throws {
        guard let stamp = FileVersion(path: folder + "/data.mdb"), stamp != noted(at: folder) else { return }
        // A process that has it open has checked it, and a missing file needs no check.
        guard try !Environment.isOpen(at: folder), try !Environment.isToBeMade(at: folder) else { return }
        let faults = try Environment.checkStructure(at: folder).filter(\.isDangerous)
        guard let first = faults.first else { return note(at: folder) }
        throw StorageError(
            .damaged,
            "The log at \(folder) is not intact: \(first)"
                + (faults.count == 1 ? "" : " (and \(faults.count - 1) more)")
                + ". Restore it from a backup or a replica; verification names every fault.")
    }

    /// Records that the data file is intact as it is now. After a failure the next opening checks again.
    static func note(at folder: String) {
        guard let stamp = FileVersion(path: folder + "/data.mdb") else { return }
        try? Data("\(stamp.size) \(stamp.modified) \(stamp.inode)\n".utf8)
            .write(to: URL(fileURLWithPath: "\(folder)/\(name)"), options: .atomic)
    }

    private static func noted(at folder: String) -> FileVersion? {
        guard let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) else { return nil }
        let words = text.split { $0 == " " || $0 == "\n" }
        guard words.count == 3, let size = Int64(words[0]), let modified = Int64(words[1]), let inode = UInt64(words[2])
        else { return nil }
        return FileVersion(size: size, modified: modified, inode: inode)
    }
}
