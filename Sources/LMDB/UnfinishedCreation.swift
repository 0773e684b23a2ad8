import Foundation
import LMDBFormat
public import Platform

/// A data file whose creation was cut off by a power cut or a full disk.
///
/// LMDB writes the two meta pages of a new file at once and does not sync them. The first commit, which makes the
/// tables, syncs them together with its own pages before it names those. So as long as one of the two pages is missing,
/// nothing was ever committed durably, and the file can be created again.
enum UnfinishedCreation {
    /// The most pages that a file has before its first commit ends: the meta pages, and those of a small transaction.
    private static let mostPages = 4
    /// Whether the data file in a folder must be created: there is none, or its creation was cut off. Empties a cut-off
    /// file, so that LMDB takes it for new.
    ///
    /// The caller holds the environment's `OpeningLock`, and this process has it closed: no other process is creating
    /// it.
    ///
    /// Throws `StorageError`: `.unfinished` where nothing is to be created, `.damaged` if commits were stored here
    /// once, `.alreadyOpen` if another process is creating it, or what the file system refuses.
    static func prepareCreation(
        in folder: String, _ options: Environment.Options, isAlone: Bool
    ) throws(StorageError) -> Bool {
        let path = folder + "/data.mdb"
        guard FileIdentity(path: path) != nil else {
            try refuseIfWrittenAhead(folder, "is missing")
            return true
        }
        guard try isUnfinished(at: path) else { return false }
        try refuseIfWrittenAhead(folder, "lacks its first pages")
        guard options.access == .creating else {
            throw StorageError(
                .unfinished,
                "The creation of \(path) was cut off, and nothing was stored there. Opening it for writing makes it anew."
            )
        }
        guard isAlone else {
            throw StorageError(
                .alreadyOpen,
                "\(path) is unfinished, and another program has \(folder) open. Close that, and try again.")
        }
        guard truncate(path, 0) == 0 else { throw StorageError(errno, "make anew", path: path) }
        return true
    }

    /// Whether there is a data file whose creation was cut off, or none.
    static func isUnfinished(in folder: String) throws(StorageError) -> Bool {
        let path = folder + "/data.mdb"
        guard FileIdentity(path: path) != nil else { return true }
        return try isUnfinished(at: path)
    }

    private static func isUnfinished(at path: String) throws(StorageError) -> Bool {
        let file = try DataFile(path: path)
        // LMDB uses the system's page size, up to a limit.
        let pageSize = min(Int(getpagesize()), PageLayout.pageSizes.upperBound)
        guard try file.size() <= mostPages * pageSize else { return false }
        let bytes = try file.bytes(2 * pageSize, at: 0)
        var whole = 0
        for number in 0..<2 {
            let page = bytes.dropFirst(number * pageSize).prefix(pageSize)
            if page.allSatisfy({ $0 == 0 }) { continue }
            guard isInitialMeta(Array(page), number, pageSize) else { return false }
            if page.count == pageSize { whole += 1 }
        }
        return whole < 2
    }

    /// Whether a page, or the part of it that exists, is a meta page as LMDB lays it out in a new file.
    private static func isInitialMeta(_ page: [UInt8], _ number: Int, _ pageSize: Int) -> Bool {
        guard page.count >= MetaPage.size, page[MetaPage.size...].allSatisfy({ $0 == 0 }) else { return false }
        return page.withUnsafeBytes { bytes in
            let meta = MetaPage(bytes)
            return bytes.number(at: 0, as: UInt.self) == UInt(number) && meta.isMeta && meta.magic == PageLayout.magic
                && meta.version == PageLayout.version && meta.pageSize == pageSize && meta.transaction == 0
                && meta.freeList.isEmpty && meta.main.isEmpty && meta.lastPage == 1
        }
    }

    /// The write-ahead file gets its size once commits have been stored, and keeps it. With one present, the data file
    /// was complete once: a lost one must not be taken for a cut-off creation.
    private static func refuseIfWrittenAhead(_ folder: String, _ fault: String) throws(StorageError) {
        guard let ahead = try WriteAheadFile(in: folder, creating: false),
            let size = try? DataFile(path: ahead.path).size(),
            size > 0
        else { return }
        let isEnabled = try ahead.header()?.isEnabled == true
        throw StorageError(
            .damaged,
            "\(folder)/data.mdb \(fault), and '\(WriteAheadFile.name)' beside it shows that commits were stored"
                + (isEnabled ? ", the last of which lie there" : "")
                + ". Restore the folder from a backup, or the store from a replica; or remove the folder to begin a new one. "
                + "Nothing was changed.")
    }
}

extension Environment {
    /// Whether the environment in a folder has yet to be created: there is no data file, or one whose creation was cut
    /// off.
    ///
    /// Throws `StorageError` if the file cannot be read.
    public static func isToBeMade(at path: String) throws(StorageError) -> Bool {
        try UnfinishedCreation.isUnfinished(in: path)
    }
}
