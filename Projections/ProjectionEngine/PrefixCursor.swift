import Events
public import LMDB

/// Reads the rows of one prefix after another with one cursor: cheaper than a scan for each.
///
/// It must not outlive the read that it belongs to.
public struct PrefixCursor: ~Copyable {
    private var cursor: Cursor
    private let view: String
    private let recorder: ReadRecorder?

    init(_ cursor: consuming Cursor, view: String, recorder: ReadRecorder?) {
        self.cursor = cursor
        self.view = view
        self.recorder = recorder
    }

    /// Calls `body` with each row whose key begins with `prefix`, in order. O(log n + rows).
    ///
    /// The rows are valid as long as the read. Throws `LMDBError`, and what `body` throws.
    public mutating func forEachRow(
        withPrefix prefix: UnsafeRawBufferPointer, _ body: (Cursor.Row) throws -> Void
    ) throws {
        recorder?.add(.prefix, prefix, of: view)
        var row = prefix.isEmpty ? try cursor.first() : try cursor.seek(atOrAfter: prefix)
        while let current = row, current.key.begins(with: prefix) {
            recorder?.count(current)
            try body(current)
            row = try cursor.next()
        }
    }
}
