import Foundation

/// Finds one row, or the rows under one prefix, after another: what lies near the last one is found at once.
///
/// Rows that it shows follow the rule of `ReadTransaction`: valid until the closure ends or the next write.
public struct RowFinder: ~Copyable {
    private let transaction: ReadTransaction
    private let table: Table
    private let tree: TreeReader?
    /// Where the last row was found.
    private var leaf: PageReader?
    /// What asks LMDB, once it had to be asked.
    private var cursor: Cursor?

    init(_ transaction: consuming ReadTransaction, _ table: Table) {
        tree = TreeReader(transaction, table)
        self.transaction = transaction
        self.table = table
    }

    /// The value under a key, or nil. O(log n).
    public mutating func value(of key: UnsafeRawBufferPointer) throws(LMDBError) -> UnsafeRawBufferPointer? {
        if let tree, let wanted = SearchKey(key), let leaf = leaf(for: wanted, tree),
            let found = tree.value(of: wanted, in: leaf)
        {
            return found
        }
        try openCursor()
        return try cursor?.value(of: key) ?? nil
    }

    /// Calls `body` with each row whose key begins with `prefix`, in order. O(log n + rows).
    ///
    /// Throws `LMDBError`, and what `body` throws.
    public mutating func forEachRow(
        withPrefix prefix: UnsafeRawBufferPointer, _ body: (Cursor.Row) throws -> Void
    ) throws {
        var last: Cursor.Row?
        if let tree, let wanted = SearchKey(prefix), let leaf = leaf(for: wanted, tree),
            let start = leaf.search(wanted)
        {
            var index = start.index
            while index < leaf.count, let row = leaf.row(index, tree.pages) {
                guard row.key.hasPrefix(prefix) else { return }
                try body(row)
                last = row
                index += 1
            }
        }
        // They go on in another leaf, or cannot be read like this.
        try openCursor()
        var row: Cursor.Row?
        if let last {
            row = try cursor?.seek(atOrAfter: last.key) ?? nil
            // A page whose rows are not in order may lead LMDB to another place.
            if let found = row, found.key.elementsEqual(last.key) { row = try cursor?.next() ?? nil }
        } else {
            row = prefix.isEmpty ? try cursor?.first() ?? nil : try cursor?.seek(atOrAfter: prefix) ?? nil
        }
        while let current = row, current.key.hasPrefix(prefix) {
            try body(current)
            row = try cursor?.next() ?? nil
        }
    }

    /// The leaf where a key would lie; the last one if that is it.
    private mutating func leaf(for key: SearchKey, _ tree: TreeReader) -> PageReader? {
        if let leaf, leaf.spans(key) { return leaf }
        leaf = tree.leaf(for: key)
        return leaf
    }

    private mutating func openCursor() throws(LMDBError) {
        if cursor == nil { cursor = try transaction.cursor(on: table) }
    }
}

extension ReadTransaction {
    /// What finds rows of a table one after the other; it must not outlive the closure.
    public func finder(in table: Table) -> RowFinder { RowFinder(alias(), table) }
}

extension UnsafeRawBufferPointer {
    fileprivate func hasPrefix(_ prefix: UnsafeRawBufferPointer) -> Bool {
        guard prefix.count <= count else { return false }
        guard let start = baseAddress, let other = prefix.baseAddress else { return true }
        return memcmp(start, other, prefix.count) == 0
    }
}
