import Foundation
package import Platform

extension DataFile {
    /// The two meta pages of a file that is intact enough for LMDB to find them.
    package struct MetaPages: Hashable {
        package let first: MetaPage
        package let second: MetaPage
        /// Whole pages in the file.
        package let filePages: UInt

        /// The one that LMDB uses: the one with the greater transaction, the first of equals.
        package var newest: MetaPage { first.transaction < second.transaction ? second : first }

        /// The one of a transaction, if it is still there.
        package func page(of transaction: UInt) -> MetaPage? {
            [first, second].first { $0.transaction == transaction }
        }
    }

    /// Throws unless LMDB can open the file in a folder without a crash. Cheap: it reads two small blocks.
    ///
    /// It covers only what opening touches; `checkStructure` checks everything. Throws `StorageError` `.damaged`.
    package static func checkMetaPages(at path: String) throws(StorageError) {
        let file = try DataFile(path: path)
        guard let fault = try file.persistentFault() else { return }
        throw StorageError(
            .damaged,
            "\(path) cannot be opened: \(fault.description). The file is not intact; restore it from a replica or a "
                + "backup, or delete its folder if nothing was ever stored there.")
    }

    /// A fault that a second read confirms, or nil.
    ///
    /// A writer in another process may change a page between and even during reads, or be about to write a new file's
    /// first pages; what looks like damage then is gone a moment later.
    package func persistentFault() throws(StorageError) -> StructureFault? {
        var previous: (metas: MetaPages?, fault: StructureFault)?
        var patience = 50
        while true {
            let metas: MetaPages?
            let fault: StructureFault?
            switch try readMetaPages() {
            case .success(let found):
                metas = found
                fault = try found.map { pages throws(StorageError) in try self.fault(to: pages) } ?? nil
            case .failure(let found):
                metas = nil
                fault = found
            }
            guard let fault else { return nil }
            if fault.mayBeUnfinished && patience > 0 {
                patience -= 1
                usleep(2000)
            } else if let previous, previous.metas == metas, previous.fault == fault {
                return fault
            }
            previous = (metas, fault)
        }
    }

    /// Reads both meta pages and checks their constant fields; nil for an empty file, which LMDB fills.
    package func readMetaPages() throws(StorageError) -> Result<MetaPages?, StructureFault> {
        let block = try bytes(MetaPage.size, at: 0)
        if block.isEmpty { return .success(nil) }
        guard block.count == MetaPage.size else {
            return .failure(
                StructureFault(
                    kind: .metaPage, page: 0,
                    description: "it has \(block.count) bytes, fewer than its first page needs"))
        }
        let first = block.withUnsafeBytes { MetaPage($0) }
        if let fault = first.identityFault(number: 0) { return .failure(fault) }
        let next = try bytes(MetaPage.size, at: first.pageSize)
        guard next.count == MetaPage.size else {
            return .failure(
                StructureFault(
                    kind: .metaPage, page: 1, description: "it ends within its second page",
                    mayBeUnfinished: first.transaction == 0))
        }
        let second = next.withUnsafeBytes { MetaPage($0) }
        if let fault = second.identityFault(number: 1) { return .failure(fault) }
        guard second.pageSize == first.pageSize else {
            return .failure(
                StructureFault(
                    kind: .metaPage, page: 1,
                    description:
                        "its first two pages name different page sizes, \(first.pageSize) and \(second.pageSize)"))
        }
        // The size last: a file only grows, so it is at least what the pages name.
        let filePages = UInt(try size() / first.pageSize)
        return .success(MetaPages(first: first, second: second, filePages: filePages))
    }

    /// What would crash LMDB in the snapshot it is going to use, or nil.
    private func fault(to pages: MetaPages) throws(StorageError) -> StructureFault? {
        let newest = pages.newest
        let number: UInt = newest == pages.first ? 0 : 1
        if let fault = newest.contentFault(number: number, filePages: pages.filePages) { return fault }
        guard newest.lastPage >= pages.filePages else { return nil }
        // Pages at the end that were allocated and freed in one transaction are never written: then the free list has
        // them. Any other page beyond the end was lost.
        var check = StructureCheck(self, newest, filePages: pages.filePages)
        try check.walkFreeList()
        guard let page = check.firstUnusedPage(from: pages.filePages) else { return nil }
        return StructureFault(
            kind: .fileTooShort, page: page,
            description:
                "it has \(pages.filePages) pages, but transaction \(newest.transaction) used \(newest.lastPage + 1)")
    }
}

extension MetaPage {
    /// The fault in the constant fields, or nil.
    package func identityFault(number: UInt) -> StructureFault? {
        func fault(_ words: String) -> StructureFault {
            StructureFault(
                kind: .metaPage, page: number, description: "page \(number) \(words)",
                // A file whose first bytes are zero may have got its length before its content.
                mayBeUnfinished: magic == 0 && version == 0)
        }
        guard isMeta, magic == PageLayout.magic else {
            return fault("does not begin as one of LMDB's (0x\(String(magic, radix: 16)))")
        }
        guard version == PageLayout.version else {
            return fault("has format version \(version), and only \(PageLayout.version) is known")
        }
        guard PageLayout.pageSizes.contains(pageSize), pageSize.nonzeroBitCount == 1 else {
            return fault("names a page size of \(pageSize) bytes")
        }
        return nil
    }

    /// The fault in the content of the page that LMDB uses, or nil.
    package func contentFault(number: UInt, filePages: UInt) -> StructureFault? {
        func fault(_ words: String) -> StructureFault {
            StructureFault(kind: .metaPage, page: number, description: "page \(number) \(words)")
        }
        // LMDB finds the page of a transaction by its number alone. Both pages of a new file say 0.
        guard transaction == 0 || transaction & 1 == number, transaction < Self.transactionLimit else {
            return fault("names transaction \(transaction), which does not belong there")
        }
        guard mapSize <= Self.largestMap else { return fault("names a map of \(mapSize) bytes") }
        guard lastPage >= 1, lastPage < mapSize / UInt(pageSize) else {
            return fault("names \(lastPage) as the last page, in a map of \(mapSize) bytes")
        }
        guard lastPage < filePages + Self.mostUnwrittenPages else {
            return fault("names \(lastPage) as the last page, in a file of \(filePages) pages")
        }
        for (tree, record) in [("free list", freeList), ("main table", main)] {
            // Compared one by one: a file that ends within its second page would make an invalid range.
            guard record.isEmpty || record.root >= 2 && record.root < filePages && record.root <= lastPage else {
                return fault("has the root of the \(tree) at page \(record.root) of \(lastPage)")
            }
        }
        guard freeList.flags & ~PageLayout.TreeFlags.noFolder == PageLayout.TreeFlags.integerKey, main.flags == 0 else {
            return fault("has flags 0x\(String(freeList.flags, radix: 16)) and 0x\(String(main.flags, radix: 16))")
        }
        return nil
    }

    /// No page reaches this transaction number by counting: so no code that counts on from it overflows.
    package static let transactionLimit = UInt.max >> 2
    /// More than a process can reserve: 128 TiB.
    package static let largestMap = UInt(clamping: UInt64(1) << 47)
    /// How far the last page may lie beyond the end of the file: pages allocated and freed within one transaction. That
    /// many are 16 GiB.
    private static let mostUnwrittenPages: UInt = 1 << 22
}
