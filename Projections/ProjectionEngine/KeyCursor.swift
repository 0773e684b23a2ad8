import Events
public import LMDB

/// Looks up one key, or one prefix of keys, of a view after another: what lies near the last one is found at once,
/// and it is cheaper than a scan for each.
///
/// It must not outlive the read that it belongs to.
public struct KeyCursor: ~Copyable {
    private var cursor: Cursor
    private let view: String
    private let recorder: ReadRecorder?

    init(_ cursor: consuming Cursor, view: String, recorder: ReadRecorder?) {
        self.cursor = cursor
        self.view = view
        self.recorder = recorder
    }

    /// The value under a key, or nil; valid as long as the read. O(log n).
    public mutating func value(of key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        recorder?.add(.key, key, of: view)
        let value = try cursor.value(of: key)
        recorder?.count(value)
        return value
    }

    /// Calls `body` with each row whose key begins with `prefix`, in order. O(log n + rows).
    ///
    /// The rows are valid as long as the read. Throws `StorageError`, and what `body` throws.
    public mutating func forEachRow(
        withPrefix prefix: UnsafeRawBufferPointer, _ body: (Cursor.Row) throws -> Void
    ) throws {
        recorder?.add(.prefix, prefix, of: view)
        var row = try prefix.isEmpty ? cursor.first() : cursor.seek(atOrAfter: prefix)
        while let current = row, current.key.hasPrefix(prefix) {
            recorder?.count(current)
            try body(current)
            row = try cursor.next()
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func hasPrefix(_ prefix: UnsafeRawBufferPointer) -> Bool {
        prefix.count <= count && UnsafeRawBufferPointer(rebasing: self[..<prefix.count]).equals(prefix)
    }
}
