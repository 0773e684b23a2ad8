import Foundation

/// The locks of this process on the files in a folder, as the system and LMDB's lock files show it.
package struct HeldByProcess: Equatable, CustomStringConvertible {
    /// The names of files with a lock of this process's, of either kind.
    package var locked: Set<String> = []
    /// Slots of readers with this process's number.
    package var readers = 0
    /// Files that show others that this process has an environment open.
    package var presences = 0

    package static let nothing = HeldByProcess()
    /// Whether the system shows who has locks.
    package static let isShown = FileManager.default.fileExists(atPath: "/proc/locks")

    private init() {}

    package init(in folder: String) throws {
        let own = Set(
            try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").compactMap {
                line -> UInt64? in
                // Number, kind, advisory, access, process, device:inode, range.
                let words = line.split(separator: " ")
                guard words.count > 5, words[4] == "\(getpid())" else { return nil }
                return words[5].split(separator: ":").last.flatMap { UInt64($0) }
            })
        // Unlike a list of them, it goes on where a folder is removed meanwhile.
        let names = FileManager.default.enumerator(atPath: folder)
        while let name = names?.nextObject() as? String {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            if own.contains(UInt64(status.st_ino)) { locked.insert(name) }
            let last = (name as NSString).lastPathComponent
            if last.hasPrefix("open-\(getpid())-") { presences += 1 }
            if last == "lock.mdb", let bytes = FileManager.default.contents(atPath: path) {
                readers += Self.slots(in: bytes)
            }
        }
    }

    /// LMDB's lock file has two cache lines, and then one for each reader: transaction, process, thread.
    private static func slots(in bytes: Data) -> Int {
        bytes.withUnsafeBytes { bytes in
            stride(from: 128, to: bytes.count - 63, by: 64)
                .count { bytes.loadUnaligned(fromByteOffset: $0 + 8, as: Int32.self) == getpid() }
        }
    }

    package var description: String {
        "locks on \(locked.sorted()), \(readers) slots of readers, \(presences) files of presence"
    }
}
