// `stat` belongs to it where NIO is imported too.
import CoreFoundation
import Foundation

/// All files below a folder at one moment, to be restored any number of times.
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
    private let originals: String

    /// Reads everything below a folder, but for the named folders. Links each file into the folder `originals`: a file
    /// that a trial or a command removes still exists there, as the same file.
    init(of root: String, leavingOut: Set<String> = [], originals: String) throws {
        self.originals = originals
        try FileManager.default.createDirectory(atPath: originals, withIntermediateDirectories: true)
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            guard let first = path.split(separator: "/").first, !leavingOut.contains(String(first)) else { continue }
            var status = stat()
            guard stat(root + "/" + path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                folders.insert(path)
            } else {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: root + "/" + path)))
                let file = File(bytes: bytes, modified: Self.modified(status), inode: UInt64(status.st_ino))
                files[path] = file
                guard link(root + "/" + path, original(file)) == 0 || errno == EEXIST else {
                    throw TrialError("\(path) could not be linked: \(errno)")
                }
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

    private func original(_ file: File) -> String { "\(originals)/\(file.inode)" }

    /// Restores the folder. Each file is the same as before, by its inode and birth time, which show a store that it is
    /// no copy, and views that they were not replaced.
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
            try putBack(file, at: root + "/" + path)
            try Self.write(file.bytes, to: root + "/" + path, modified: file.modified)
        }
    }

    /// Links a file to its path again, where another file is or none.
    private func putBack(_ file: File, at path: String) throws {
        var status = stat()
        if lstat(path, &status) == 0 {
            if UInt64(status.st_ino) == file.inode { return }
            unlink(path)
        }
        guard link(original(file), path) == 0 else { throw TrialError("\(path) could not be put back: \(errno)") }
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

/// The trials themselves failed: this says nothing of the store.
struct TrialError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
