import Events
import LMDB

/// Looks up one key of a view after another with one cursor: what lies near the last one is found at once.
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
}
