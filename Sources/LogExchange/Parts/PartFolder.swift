import EventLog
import Events
import Foundation
import Platform
import Synchronization

/// The files with what arrived of segments and contents before a connection ended: a folder for each peer, in the folder of a store
/// or of a server's journals.
///
/// Losing them does no harm. They are kept within bounds: the oldest files go first, and those of the peer with the most. They are never
/// shortened, so that they can be mapped while they are read. Calls block for short.
final class PartFolder: Sendable {
    struct Bounds: Sendable {
        /// The most bytes of one peer.
        var ofPeer = 64 << 20
        /// The most bytes of all peers.
        var all = 256 << 20
        /// How long a file that does not grow is kept, in milliseconds: a week.
        var lifetime: Int64 = 7 * 86_400_000
    }

    struct File: Hashable, Sendable {
        let owner: String
        let name: String
    }

    struct Entry {
        let file: File
        let size: Int
        /// When it last grew, milliseconds since 1970.
        let time: Int64
    }

    /// What a file takes besides its bytes.
    private static let ofFile = 4096

    private let path: String
    private let bounds: Bounds
    private let now: @Sendable () -> Int64
    /// The bytes of each peer; nil if they must be counted.
    private let usage = Mutex<[String: Int]?>(nil)

    /// `now` is the time in milliseconds since 1970.
    init(_ path: String, bounds: Bounds = Bounds(), now: @escaping @Sendable () -> Int64) {
        self.path = path
        self.bounds = bounds
        self.now = now
    }

    /// The folder beside a store's log.
    static func beside(_ log: Log) -> PartFolder {
        PartFolder(
            URL(fileURLWithPath: log.path).deletingLastPathComponent().appendingPathComponent("arriving").path,
            now: log.clock)
    }

    private func path(of file: File) -> String { "\(path)/\(file.owner)/\(file.name)" }

    // MARK: Reading

    /// All files, the newest first. Removes those that are too old.
    func entries() -> [Entry] {
        var found: [Entry] = []
        let now = now()
        for owner in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(owner)")) ?? [] {
                let file = File(owner: owner, name: name)
                guard let version = FileVersion(path: path(of: file)) else { continue }
                let time = version.modified / 1_000_000
                // A clock may have been set back since, and may say anything.
                let (age, overflow) = now.subtractingReportingOverflow(time)
                guard !overflow, age.magnitude <= bounds.lifetime.magnitude else {
                    delete(file)
                    continue
                }
                found.append(Entry(file: file, size: Int(clamping: version.size), time: time))
            }
        }
        return found.sorted { ($1.time, $0.file.name) < ($0.time, $1.file.name) }
    }

    /// The bytes of a file; 0 if there is none.
    func size(_ file: File) -> Int { FileVersion(path: path(of: file)).map { Int(clamping: $0.size) } ?? 0 }

    /// The bytes of a file, which may lie in a map of it; nil if it cannot be read.
    func read(_ file: File) -> Data? {
        try? Data(contentsOf: URL(fileURLWithPath: path(of: file)), options: .alwaysMapped)
    }

    // MARK: Writing

    /// Writes bytes at an offset of a file, which is created, in the place of another one, at the offset 0. Returns whether they are kept:
    /// not if there is no room, if the file has been removed, or if it cannot be written.
    func keep(_ bytes: [UInt8], in file: File, at offset: Int) -> Bool {
        usage.withLock { usage in
            if offset == 0 {
                delete(file)
                // Other processes may use the folder.
                usage = nil
            }
            var counted = usage ?? count()
            let size = bytes.count + (offset == 0 ? Self.ofFile : 0)
            makeRoom(for: size, in: file, &counted)
            let isKept = fits(size, file.owner, counted) && write(bytes, to: file, at: offset)
            if isKept { counted[file.owner, default: 0] += size } else { delete(file) }
            usage = isKept ? counted : nil
            return isKept
        }
    }

    func remove(_ file: File) {
        usage.withLock { usage in
            delete(file)
            usage = nil
        }
    }

    private func count() -> [String: Int] {
        entries().reduce(into: [:]) { $0[$1.file.owner, default: 0] += $1.size + Self.ofFile }
    }

    private func fits(_ size: Int, _ owner: String, _ usage: [String: Int]) -> Bool {
        usage[owner, default: 0] + size <= bounds.ofPeer && usage.values.reduce(size, +) <= bounds.all
    }

    /// Removes the oldest files but the given one: the peer's own while it has too much, and then those of the peer with the most.
    private func makeRoom(for size: Int, in file: File, _ usage: inout [String: Int]) {
        guard !fits(size, file.owner, usage) else { return }
        var left = entries().filter { $0.file != file }
        while !fits(size, file.owner, usage) {
            let isOver = usage[file.owner, default: 0] + size > bounds.ofPeer
            let owner = isOver ? file.owner : usage.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
            guard let oldest = left.lastIndex(where: { $0.file.owner == owner }) ?? (isOver ? nil : left.indices.last)
            else { return }
            let entry = left.remove(at: oldest)
            delete(entry.file)
            usage[entry.file.owner, default: 0] -= entry.size + Self.ofFile
        }
    }

    private func write(_ bytes: [UInt8], to file: File, at offset: Int) -> Bool {
        let path = path(of: file)
        do {
            // Without a sync: what is here may be lost.
            if offset == 0 {
                try FileManager.default.createDirectory(
                    atPath: "\(self.path)/\(file.owner)", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            let descriptor = open(path, O_WRONLY | O_CLOEXEC | (offset == 0 ? O_CREAT | O_EXCL : 0), 0o600)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            try FileSystem.write(bytes, at: offset, to: descriptor, path)
            let date = Date(timeIntervalSince1970: Double(now()) / 1000)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            return true
        } catch { return false }
    }

    private func delete(_ file: File) {
        unlink(path(of: file))
        // Only empty folders go.
        rmdir("\(path)/\(file.owner)")
        rmdir(path)
    }
}
