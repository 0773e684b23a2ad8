import Events
import Foundation
import LMDB
import Platform

/// The folder in which a machine's user keeps records of replicas, outside of every store, and its id: random bytes in
/// the file `home`.
struct MachineHome: Sendable {
    static let idSize = 16
    private static let magic = Array("TSHOME01".utf8)

    let folder: String
    let id: [UInt8]

    /// Opens the folder of the dependencies, creating it and its id. Nil if there is none to be, or that fails: then no
    /// record is kept.
    init?(_ dependencies: Dependencies) {
        guard let folder = dependencies.machineFolder, (try? Folder.create(folder)) != nil else { return nil }
        let path = folder + "/home"
        if Self.id(at: path) == nil { Self.makeID(at: path, in: folder, dependencies.randomBytes(Self.idSize)) }
        // Two processes may make it at once: one replaces the other's.
        guard let id = Self.id(at: path) else { return nil }
        self.folder = folder
        self.id = id
    }

    private static func id(at path: String) -> [UInt8]? {
        guard let data = FileManager.default.contents(atPath: path), data.count == magic.count + idSize,
            data.starts(with: magic)
        else { return nil }
        return Array(data.dropFirst(magic.count))
    }

    /// Makes the file, durably, in place of one that is unreadable; leaves nothing if that fails.
    private static func makeID(at path: String, in folder: String, _ id: [UInt8]) {
        let temporary = "\(path).\(UUID().uuidString)"
        let descriptor = Foundation.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let bytes = magic + id
        let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        let isComplete = written == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard isComplete, rename(temporary, path) == 0 else {
            unlink(temporary)
            return
        }
        // A name that is lost is made again: then the file's identity alone decides once.
        try? Folder.syncWithAncestors(folder)
    }

    /// The record of a line, which is not changed; nil if there is none, or it is unreadable.
    func record(of line: LineID) -> MachineRecord? {
        MachineRecord(atPath: MachineRecordFile.path(folder, line.replica, line.journal))
    }

    /// The file of the record of a line, created if need be; nil if that fails.
    func recordFile(of line: LineID) -> MachineRecordFile? {
        MachineRecordFile(folder: folder, replica: line.replica, journal: line.journal)
    }
}
