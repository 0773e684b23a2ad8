internal import CLMDB

/// Writes rows after all others of a table, in the order of their keys: the quickest way into an empty one.
///
/// A cursor stays at the end, so that no row costs a search. It must not outlive the closure of its transaction.
public struct RowAppender: ~Copyable {
    private let raw: OpaquePointer
    /// Not counted: it is valid inside a transaction, in which the environment is alive.
    private let owner: Unmanaged<Environment>

    init(_ transaction: borrowing WriteTransaction, _ table: Table) throws(LMDBError) {
        owner = transaction.reading.owner
        transaction.changes?.leaveOut()
        var cursor: OpaquePointer?
        let number = mdb_cursor_open(transaction.reading.raw, table.handle, &cursor)
        guard number == MDB_SUCCESS, let cursor else {
            throw owner.takeUnretainedValue().failure(number, "write to")
        }
        raw = cursor
    }

    deinit { mdb_cursor_close(raw) }

    /// Adds a row. Throws `LMDBError` if a key as large is there, among other things.
    public mutating func append(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(LMDBError) {
        var key = MDB_val(key)
        var value = MDB_val(value)
        let number = mdb_cursor_put(raw, &key, &value, UInt32(MDB_APPEND))
        if number != MDB_SUCCESS { try owner.takeUnretainedValue().checkChange(number) }
    }
}

extension WriteTransaction {
    /// Something that adds rows at the end of a table. Nothing else may write to the table while it is in use.
    public func appender(to table: Table) throws(LMDBError) -> RowAppender { try RowAppender(self, table) }
}
