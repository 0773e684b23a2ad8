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
    /// Whether the system shows the locks behind a descriptor.
    package static let isShown = FileManager.default.fileExists(atPath: "/proc/self/fdinfo")

    private init() {}

    package init(in folder: String) throws {
        let descriptors = try Self.descriptors()
        // Unlike a list of them, it goes on where a folder is removed meanwhile.
        let names = FileManager.default.enumerator(atPath: folder)
        while let name = names?.nextObject() as? String {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            let open = descriptors[FileNumber(status)] ?? []
            if open.contains(where: Self.isLocked) { locked.insert(name) }
            let last = (name as NSString).lastPathComponent
            if last.hasPrefix("open-\(getpid())-") { presences += 1 }
            guard last == "lock.mdb" else { continue }
            // Opening and closing a file of which this process has a lock would release that.
            if let descriptor = open.first {
                var bytes = Data(count: Int(status.st_size))
                let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
                readers += Self.slots(in: bytes.prefix(max(0, count)))
            } else if let bytes = FileManager.default.contents(atPath: path) {
                readers += Self.slots(in: bytes)
            }
        }
    }

    private struct FileNumber: Hashable {
        let (device, inode): (UInt64, UInt64)

        init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
    }

    /// The open descriptors of this process, by file.
    private static func descriptors() throws -> [FileNumber: [Int32]] {
        var found: [FileNumber: [Int32]] = [:]
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap({ Int32($0) })
        {
            var status = stat()
            if fstat(descriptor, &status) == 0 { found[FileNumber(status), default: []].append(descriptor) }
        }
        return found
    }

    /// Whether this process has a lock on the file of a descriptor. The list of all locks of the system is no answer: lines are missing in it
    /// where others come and go while it is read.
    private static func isLocked(_ descriptor: Int32) -> Bool {
        let lines = try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
        return lines?.contains("lock:") == true
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
