import Foundation
import LMDB
import Platform

/// A medium at some point of a trace: for each file and each name what is certainly there, and what may be.
///
/// It is strict: a name is durable once its folder was synced after it was made, the contents and the size of a file
/// once the file was. A rename is done or not, as on file systems with a journal.
final class RecordedMedium {
    /// A change of names that is not synced.
    struct NameChange {
        struct Part {
            let folder: RecordedFile
            let name: String
            /// The file with the name from then on; nil for none.
            let file: RecordedFile?
        }

        let number: UInt64
        let parts: [Part]
    }

    let root: RecordedFile
    private(set) var pendingNames: [NameChange] = []
    private var files: [UInt64: RecordedFile] = [:]
    private let ignored: IgnoredSyncs

    /// A medium on which everything of a folder is durable.
    init(_ start: FolderContents, ignoring ignored: IgnoredSyncs = []) throws {
        self.ignored = ignored
        root = RecordedFile(isFolder: true, mark: start.root)
        files[start.root.inode] = root
        for item in start.items {
            let file = RecordedFile(isFolder: item.contents == nil, mark: item.recorded, contents: item.contents ?? [])
            files[item.present.inode] = file
            let (folder, name) = try parent(of: item.path)
            file.names.insert(name)
            folder.entries[name] = file
            folder.syncedEntries[name] = file
        }
    }

    /// Advances by one operation.
    ///
    /// Throws `FaultTestingError` if it is of a file that is unknown to the trace.
    func apply(_ record: Trace.Record) throws {
        let number = record.number
        switch record.operation {
        case .create(let path, let inode, let birthTime, let isFolder):
            let file = RecordedFile(isFolder: isFolder, mark: FileOrigin(inode: inode, birthTime: birthTime))
            files[inode] = file
            let (folder, name) = try parent(of: path)
            change([.init(folder: folder, name: name, file: file)], number)
        case .write(let inode, let offset, let bytes, let durability):
            try write(bytes, at: offset, to: inode, durability, number)
        case .resize(let inode, let size):
            try file(inode).change(.init(number: number, bytes: nil, offset: size))
        case .rename(let from, let to):
            let (source, target) = (try parent(of: from), try parent(of: to))
            let file = try entry(from)
            change(
                [
                    .init(folder: source.folder, name: source.name, file: nil),
                    .init(folder: target.folder, name: target.name, file: file),
                ], number)
        case .unlink(let path):
            let (folder, name) = try parent(of: path)
            change([.init(folder: folder, name: name, file: nil)], number)
        case .link(let path, let to):
            let (folder, name) = try parent(of: to)
            change([.init(folder: folder, name: name, file: try entry(path))], number)
        case .sync(let inode, let before):
            let file = try file(inode)
            if file.isFolder {
                syncNames(of: file, before)
            } else if !ignored.contains(.data) || !file.names.contains("data.mdb") {
                file.sync(before: before)
            }
        // Names whose sync failed are durable once a later one succeeds: a file system has them in its journal, and not
        // in pages that count as clean after a fault.
        case .loss(let inode, let before): try file(inode).lose(before: before)
        case .mark: break
        }
    }

    /// The write of an operation that has begun and not ended, as an unsynced one; nil if it is none.
    func uncommitted(_ record: Trace.Record) -> (file: RecordedFile, change: RecordedFile.Change)? {
        guard case .write(let inode, let offset, let bytes, _) = record.operation, let file = files[inode] else {
            return nil
        }
        return (file, .init(number: record.number, bytes: bytes, offset: offset))
    }

    private func write(
        _ bytes: ArraySlice<UInt8>, at offset: Int, to inode: UInt64, _ durability: Trace.Record.Durability,
        _ number: UInt64
    ) throws {
        let file = try file(inode)
        let change = RecordedFile.Change(
            number: number, bytes: bytes, offset: offset, isLost: durability == .lost)
        guard durability == .synced else { return file.change(change) }
        // The header of a write-ahead file and a first frame may come in one write.
        let head = max(0, min(bytes.count, IgnoredSyncs.headerSize - offset))
        for (part, start, sync) in [
            (bytes.prefix(head), offset, IgnoredSyncs.header), (bytes.dropFirst(head), offset + head, .record),
        ] where !part.isEmpty {
            let change = RecordedFile.Change(number: number, bytes: part, offset: start)
            if file.names.contains("wal") && ignored.contains(sync) {
                file.change(change)
            } else {
                file.changeDurably(change)
            }
        }
    }

    private func change(_ parts: [NameChange.Part], _ number: UInt64) {
        for part in parts {
            part.folder.entries[part.name] = part.file
            part.file?.names.insert(part.name)
        }
        pendingNames.append(NameChange(number: number, parts: parts))
    }

    private func syncNames(of folder: RecordedFile, _ before: UInt64) {
        if ignored.contains(.folder) { return }
        func isCovered(_ change: NameChange) -> Bool {
            change.number < before && change.parts.contains { $0.folder === folder }
        }
        for change in pendingNames where isCovered(change) {
            for part in change.parts { part.folder.syncedEntries[part.name] = part.file }
        }
        pendingNames.removeAll(where: isCovered)
    }

    private func file(_ inode: UInt64) throws -> RecordedFile {
        guard let file = files[inode] else {
            throw FaultTestingError("The trace tells of the inode \(inode) and not of its creation.")
        }
        return file
    }

    private func parent(of path: String) throws -> (folder: RecordedFile, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (root, path) }
        return (try entry(String(path[..<slash])), String(path[path.index(after: slash)...]))
    }

    private func entry(_ path: String) throws -> RecordedFile {
        var file = root
        for part in path.split(separator: "/") {
            guard let next = file.entries[String(part)] else {
                throw FaultTestingError("The trace tells of \(path) and not of its creation.")
            }
            file = next
        }
        return file
    }

    /// Where the medium differs from the recorded folder, by path; empty if the trace is complete.
    func differences(from path: String) throws -> [String] { try Self.differences(root, path, "") }

    private static func differences(_ folder: RecordedFile, _ path: String, _ prefix: String) throws -> [String] {
        var found: [String] = []
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: path))
        for name in names.subtracting(folder.entries.keys).sorted() {
            found.append("\(prefix)\(name) is not in the trace")
        }
        for (name, file) in folder.entries.sorted(by: { $0.key < $1.key }) {
            let inside = path + "/" + name
            guard names.contains(name) else {
                found.append("\(prefix)\(name) is in the trace alone")
                continue
            }
            if file.isFolder {
                found += try differences(file, inside, "\(prefix)\(name)/")
            } else if name != "lock.mdb", try Data(contentsOf: URL(fileURLWithPath: inside)) != Data(file.contents) {
                // Locks are written through memory until the last process ends.
                found.append("\(prefix)\(name) has other contents")
            }
        }
        return found
    }
}
