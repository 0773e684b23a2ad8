import LMDB

/// Records what one query reads. It stays on the thread of that query.
@usableFromInline
final class ReadRecorder {
    private(set) var readSet = ReadSet()
    /// Bytes of the rows that were read: an estimate of the size of the result.
    fileprivate(set) var byteCount = 0

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

extension ViewSnapshot {
    /// Lets `body`, which also returns how many bytes its result takes, count as having read only these: a sum over many rows is small.
    package func sized<T>(_ body: () throws -> (result: T, byteCount: Int)) rethrows -> T {
        let before = recorder?.byteCount ?? 0
        let (result, byteCount) = try body()
        recorder?.byteCount = before + byteCount
        return result
    }
}
