import Foundation
import LMDB
import Platform

/// A small file beside the views: whether everything written is in their file.
struct GenerationMark: Equatable {
    /// The start of the machine, and the mount, since which writes may be unsynced.
    let boot: String
    let mount: String
    /// Whether everything was synced, and nothing written since.
    let isClean: Bool
    /// The data file when it was synced, or when its structure was found intact; nil while it is written to.
    let stamp: FileVersion?

    /// Longer files are no marks.
    private static let sizeLimit = 1024

    init(boot: String, mount: String, isClean: Bool, stamp: FileVersion?) {
        self.boot = boot
        self.mount = mount
        self.isClean = isClean
        self.stamp = stamp
    }

    /// A mark made now, for a path.
    static func now(at path: String, isClean: Bool, stamp: FileVersion?) -> GenerationMark {
        GenerationMark(boot: BootIdentity.current, mount: MountIdentity.of(path), isClean: isClean, stamp: stamp)
    }

    /// Nil if there is no such file, or it does not hold a mark of this format.
    init?(path: String) {
        guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.read(upToCount: Self.sizeLimit)
        else {
            return nil
        }
        self.init(text: String(decoding: bytes, as: UTF8.self))
    }

    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, lines[0].hasPrefix("boot "), lines[1].hasPrefix("mount "),
            ["open", "clean"].contains(lines[2]), lines[3].hasPrefix("file"), lines[4].isEmpty
        else { return nil }
        let words = lines[3].split(separator: " ")
        if words.count == 4, let size = Int64(words[1]), let modified = Int64(words[2]), let inode = UInt64(words[3]) {
            stamp = FileVersion(size: size, modified: modified, inode: inode)
        } else {
            guard words.count == 1 else { return nil }
            stamp = nil
        }
        boot = String(lines[0].dropFirst(5))
        mount = String(lines[1].dropFirst(6))
        isClean = lines[2] == "clean"
    }

    var text: String {
        let file = stamp.map { " \($0.size) \($0.modified) \($0.inode)" } ?? ""
        return "boot \(boot)\nmount \(mount)\n\(isClean ? "clean" : "open")\nfile\(file)\n"
    }

    /// Why unsynced writes may be missing; nil if none can be.
    func objection(at path: String) -> String? {
        if isClean { return nil }
        guard !boot.isEmpty, boot == BootIdentity.current else {
            return "they were not closed before the machine stopped"
        }
        let present = MountIdentity.of(path)
        guard !present.isEmpty else {
            return "they were not closed, and the system does not tell whether their medium stayed mounted"
        }
        return mount == present ? nil : "they were not closed before their medium was unmounted"
    }
}
