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
    private let environment: Environment
    private let bounds: MapBounds?

    init(_ transaction: borrowing ReadTransaction, _ table: Table) throws(LMDBError) {
        let environment = transaction.environment
        var cursor: OpaquePointer?
        let number = mdb_cursor_open(transaction.raw, table.handle, &cursor)
        guard number == MDB_SUCCESS, let cursor else { throw LMDBError(number, "read", path: environment.path) }
        self.raw = cursor
        self.environment = environment
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
        var value = MDB_val()
        var found = MDB_val()
        let number = key.withBytes { bytes in
            found = MDB_val(bytes)
            return mdb_cursor_get(raw, &found, &value, MDB_SET_RANGE)
        }
        return try row(number, found, value)
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

    private func row(_ number: Int32, _ key: MDB_val, _ value: MDB_val) throws(LMDBError) -> Row? {
        if number == MDB_NOTFOUND { return nil }
        try environment.check(number, "read")
        return Row(key: try checkedBytes(key, bounds, environment), value: try checkedBytes(value, bounds, environment))
    }
}
