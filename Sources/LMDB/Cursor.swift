internal import CLMDB

/// A place in a table, moved in the order of keys.
///
/// Rows that it shows follow the rule of `ReadTransaction`: valid until the closure ends or the next write.
public struct Cursor: ~Copyable {
    /// A row under a cursor.
    public struct Row {
        public let key: UnsafeRawBufferPointer
        public let value: UnsafeRawBufferPointer
    }

    private let raw: OpaquePointer
    // As in `ReadTransaction`, which it does not outlive.
    private let owner: Unmanaged<Environment>
    private let bounds: MapBounds?

    init(_ transaction: borrowing ReadTransaction, _ table: Table) throws(LMDBError) {
        var cursor: OpaquePointer?
        let number = mdb_cursor_open(transaction.raw, table.handle, &cursor)
        guard number == MDB_SUCCESS, let cursor else {
            throw LMDBError(number, "read", path: transaction.owner.takeUnretainedValue().path)
        }
        self.raw = cursor
        owner = transaction.owner
        self.bounds = transaction.bounds
    }

    deinit { mdb_cursor_close(raw) }

    /// The row with the smallest key, or nil if the table is empty.
    public mutating func first() throws(LMDBError) -> Row? { try move(MDB_FIRST) }

    /// The row with the greatest key, or nil if the table is empty.
    public mutating func last() throws(LMDBError) -> Row? { try move(MDB_LAST) }

    /// The row after the one last shown, or nil at the end.
    public mutating func next() throws(LMDBError) -> Row? { try move(MDB_NEXT) }

    /// The row before the one last shown, or nil at the start.
    public mutating func previous() throws(LMDBError) -> Row? { try move(MDB_PREV) }

    /// The row with the smallest key that is not below `key`, or nil.
    public mutating func seek(atOrAfter key: some ByteSource) throws(LMDBError) -> Row? {
        try key.withBytes { bytes in Result { () throws(LMDBError) in try find(bytes) } }.get()
    }

    /// As for any other key; compiled once.
    public mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(LMDBError) -> Row? { try find(key) }

    private func find(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> Row? {
        var value = MDB_val()
        var found = MDB_val(key)
        return try row(mdb_cursor_get(raw, &found, &value, MDB_SET_RANGE), found, value)
    }

    /// The value under a key, or nil. Where the cursor stands is looked at first: a key near the last one is found without a
    /// walk from the root.
    public mutating func value(of key: UnsafeRawBufferPointer) throws(LMDBError) -> UnsafeRawBufferPointer? {
        var value = MDB_val()
        var key = MDB_val(key)
        let number = mdb_cursor_get(raw, &key, &value, MDB_SET)
        if number == MDB_NOTFOUND { return nil }
        guard number == MDB_SUCCESS else { throw failure(number) }
        return try checkedBytes(value, bounds, owner)
    }

    /// The row with the greatest key that is below `key`, or nil.
    public mutating func seek(before key: some ByteSource) throws(LMDBError) -> Row? {
        try seek(atOrAfter: key) == nil ? last() : previous()
    }

    private func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Row? {
        var key = MDB_val()
        var value = MDB_val()
        return try row(mdb_cursor_get(raw, &key, &value, operation), key, value)
    }

    @inline(never)
    private func failure(_ number: Int32) -> LMDBError { owner.takeUnretainedValue().failure(number, "read") }

    @inline(__always)
    private func row(_ number: Int32, _ key: MDB_val, _ value: MDB_val) throws(LMDBError) -> Row? {
        if number == MDB_NOTFOUND { return nil }
        guard number == MDB_SUCCESS else { throw failure(number) }
        return Row(key: try checkedBytes(key, bounds, owner), value: try checkedBytes(value, bounds, owner))
    }
}
