import Foundation
import LMDBFormat
import Platform

/// Replaces the data file of a closed environment by a new one that has its rows and no other byte of it.
///
/// LMDB leaves old bytes in free pages and in the free room of used ones, and takes the memory of earlier pages for new
/// ones, so that also a copy of the pages would have old bytes. So every row is put into a new environment, in a folder
/// of its own inside the first one's, whose data file is then renamed over the old one.
struct EnvironmentRewrite {
    static let folderName = "rewriting"
    /// Bytes of rows that are put in one transaction.
    private static let batch = 1 << 20

    let path: String
    /// Called as soon as a step is done.
    let step: (Environment.RewriteStep) throws -> Void
    /// Changes rows of the new environment.
    let finish: (Environment) throws -> Void

    private var dataPath: String { path + "/data.mdb" }
    private var folder: String { "\(path)/\(Self.folderName)" }
    private var newPath: String { folder + "/data.mdb" }

    /// Returns false, having changed nothing, if another process has the environment open, if a killed one left commits
    /// in its write-ahead file, or if the new file could not belong to the owner of the old one. The caller keeps the
    /// environment closed in this process.
    func run(_ opening: borrowing OpeningLock) throws -> Bool {
        guard let lockFile = try LockFile(in: path, readers: Environment.Options().readerSlots),
            try EnvironmentRegistry.shared.isAlone(in: path, lockFile), try lockFile.lockAlone()
        else { return false }
        // Its deinitialiser drops the lock.
        defer { withExtendedLifetime(lockFile) {} }
        let ahead = try WriteAheadFile(in: path, creating: false)
        if let ahead {
            guard ahead.isWritable, try ahead.header()?.isEnabled != true else { return false }
        }
        try Self.conclude(in: path)
        try removeFolder()
        guard FileSystem.mayOwn(dataPath) else { return false }
        try checkRoom()
        do {
            try step(.begun)
            try fill(try snapshot())
            try step(.filled)
            guard try share() else {
                try removeFolder()
                return false
            }
            try Medium.sync(file: newPath)
            try ahead?.clear()
            try clearFilesAside()
            try step(.synced)
            guard rename(newPath, dataPath) == 0 else { throw StorageError(errno, "rename", path: newPath) }
        } catch {
            try? removeFolder()
            throw error
        }
        // If this ends here, the folder stays, for `conclude`.
        try step(.replaced)
        try Folder.sync(path)
        try removeFolder()
        return true
    }

    /// Concludes a rewrite that ended early, at an opening under the environment's `OpeningLock`: a killed process, or a
    /// failed sync, may have left the new file in the place of the old one without making that durable. Commits that
    /// followed would go with a power cut. The folder of the rewrite is the sign of it.
    ///
    /// Throws `StorageError`: then the environment must not be written to.
    static func conclude(in path: String) throws(StorageError) {
        let folder = "\(path)/\(folderName)"
        guard try Folder.holds(folder) else { return }
        try Folder.sync(path)
        // If it stays, the next opening syncs once more.
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func removeFolder() throws {
        if try Folder.holds(folder) { try FileManager.default.removeItem(atPath: folder) }
    }

    /// Throws `StorageError.diskFull` unless there is room for a file of the size of the present one.
    private func checkRoom() throws(StorageError) {
        let size = try DataFile(path: dataPath).size()
        guard Folder.room(path) < UInt64(size) else { return }
        throw StorageError(
            .diskFull,
            "There is no room to rewrite \(dataPath), which has \(size) bytes. Make as much room, and open it again.")
    }

    /// The newest state of the data file, checked.
    private func snapshot() throws -> CheckedSnapshot {
        let data = try DataFile(path: dataPath)
        switch try data.readMetaPages() {
        case .failure(let fault): throw StructureDamage(faults: [fault])
        case .success(nil): throw StorageError(.missing, "\(dataPath) is empty.")
        case .success(let pages?):
            let faults = try data.faults(of: pages.newest, filePages: pages.filePages)
            guard !faults.contains(where: \.isDangerous) else { throw StructureDamage(faults: faults) }
            return CheckedSnapshot(file: data, meta: pages.newest, faults: faults)
        }
    }

    /// Makes the new environment, closes it and checks it.
    private func fill(_ snapshot: CheckedSnapshot) throws {
        try fillOpen(snapshot)
        let faults = try Environment.checkStructure(at: folder).filter(\.isDangerous)
        guard faults.isEmpty else { throw StructureDamage(faults: faults) }
    }

    /// The environment is closed when this returns.
    private func fillOpen(_ snapshot: CheckedSnapshot) throws {
        let names = try snapshot.tables().sorted()
        var options = Environment.Options(.creating, durability: .unsynced)
        options.maxTables = max(options.maxTables, names.count)
        let copy = try Environment.open(at: folder, options: options)
        for (name, table) in zip(names, try copy.tables(names)) { try fill(table, name, snapshot, copy) }
        try finish(copy)
    }

    private func fill(_ table: Table, _ name: String, _ snapshot: CheckedSnapshot, _ copy: Environment) throws {
        var rows: [(key: [UInt8], value: [UInt8])] = []
        var (size, count) = (0, 0)
        func put() throws {
            try copy.write { transaction in
                for row in rows { try transaction.put(row.key, row.value, in: table, .atEnd) }
            }
            count += rows.count
            rows.removeAll()
            size = 0
        }
        try snapshot.forEachRow(of: name) { key, value in
            rows.append((Array(key), Array(value)))
            size += key.count + value.count
            if size >= Self.batch { try put() }
        }
        if !rows.isEmpty { try put() }
        let found = try copy.read { try $0.count(of: table) }
        guard found == count else {
            throw StorageError(.other, "Of \(count) rows of the table '\(name)' of \(path) a copy has \(found).")
        }
    }

    /// Gives the new file the owner and the permissions of the old one; returns whether that was possible.
    private func share() throws -> Bool {
        let descriptor = open(newPath, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno, "open", path: newPath) }
        defer { close(descriptor) }
        return FileSystem.takeOver(descriptor, dataPath)
    }

    /// Removes write-ahead files that were put aside. Of one whose records could not be read the name stays, as a sign
    /// of that.
    private func clearFilesAside() throws {
        let unreadable = "\(path)/\(WriteAheadFile.name).\(WriteAheadFile.Reason.unreadable.rawValue)"
        for file in ["\(path)/\(WriteAheadFile.name).\(WriteAheadFile.Reason.other.rawValue)", unreadable + ".new"] {
            guard unlink(file) == 0 || errno == ENOENT else { throw StorageError(errno, "remove", path: file) }
        }
        guard truncate(unreadable, 0) == 0 || errno == ENOENT else {
            throw StorageError(errno, "empty", path: unreadable)
        }
    }
}

extension Environment {
    /// A step of a rewrite that was done, for tests that end one there.
    package enum RewriteStep: CaseIterable, Sendable {
        /// Nothing is there of an earlier rewrite.
        case begun
        /// The new file has every row.
        case filled
        /// It is on the medium.
        case synced
        /// It is in the place of the old one, which a power cut may undo.
        case replaced
    }

    /// Rewrites the data file of a closed environment, so that no file of it has bytes but those of its present rows:
    /// no free pages, nothing in the write-ahead file. Blocks, and keeps the environment closed meanwhile. O(rows); the
    /// medium needs room for a second file.
    ///
    /// `finish` may change rows of the new environment, whose file `data.mdb` becomes the one at `path`, with the same
    /// inode. If this throws or the machine stops, the environment is the old one or the new one; an opening for synced
    /// commits makes that durable.
    ///
    /// Returns false, and has changed nothing, if this process or another has it open, or if it has to be recovered
    /// first. Throws `StorageError`, `StructureDamage` if the file is not intact, or what the closures throw.
    package static func rewrite(
        at path: String, step: @escaping (RewriteStep) throws -> Void = { _ in },
        finish: @escaping (Environment) throws -> Void
    ) throws -> Bool {
        let outcome = try EnvironmentRegistry.shared.whileClosed(at: path) { () throws(StorageError) in
            let rewrite = EnvironmentRewrite(path: path, step: step, finish: finish)
            return Result { try rewrite.run(OpeningLock(path)) }
        }
        return try outcome?.get() ?? false
    }
}
