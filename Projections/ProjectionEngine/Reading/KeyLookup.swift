import Events
package import LMDB

/// Looks up single keys, or prefixes of keys, of one view; the view's name is resolved once.
///
/// It must not outlive the read that it belongs to, nor must its results.
package struct KeyLookup: ~Copyable {
    private let transaction: ReadTransaction
    private let table: Table
    private let view: String
    private let recorder: ReadRecorder?

    init(_ transaction: consuming ReadTransaction, _ table: Table, view: String, recorder: ReadRecorder?) {
        self.transaction = transaction
        self.table = table
        self.view = view
        self.recorder = recorder
    }

    /// The value under a key, or nil; valid as long as the read. O(log n).
    package func value(of key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        recorder?.add(.key, key, of: view)
        let value = try transaction.get(key, in: table)
        recorder?.count(value)
        return value
    }

    /// Calls `body` with each row whose key begins with `prefix`, in order, until it returns false. O(log n + rows).
    ///
    /// The rows are valid as long as the read. All rows with the prefix count as read, even if `body` ends early. Throws `StorageError`,
    /// and what `body` throws.
    package func forEachRow(
        withPrefix prefix: UnsafeRawBufferPointer, _ body: (Cursor.Row) throws -> Bool
    ) throws {
        recorder?.add(.prefix, prefix, of: view)
        var cursor = try transaction.cursor(on: table)
        var row = try prefix.isEmpty ? cursor.first() : cursor.seek(atOrAfter: prefix)
        while let current = row, current.key.hasPrefix(prefix) {
            recorder?.count(current)
            guard try body(current) else { return }
            row = try cursor.next()
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func hasPrefix(_ prefix: UnsafeRawBufferPointer) -> Bool {
        prefix.count <= count && UnsafeRawBufferPointer(rebasing: self[..<prefix.count]).equals(prefix)
    }
}
