/// Writes the tree of one table, from rows that come in the order of their keys: page by page from the leaves to the root, each
/// filled and written once.
///
/// It leaves the pages as LMDB's own appending does (`MDB_APPEND`), whose layout `PageLayout` describes: a value that would
/// leave no room for a second row in a page lies in pages of its own. O(1) a row; memory: two pages a level.
///
/// Not for several threads at once.
package final class TreeWriter {
    private let output: PageOutput
    private let leaf: PageInMaking
    private var branches: [BranchLevel] = []
    /// The most bytes of a row: half of a page's room.
    private let rowLimit: Int
    // Where in the leaf's memory the last key lies: also that of the leaf before, until the next row is written.
    private var lastKey = 0..<0
    private(set) var record = TreeRecord.empty

    init(_ output: PageOutput) {
        self.output = output
        leaf = PageInMaking(size: output.pageSize, flags: PageLayout.PageFlags.leaf)
        rowLimit = ((output.pageSize - PageLayout.header) / 2 & ~1) - 2
    }

    /// Adds a row, whose key has 1 to 511 bytes and comes after all before it. Throws `LMDBError` `.other` if it does not, after
    /// which another may be added; and as the medium does, after which nothing more can be.
    package func append(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(LMDBError) {
        guard 1...PageLayout.maximumKey ~= key.count, UInt64(value.count) <= UInt64(UInt32.max), isNext(key) else {
            throw refusal(key, value)
        }
        let inRow = PageLayout.nodeHeader + key.count + value.count
        guard inRow <= rowLimit else { return try appendLarge(key, value) }
        let row = try addRow((inRow + 1) & ~1, key, valueSize: value.count, flags: 0)
        guard let source = value.baseAddress, value.count > 0 else { return }
        (row + PageLayout.nodeHeader + key.count).copyMemory(from: source, byteCount: value.count)
    }

    /// A row whose value lies in pages of its own.
    private func appendLarge(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(LMDBError) {
        let (first, count) = try output.append(value: value)
        record.overflowPages += count
        let size = (PageLayout.nodeHeader + key.count + PageLayout.word + 1) & ~1
        let row = try addRow(size, key, valueSize: value.count, flags: PageLayout.NodeFlags.bigData)
        withUnsafeBytes(of: first) { number in
            if let source = number.baseAddress {
                (row + PageLayout.nodeHeader + key.count).copyMemory(from: source, byteCount: number.count)
            }
        }
    }

    /// Adds a row without its value, and answers where it lies.
    @inline(__always)
    private func addRow(
        _ size: Int, _ key: UnsafeRawBufferPointer, valueSize: Int, flags: UInt16
    ) throws(LMDBError) -> UnsafeMutableRawPointer {
        if !leaf.hasRoom(for: size) { try finishLeaf() }
        let offset = leaf.add(size)
        let row = leaf.bytes.baseAddress.unsafelyUnwrapped + offset
        // A row takes an even number of bytes, of which the last may be nobody's.
        row.storeBytes(of: 0, toByteOffset: size - 1, as: UInt8.self)
        row.storeBytes(of: UInt32(truncatingIfNeeded: valueSize), as: UInt32.self)
        row.storeBytes(of: flags, toByteOffset: 4, as: UInt16.self)
        row.storeBytes(of: UInt16(truncatingIfNeeded: key.count), toByteOffset: 6, as: UInt16.self)
        (row + PageLayout.nodeHeader).copyMemory(from: key.baseAddress.unsafelyUnwrapped, byteCount: key.count)
        lastKey = offset + PageLayout.nodeHeader..<offset + PageLayout.nodeHeader + key.count
        record.entries += 1
        return row
    }

    @inline(__always)
    private func isNext(_ key: UnsafeRawBufferPointer) -> Bool {
        guard record.entries > 0 else { return true }
        let last = UnsafeRawBufferPointer(rebasing: leaf.bytes[lastKey])
        if last.count >= 8, key.count >= 8 {
            // Mostly the first eight bytes tell.
            let (before, after) = (
                UInt64(bigEndian: last.number(at: 0)), UInt64(bigEndian: key.number(at: 0))
            )
            if before != after { return before < after }
        }
        return KeyOrder.bytes.isAscending(last, key)
    }

    private func finishLeaf() throws(LMDBError) {
        let number = try output.append(leaf.finished())
        record.leafPages += 1
        let first = leaf.firstKey
        leaf.removeAll()
        try add(number, first, to: 0)
    }

    /// Adds a page to the branches of a level, the lowest being 0.
    private func add(_ page: UInt, _ key: [UInt8], to level: Int) throws(LMDBError) {
        if level == branches.count { branches.append(BranchLevel(pageSize: output.pageSize)) }
        guard let full = branches[level].add(page, key) else { return }
        try write(full, of: level)
    }

    private func write(_ branch: BranchLevel.Branch, of level: Int) throws(LMDBError) {
        let number = try output.append(branch.page.finished())
        record.branchPages += 1
        try add(number, branch.firstKey, to: level + 1)
    }

    /// Writes what is left, and answers the tree; no row may follow.
    func finish() throws(LMDBError) -> TreeRecord {
        guard record.entries > 0 else { return record }
        record.depth = 1
        guard !branches.isEmpty else {
            record.root = try output.append(leaf.finished())
            record.leafPages += 1
            return record
        }
        try finishLeaf()
        var level = 0
        while true {
            record.depth += 1
            let (before, last) = branches[level].finish()
            if let before { try write(before, of: level) }
            guard level + 1 < branches.count else {
                record.root = try output.append(last.page.finished())
                record.branchPages += 1
                return record
            }
            try write(last, of: level)
            level += 1
        }
    }

    @inline(never)
    private func refusal(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> LMDBError {
        let words =
            if !(1...PageLayout.maximumKey ~= key.count) {
                "A key has \(key.count) bytes, and keys have 1 to \(PageLayout.maximumKey)."
            } else if UInt64(value.count) > UInt64(UInt32.max) {
                "A value has \(value.count) bytes, and values have at most \(UInt32.max)."
            } else {
                "Row \(record.entries) of a table that is filled has a key that is not after the one before it."
            }
        return LMDBError(.other, words + " Nothing of what was to be filled is changed.")
    }
}
