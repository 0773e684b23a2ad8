import Foundation

/// All files below a folder, as they were at one moment, to be put back as often as they are wanted.
struct StoreImage {
    struct File {
        let bytes: [UInt8]
        /// Seconds and nanoseconds of the last change.
        let modified: timespec
        let inode: UInt64
    }

    /// By their paths below the folder.
    private(set) var files: [String: File] = [:]
    private var folders: Set<String> = []

    /// Reads everything below a folder, but what lies in the folders named.
    init(of root: String, leavingOut: Set<String> = []) throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            guard let first = path.split(separator: "/").first, !leavingOut.contains(String(first)) else { continue }
            var status = stat()
            guard stat(root + "/" + path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                folders.insert(path)
            } else {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: root + "/" + path)))
                files[path] = File(bytes: bytes, modified: Self.modified(status), inode: UInt64(status.st_ino))
            }
        }
    }

    private static func modified(_ status: stat) -> timespec {
        #if canImport(Darwin)
            status.st_mtimespec
        #else
            status.st_mtim
        #endif
    }

    /// Makes the folder as it was. Files keep their inodes where they are still there, by which a store knows that it is no
    /// copy; views whose data file had to be made anew get a mark that names it.
    func restore(to root: String, leavingOut: Set<String> = []) throws {
        let manager = FileManager.default
        for path in try manager.subpathsOfDirectory(atPath: root).sorted(by: >) {
            guard let first = path.split(separator: "/").first, !leavingOut.contains(String(first)) else { continue }
            var status = stat()
            guard lstat(root + "/" + path, &status) == 0 else { continue }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            if isFolder ? !folders.contains(path) : files[path] == nil {
                try manager.removeItem(atPath: root + "/" + path)
            }
        }
        for folder in folders.sorted() {
            try manager.createDirectory(atPath: root + "/" + folder, withIntermediateDirectories: true)
        }
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            try Self.write(file.bytes, to: root + "/" + path, modified: file.modified)
        }
        for (path, file) in files where path.hasSuffix("/data.mdb") {
            var status = stat()
            guard stat(root + "/" + path, &status) == 0, UInt64(status.st_ino) != file.inode else { continue }
            let mark = String(path.dropLast("data.mdb".count)) + "boot"
            guard let bytes = files[mark]?.bytes else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            let renewed = text.replacingOccurrences(of: " \(file.inode)\n", with: " \(status.st_ino)\n")
            try Self.write(Array(renewed.utf8), to: root + "/" + mark, modified: nil)
        }
    }

    /// Writes a file in place, so that it stays the same file.
    static func write(_ bytes: [UInt8], to path: String, modified: timespec?) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TrialError("\(path) could not be opened: \(errno)") }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(bytes.count)) == 0,
            bytes.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == bytes.count
        else { throw TrialError("\(path) could not be written: \(errno)") }
        guard let modified else { return }
        guard futimens(descriptor, [modified, modified]) == 0 else { throw TrialError("no time for \(path): \(errno)") }
    }
}

/// The trials themselves went wrong: nothing is said of the store.
struct TrialError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
