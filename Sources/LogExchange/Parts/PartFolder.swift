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
        /// The most files of one peer.
        var files = 256
        /// The bytes of the medium that are left free.
        var leastFree: Int64 = 64 << 20
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

    /// The bytes are counted again so often, in milliseconds: other processes may use the folder.
    private static let recountTime: Int64 = 60_000

    /// What the peers have.
    private struct Usage {
        var bytes: [String: Int] = [:]
        var files: [String: Int] = [:]
        let counted: Int64

        mutating func add(_ size: Int, files count: Int, of owner: String) {
            bytes[owner, default: 0] += size + count * PartFolder.ofFile
            files[owner, default: 0] += count
        }
    }

    private let path: String
    private let bounds: Bounds
    private let now: @Sendable () -> Int64
    /// Nil before it is counted.
    private let usage = Mutex<Usage?>(nil)

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
        usage.withLock { held in
            var usage =
                held.flatMap { (0..<Self.recountTime).contains(now() &- $0.counted) ? $0 : nil } ?? count(entries())
            defer { held = usage }
            if offset == 0 { drop(file, &usage) }
            let files = offset == 0 ? 1 : 0
            makeRoom(for: bytes.count, files, in: file, &usage)
            guard isFree(bytes.count), fits(bytes.count, files, file.owner, usage), write(bytes, to: file, at: offset)
            else {
                drop(file, &usage)
                return false
            }
            usage.add(bytes.count, files: files, of: file.owner)
            return true
        }
    }

    func remove(_ file: File) {
        usage.withLock { held in
            guard var usage = held else { return delete(file) }
            drop(file, &usage)
            held = usage
        }
    }

    /// Removes the files that are too old: also where no peer comes any more.
    func removeOld() { _ = entries() }

    /// Removes the files that have not grown since a time, in milliseconds since 1970.
    func removeAll(writtenBefore limit: Int64) {
        for entry in entries() where entry.time < limit { remove(entry.file) }
    }

    /// Makes the removal of files durable. Throws `StorageError`.
    func sync() throws {
        let above = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let folders = [above, path] + (try Folder.names(in: path).map { "\(path)/\($0)" })
        for folder in folders where try Folder.holds(folder) { try Folder.sync(folder) }
    }

    private func drop(_ file: File, _ usage: inout Usage) {
        guard let version = FileVersion(path: path(of: file)) else { return }
        delete(file)
        usage.add(-Int(clamping: version.size), files: -1, of: file.owner)
    }

    private func count(_ entries: [Entry]) -> Usage {
        entries.reduce(into: Usage(counted: now())) { $0.add($1.size, files: 1, of: $1.file.owner) }
    }

    private func isFree(_ size: Int) -> Bool {
        // The folder is made with the first file.
        var above = URL(fileURLWithPath: path).deletingLastPathComponent()
        while above.path != "/", !FileManager.default.fileExists(atPath: above.path) { above.deleteLastPathComponent() }
        let (least, overflow) = UInt64(clamping: bounds.leastFree).addingReportingOverflow(UInt64(size))
        return !overflow && Folder.room(above.path) >= least
    }

    private func fits(_ size: Int, _ files: Int, _ owner: String, _ usage: Usage) -> Bool {
        let bytes = usage.bytes.values.reduce(size + files * Self.ofFile, +)
        return bytes <= bounds.all && !isOver(size, files, owner, usage)
    }

    /// Whether a peer would have too much.
    private func isOver(_ size: Int, _ files: Int, _ owner: String, _ usage: Usage) -> Bool {
        usage.bytes[owner, default: 0] + size + files * Self.ofFile > bounds.ofPeer
            || usage.files[owner, default: 0] + files > bounds.files
    }

    /// Removes the oldest files but the given one: the peer's own while it has too much, and then those of the peer with the most.
    private func makeRoom(for size: Int, _ files: Int, in file: File, _ usage: inout Usage) {
        guard !fits(size, files, file.owner, usage) else { return }
        var left = entries()
        usage = count(left)
        left.removeAll { $0.file == file }
        while !fits(size, files, file.owner, usage) {
            let isOver = isOver(size, files, file.owner, usage)
            let owner = isOver ? file.owner : usage.bytes.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
            guard let oldest = left.lastIndex(where: { $0.file.owner == owner }) ?? (isOver ? nil : left.indices.last)
            else { return }
            let entry = left.remove(at: oldest)
            delete(entry.file)
            usage.add(-entry.size, files: -1, of: entry.file.owner)
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
