import LMDB

/// Records what one query reads. It stays on the thread of that query.
@usableFromInline
final class ReadRecorder {
    private(set) var readSet = ReadSet()
    /// Bytes of the rows that were read: an estimate of the size of the result.
    private(set) var byteCount = 0

    @usableFromInline
    init() {}

    func add(_ part: ReadSet.Part, of view: String) { readSet.add(part, of: view) }

    func add(_ kind: ReadSet.Kind, _ bytes: UnsafeRawBufferPointer, of view: String) {
        readSet.add(kind, bytes, of: view)
    }

    /// Reserves room for about that many parts.
    func reserve(_ count: Int) { readSet.reserve(count) }

    func count(_ row: Cursor.Row) { byteCount += row.key.count + row.value.count }

    func count(_ value: UnsafeRawBufferPointer?) { byteCount += value?.count ?? 0 }
}
