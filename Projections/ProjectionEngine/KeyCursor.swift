import Events
public import LMDB

/// Looks up one key, or one prefix of keys, of a view after another: what lies near the last one is found at once,
/// and it is cheaper than a scan for each.
///
/// It must not outlive the read that it belongs to.
public struct KeyCursor: ~Copyable {
    private var rows: RowFinder
    private let view: String
    private let recorder: ReadRecorder?

    init(_ rows: consuming RowFinder, view: String, recorder: ReadRecorder?) {
        self.rows = rows
        self.view = view
        self.recorder = recorder
    }

    /// The value under a key, or nil; valid as long as the read. O(log n).
    public mutating func value(of key: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer? {
        recorder?.add(.key, key, of: view)
        let value = try rows.value(of: key)
        recorder?.count(value)
        return value
    }

    /// Calls `body` with each row whose key begins with `prefix`, in order. O(log n + rows).
    ///
    /// The rows are valid as long as the read. Throws `LMDBError`, and what `body` throws.
    public mutating func forEachRow(
        withPrefix prefix: UnsafeRawBufferPointer, _ body: (Cursor.Row) throws -> Void
    ) throws {
        recorder?.add(.prefix, prefix, of: view)
        try rows.forEachRow(withPrefix: prefix) { row in
            recorder?.count(row)
            try body(row)
        }
    }
}
