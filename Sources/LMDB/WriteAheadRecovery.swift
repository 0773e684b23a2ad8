import Foundation
import LMDBFormat
internal import LMDBLibrary
import Platform

/// Recovers an environment to its last commit after a power cut or a killed process, from its write-ahead file.
///
/// The caller holds the environment's `OpeningLock`, and this process has it closed.
struct WriteAheadRecovery {
    let folder: String
    let options: Environment.Options
    /// Nil on a read-only medium.
    let lockFile: LockFile?
    /// Whether no other process has the environment open.
    let isAlone: Bool

    /// The result.
    struct Outcome {
        /// The write-ahead file, if there is one.
        var file: WriteAheadFile?
        /// The faults of the snapshot that it would have started from; if there are any, nothing was done.
        var faults: [StructureFault] = []
        /// Committed transactions that the medium has lost, because their frames are unreadable: at least that many.
        var lostTransactions = 0
    }

    private var dataPath: String { folder + "/data.mdb" }

    /// Cheap if there is nothing to do. Otherwise O(frames), some milliseconds, and it waits for the medium. With
    /// `checking` it is O(size of the data file): it checks everything first, and only returns the faults if there are
    /// any.
    ///
    /// Throws `StorageError`: `.notPermitted` if it may not write, `.alreadyOpen` if a program has the environment open
    /// that did not recover it after the machine started, `.damaged`, `.diskFull`.
    func run(checking: Bool = false) throws(StorageError) -> Outcome {
        var lost = 0
        while let file = try WriteAheadFile(in: folder, creating: !options.isReadOnly && options.syncsCommits) {
            guard var header = try file.header() else {
                guard try setAsideIfHeaderLost(file) else { return Outcome(file: file, lostTransactions: lost) }
                lost = 1
                continue
            }
            guard header.isEnabled else { return Outcome(file: file, lostTransactions: lost) }
            guard try lockAlone() else {
                try checkSession(header)
                return Outcome(file: file)
            }
            let data = try openData(header)
            guard try holdsSnapshot(of: header, data) else {
                guard try putAside(file, data) else { return Outcome() }
                continue
            }
            let newest = try newestTransaction(of: data)
            // Written data is in the system's memory, if not on the medium.
            if newest.isIntact, !header.syncFailed, !header.session.isEmpty, header.session == data.session,
                try newest.number >= header.transaction + UInt(Self.frames(header, file).found.count)
            {
                guard !options.isReadOnly, file.isWritable else { return Outcome(file: file) }
                do throws(StorageError) {
                    try Medium.sync(file: dataPath)
                } catch {
                    // From now on the medium counts.
                    header.syncFailed = true
                    try file.write(header.bytes, at: 0)
                    continue
                }
                try file.write(WriteAheadHeader.disabled(generation: header.generation &+ 1).bytes, at: 0)
                return Outcome(file: file)
            }
            guard file.isWritable else { throw unrepairable }
            if checking {
                let faults = try faults(of: header, data)
                guard faults.isEmpty else { return Outcome(file: file, faults: faults) }
            }
            let (bytes, frames) = try Self.frames(header, file)
            let last = header.transaction + UInt(frames.count)
            let synced = bytes.withUnsafeBytes { WriteAheadFrame.last(in: $0, after: header, beyond: frames) }
            let reached = max(newest.number, synced)
            if reached > last {
                lost = Int(clamping: reached - last)
                // Before repeating: a commit then would hide that frames are missing.
                try file.keepUnreadable()
            }
            try restore(header, frames, of: bytes)
            try file.write(WriteAheadHeader.disabled(generation: header.generation &+ 1).bytes, at: 0)
        }
        return Outcome(lostTransactions: lost)
    }

    private func lockAlone() throws(StorageError) -> Bool {
        guard isAlone else { return false }
        do throws(StorageError) {
            return try lockFile?.lockAlone() ?? true
        } catch {
            throw error.code == .notPermitted ? unrepairable : error
        }
    }

    private var unrepairable: StorageError {
        StorageError(
            .notPermitted,
            "\(folder) was not closed, and its last commits lie in '\(WriteAheadFile.name)' there. Open it once as a user who "
                + "may write there, or copy it to where you may.")
    }

    /// A process that has the environment open keeps what was written in memory, unless the machine was restarted
    /// since: then the data file may be torn, and that process reads it as it is.
    private func checkSession(_ header: WriteAheadHeader) throws(StorageError) {
        let present = (try? DataFile(path: dataPath))?.session ?? ""
        let isSame =
            header.session.isEmpty || present.isEmpty || MountSession.isSameStart(header.session, present)
        guard header.syncFailed || !isSame else { return }
        throw StorageError(
            .alreadyOpen,
            "\(folder) was not closed when the machine stopped, or a sync failed, and another program has it open. Close that, "
                + "and open it again: a program that has it alone repairs it.")
    }

    // MARK: Which data file it belongs to

    private func openData(_ header: WriteAheadHeader) throws(StorageError) -> DataFile {
        if FileIdentity(path: dataPath) != nil {
            let data = try DataFile(path: dataPath)
            if try data.size() > 0 { return data }
        }
        throw StorageError(
            .damaged,
            "\(dataPath) is missing or empty, and '\(WriteAheadFile.name)' beside it holds commits that follow on it (after its "
                + "transaction \(header.transaction)). Restore the file from a backup, or the store from a replica; to begin a "
                + "new one, remove the folder.")
    }

    /// Whether the data file holds the snapshot that a header names; false if it is another file, or in another state. Its meta pages need not
    /// be intact: the header has those of the snapshot.
    private func holdsSnapshot(of header: WriteAheadHeader, _ data: DataFile) throws(StorageError) -> Bool {
        let pages = try data.readMetaPages()
        if case .success(let pages) = pages, pages?.first.pageSize != header.pageSize { return false }
        if let snapshot = header.snapshot, let identity = header.identity, snapshot.pageSize == header.pageSize,
            snapshot.transaction < .max >> 1, try SnapshotIdentity(in: data, snapshot) == identity
        {
            return true
        }
        guard case .failure(let fault) = pages else { return false }
        // An unreadable file may be this one all the same.
        throw StorageError(
            .damaged,
            "\(dataPath) cannot be opened: \(fault.description). The file is not intact, and its last commits lie in "
                + "'\(WriteAheadFile.name)' beside it; restore both from a backup, or the store from a replica.")
    }

    /// The newest transaction that the data file names, 0 if that cannot be read; and whether its meta pages, and the path from the newest
    /// one to the row of the state's nonce, are as LMDB leaves them.
    private func newestTransaction(of data: DataFile) throws(StorageError) -> (number: UInt, isIntact: Bool) {
        guard case .success(let pages?) = try data.readMetaPages() else { return (0, false) }
        let named = [pages.first.transaction, pages.second.transaction].enumerated()
            .filter { $1 < MetaPage.transactionLimit && $1 & 1 == UInt($0) }.map(\.element)
        let fault = try data.persistentFault()
        let identity = try SnapshotIdentity(in: data, pages.newest)
        return (named.max() ?? 0, fault == nil && identity != nil)
    }

    /// Puts a write-ahead file of another data file out of the way, after making sure that this data file does not need
    /// it; returns false if it may not be renamed and the caller only reads.
    private func putAside(_ file: WriteAheadFile, _ data: DataFile) throws(StorageError) -> Bool {
        // It is not known whether this data file was synced.
        if case .success(let pages?) = try data.readMetaPages(),
            let fault = try data.faults(of: pages.newest, filePages: pages.filePages).first(where: \.isDangerous)
        {
            throw StorageError(
                .damaged,
                "\(dataPath) is not the file that '\(WriteAheadFile.name)' beside it belongs to, and is not intact: \(fault). "
                    + "Restore both from a backup, or the store from a replica.")
        }
        do throws(StorageError) {
            try file.putAside(.other)
            return true
        } catch {
            guard options.isReadOnly, error.code == .notPermitted else { throw error }
            return false
        }
    }

    /// Handles a file whose header is not intact. Mostly a power cut tore it, or it was never written, and then the
    /// data file was synced. Returns true if the medium lost it, with frames behind it: then the file is put aside.
    ///
    /// Throws `StorageError.damaged` if the data file is not intact either.
    private func setAsideIfHeaderLost(_ file: WriteAheadFile) throws(StorageError) -> Bool {
        guard try file.hasContents, FileIdentity(path: dataPath) != nil, try lockAlone() else { return false }
        let data = try DataFile(path: dataPath)
        if case .success(let pages?) = try data.readMetaPages(),
            let fault = try data.faults(of: pages.newest, filePages: pages.filePages).first(where: \.isDangerous)
        {
            throw StorageError(
                .damaged,
                "\(dataPath) is not intact (\(fault)), and '\(WriteAheadFile.name)' beside it cannot be read. Restore both from a "
                    + "backup, or the store from a replica.")
        }
        // Zeros are written before the first header. The first frame is written together with it, and others once both were synced.
        guard try file.isHeaderZero, file.isWritable,
            try !file.frames().withUnsafeBytes({ WriteAheadFrame.isFirstAlone(in: $0) })
        else { return false }
        try file.putAside(.unreadable)
        return true
    }

    private func faults(of header: WriteAheadHeader, _ data: DataFile) throws(StorageError) -> [StructureFault] {
        guard let snapshot = header.snapshot else { return [] }
        return try data.faults(of: snapshot, filePages: UInt(try data.size() / header.pageSize))
    }

    // MARK: Repeating

    private static func frames(
        _ header: WriteAheadHeader, _ file: WriteAheadFile
    ) throws(StorageError) -> (bytes: [UInt8], found: [WriteAheadFrame]) {
        let bytes = try file.frames()
        return (bytes, bytes.withUnsafeBytes { WriteAheadFrame.all(in: $0, after: header) })
    }

    /// Restores the data file to the snapshot of a header and repeats the frames.
    private func restore(
        _ header: WriteAheadHeader, _ frames: [WriteAheadFrame], of bytes: [UInt8]
    ) throws(StorageError) {
        try writeMetaPages(of: header)
        try Medium.sync(file: dataPath)
        try DataFile.checkMetaPages(at: dataPath)
        try WriteAheadReplay(folder: folder, transaction: header.transaction).run(frames, of: bytes)
        try Medium.sync(file: dataPath)
    }

    private func writeMetaPages(of header: WriteAheadHeader) throws(StorageError) {
        let descriptor = open(dataPath, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno, "open", path: dataPath) }
        defer { close(descriptor) }
        for (number, page) in header.metaPages.enumerated() {
            try FileSystem.write(page, at: number * header.pageSize, to: descriptor, dataPath)
        }
    }

}
