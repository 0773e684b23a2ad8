package import Platform

/// Writes the leaves of one part of a data file, from rows in key order: each page is filled and written once.
///
/// The pages are as LMDB's own appending leaves them (`MDB_APPEND`), whose layout `PageLayout` describes: a value that
/// would leave no room for a second row in a page lies in overflow pages. O(1) a row.
///
/// Not thread-safe.
package final class PartWriter {
    private let number: UInt8
    private let output: PageOutput
    private let leaf: PageBuilder
    private var leaves = LeafList()
    /// The maximum size of a row in bytes: half of a page's room.
    private let rowLimit: Int
    // The offset of the last key in the leaf's memory; after a leaf is finished, still that of its last key.
    // Unchecked here and below: no access lasts longer than a load or a store, and the check is expensive once for each row.
    @exclusivity(unchecked) private var lastKey = 0..<0
    /// How many rows there are.
    @exclusivity(unchecked) package private(set) var count = 0
    package private(set) var overflowPages: UInt = 0

    package init(_ number: UInt8, _ output: PageOutput) {
        self.number = number
        self.output = output
        leaf = PageBuilder(size: output.pageSize, flags: PageLayout.PageFlags.leaf)
        rowLimit = ((output.pageSize - PageLayout.header) / 2 & ~1) - 2
    }

    /// Adds a row, whose key has 1 to 510 bytes and comes after all before it. Throws `StorageError`: `.other` for a
    /// wrong key, after which another row may be added; and as the medium does, after which no row can be.
    package func append(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(StorageError) {
        guard 1..<PageLayout.maximumKey ~= key.count, UInt64(value.count) <= UInt64(UInt32.max), isNext(key) else {
            throw refusal(key, value)
        }
        let inRow = PageLayout.nodeHeader + 1 + key.count + value.count
        guard inRow <= rowLimit else { return try appendLarge(key, value) }
        let row = try addRow((inRow + 1) & ~1, key, valueSize: value.count, flags: 0)
        guard let source = value.baseAddress, value.count > 0 else { return }
        (row + PageLayout.nodeHeader + 1 + key.count).copyMemory(from: source, byteCount: value.count)
    }

    /// The same for arrays.
    package func append(_ key: [UInt8], _ value: [UInt8]) throws(StorageError) {
        try key.withBytes { key in
            value.withBytes { value in Result { () throws(StorageError) in try append(key, value) } }
        }.get()
    }

    /// A row whose value lies in overflow pages.
    private func appendLarge(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(StorageError) {
        let (first, count) = try output.append(value: value)
        overflowPages += count
        let size = (PageLayout.nodeHeader + 1 + key.count + PageLayout.word + 1) & ~1
        let row = try addRow(size, key, valueSize: value.count, flags: PageLayout.NodeFlags.bigData)
        withUnsafeBytes(of: first) { number in
            if let source = number.baseAddress {
                (row + PageLayout.nodeHeader + 1 + key.count).copyMemory(from: source, byteCount: number.count)
            }
        }
    }

    /// Adds a row without its value, and returns the value's offset.
    @inline(__always)
    private func addRow(
        _ size: Int, _ key: UnsafeRawBufferPointer, valueSize: Int, flags: UInt16
    ) throws(StorageError) -> UnsafeMutableRawPointer {
        if !leaf.hasRoom(for: size) { try finishLeaf() }
        let offset = leaf.add(size)
        let row = leaf.bytes.baseAddress.unsafelyUnwrapped + offset
        // A row takes an even number of bytes; the last may be padding.
        row.storeBytes(of: 0, toByteOffset: size - 1, as: UInt8.self)
        row.storeBytes(of: UInt32(truncatingIfNeeded: valueSize), as: UInt32.self)
        row.storeBytes(of: flags, toByteOffset: 4, as: UInt16.self)
        row.storeBytes(of: UInt16(truncatingIfNeeded: 1 + key.count), toByteOffset: 6, as: UInt16.self)
        let start = offset + PageLayout.nodeHeader + 1
        row.storeBytes(of: number, toByteOffset: PageLayout.nodeHeader, as: UInt8.self)
        (row + PageLayout.nodeHeader + 1).copyMemory(from: key.baseAddress.unsafelyUnwrapped, byteCount: key.count)
        lastKey = start..<start + key.count
        count += 1
        return row
    }

    @inline(__always)
    private func isNext(_ key: UnsafeRawBufferPointer) -> Bool {
        guard count > 0 else { return true }
        let last = UnsafeRawBufferPointer(rebasing: leaf.bytes[lastKey])
        if last.count >= 8, key.count >= 8 {
            // Mostly the first eight bytes decide.
            let (before, after) = (
                UInt64(bigEndian: last.number(at: 0)), UInt64(bigEndian: key.number(at: 0))
            )
            if before != after { return before < after }
        }
        return KeyOrder.bytes.isAscending(last, key)
    }

    private func finishLeaf() throws(StorageError) {
        leaves.append(try output.append(leaf.finished()), leaf.firstKey)
        leaf.removeAll()
    }

    /// Writes the remaining rows, and returns the leaves; no row may follow.
    package func finish() throws(StorageError) -> LeafList {
        if leaf.count > 0 { try finishLeaf() }
        return leaves
    }

    @inline(never)
    private func refusal(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> StorageError {
        let words =
            if !(1..<PageLayout.maximumKey ~= key.count) {
                "A key has \(key.count) bytes, and keys have 1 to \(PageLayout.maximumKey - 1)."
            } else if UInt64(value.count) > UInt64(UInt32.max) {
                "A value has \(value.count) bytes, and values have at most \(UInt32.max)."
            } else {
                "Row \(count) of a part that is filled has a key that is not after the one before it."
            }
        return StorageError(.other, words + " It was not added.")
    }
}
