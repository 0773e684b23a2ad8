import Foundation
import Platform

/// All files below a folder at one moment, to be restored any number of times.
struct StoreImage {
    struct File {
        let bytes: [UInt8]
        /// Nanoseconds since 1970 of the last change.
        let modified: Int64
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
            guard let version = FileVersion(path: root + "/" + path) else { continue }
            if Self.isFolder(root + "/" + path) {
                folders.insert(path)
            } else {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: root + "/" + path)))
                let file = File(bytes: bytes, modified: version.modified, inode: version.inode)
                files[path] = file
                guard link(root + "/" + path, original(file)) == 0 || errno == EEXIST else {
                    throw TrialError("\(path) could not be linked: \(errno)")
                }
            }
        }
    }

    /// Not so for a link to one.
    private static func isFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    private func original(_ file: File) -> String { "\(originals)/\(file.inode)" }

    /// Restores the folder. Each file is the same as before, by its inode and birth time, which show a store that it
    /// is no copy, and views that they were not replaced.
    func restore(to root: String, leavingOut: Set<String> = []) throws {
        let manager = FileManager.default
        for path in try manager.subpathsOfDirectory(atPath: root).sorted(by: >) {
            guard let first = path.split(separator: "/").first, !leavingOut.contains(String(first)) else { continue }
            if Self.isFolder(root + "/" + path) ? !folders.contains(path) : files[path] == nil {
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
        if FileVersion(path: path)?.inode == file.inode { return }
        // Nothing may be there.
        unlink(path)
        guard link(original(file), path) == 0 else { throw TrialError("\(path) could not be put back: \(errno)") }
    }

    /// Writes a file in place, so that it stays the same file.
    static func write(_ bytes: [UInt8], to path: String, modified: Int64?) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TrialError("\(path) could not be opened: \(errno)") }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(bytes.count)) == 0,
            bytes.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == bytes.count
        else { throw TrialError("\(path) could not be written: \(errno)") }
        guard let modified else { return }
        let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        // Two `timespec`s, of access and of change, as their words: the members of C's structures are not always
        // visible here, for other modules may import them first.
        let words = [Int(seconds), Int(rest), Int(seconds), Int(rest)]
        let result = words.withUnsafeBytes {
            futimens(descriptor, $0.baseAddress?.assumingMemoryBound(to: timespec.self))
        }
        guard result == 0 else { throw TrialError("no time for \(path): \(errno)") }
    }
}

/// The trials themselves failed: this says nothing of the store.
struct TrialError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
