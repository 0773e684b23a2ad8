package import Platform

extension StructureCheck {
    /// Checks what a row of a leaf leads to: a large value, a table, free pages.
    package mutating func visitRow(
        _ index: Int, of page: PageView, _ number: UInt, _ tree: inout Tree
    ) throws(StorageError) {
        let node = page.nodes[index]
        var offset = Int(number) * meta.pageSize + node.valueOffset
        if node.flags == PageLayout.NodeFlags.bigData {
            let start = page.withValue(index, count: PageLayout.word) { $0.number(at: 0, as: UInt.self) }
            guard let pages = try visitOverflow(start, holding: node.payload, tree.role) else { return }
            tree.overflowPages += pages
            offset = Int(start) * meta.pageSize + PageLayout.header
        }
        if node.flags == PageLayout.NodeFlags.subData {
            guard tree.role == .main else {
                return note(.rowFlags, tree.role, number, "row \(index) describes a table inside a table")
            }
            let record = page.withValue(index, count: PageLayout.treeRecord) { TreeRecord($0) }
            try walk(Tree(.named(String(decoding: page.key(index), as: UTF8.self)), record))
        }
        if tree.role == .freeList {
            let transaction = page.key(index).withUnsafeBytes { $0.number(at: 0, as: UInt.self) }
            guard transaction >= 1, transaction <= meta.transaction else {
                return note(.freeListRow, tree.role, number, "row \(index) is of transaction \(transaction)")
            }
            try visitFreePages(at: offset, size: Int(node.payload), number)
        }
    }

    /// Claims the pages of a large value; returns their number, or nil after a fault.
    private mutating func visitOverflow(
        _ start: UInt, holding size: UInt, _ role: Tree.Role
    ) throws(StorageError) -> UInt? {
        guard claim(start, role) else { return nil }
        let header = try file.bytes(PageLayout.header, at: Int(start) * meta.pageSize)
        guard header.count == PageLayout.header,
            checkHeader(header, start, flags: PageLayout.PageFlags.overflow, role)
        else { return nil }
        let pages = UInt(header.withUnsafeBytes { $0.number(at: PageLayout.word + 4, as: UInt32.self) })
        let end = start + pages
        guard pages >= 1, end <= meta.lastPage + 1, end <= filePages else {
            note(.pageOutOfRange, role, start, "a value of \(pages) pages in a file of \(filePages)")
            return nil
        }
        // A value replaced by a shorter one keeps more pages than it needs.
        guard UInt(PageLayout.header) + size <= pages * UInt(meta.pageSize) else {
            note(.valueSize, role, start, "a value of \(size) bytes in \(pages) pages")
            return nil
        }
        for number in (start + 1)..<max(end, start + 1) {
            guard claim(number, role) else { return nil }
        }
        return pages
    }

    /// Claims the pages that a row of the free list names: their count, then their numbers, the greatest first.
    private mutating func visitFreePages(at offset: Int, size: Int, _ number: UInt) throws(StorageError) {
        let word = PageLayout.word
        func fault(_ words: String) { note(.freeListRow, .freeList, number, words) }
        guard size >= word else { return fault("a row of \(size) bytes") }
        let head = try file.bytes(word, at: offset)
        guard head.count == word else { return fault("a row beyond the end of the file") }
        let count = head.withUnsafeBytes { $0.number(at: 0, as: UInt.self) }
        guard count <= UInt(size / word - 1) else { return fault("\(count) pages in a row of \(size) bytes") }
        var previous = UInt.max
        var done = 0
        while done < Int(count) {
            let share = min(Int(count) - done, 8192)
            let block = try file.bytes(share * word, at: offset + (1 + done) * word)
            guard block.count == share * word else { return fault("a row beyond the end of the file") }
            for index in 0..<share {
                let free = block.withUnsafeBytes { $0.number(at: index * word, as: UInt.self) }
                // Free pages may lie beyond the end of the file: they were never written.
                guard free >= 2, free <= meta.lastPage, free < previous else {
                    return fault("page \(free) after \(previous), of \(meta.lastPage + 1)")
                }
                guard used.insert(free) else {
                    return note(.pageUsedTwice, .freeList, free, "listed as free and used, or listed twice")
                }
                previous = free
            }
            done += share
        }
    }
}
