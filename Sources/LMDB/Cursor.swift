public import LMDBFormat
internal import LMDBLibrary
public import Platform

/// A position in a table, moved in key order.
///
/// Returned rows follow the rule of `ReadTransaction`: valid until the closure ends or the next write. After a move
/// that returned nil, position the cursor with `first`, `last` or a seek.
public struct Cursor: ~Copyable {
    /// A row under a cursor.
    public struct Row {
        public let key: UnsafeRawBufferPointer
        public let value: UnsafeRawBufferPointer
    }

    private let raw: OpaquePointer
    private let table: Table
    // Counted, other than in `ReadTransaction`: a cursor is closed in its environment, perhaps after the read.
    private let owner: Environment
    private let bounds: MapBounds?
    private var isPlaced = false

    init(_ transaction: borrowing ReadTransaction, _ table: Table) throws(StorageError) {
        var cursor: OpaquePointer?
        let number = mdb_cursor_open(transaction.raw, table.handle, &cursor)
        guard number == MDB_SUCCESS, let cursor else {
            throw StorageError(lmdb: number, "read", path: transaction.owner.path)
        }
        self.raw = cursor
        self.table = table
        owner = transaction.owner
        self.bounds = transaction.bounds
    }

    deinit { mdb_cursor_close(raw) }

    /// The row with the smallest key, or nil if the table is empty.
    public mutating func first() throws(StorageError) -> Row? {
        isPlaced = true
        guard let part = table.part else { return try move(MDB_FIRST) }
        return try find(bound: part)
    }

    /// The row with the greatest key, or nil if the table is empty.
    public mutating func last() throws(StorageError) -> Row? {
        isPlaced = true
        // The row before the first of the next part.
        guard let part = table.part, part < .max else { return try move(MDB_LAST) }
        let next = try find(bound: part + 1, ofAnyPart: true)
        return try move(next == nil ? MDB_LAST : MDB_PREV)
    }

    /// The row after the one last returned, or nil at the end; the first row if none was returned yet.
    public mutating func next() throws(StorageError) -> Row? { try isPlaced ? move(MDB_NEXT) : first() }

    /// The row before the one last returned, or nil at the start; the last row if none was returned yet.
    public mutating func previous() throws(StorageError) -> Row? { try isPlaced ? move(MDB_PREV) : last() }

    /// The row with the smallest key that is not below `key`, or nil.
    public mutating func seek(atOrAfter key: some ByteSource) throws(StorageError) -> Row? {
        try key.withBytes { bytes in Result { () throws(StorageError) in try find(bytes) } }.get()
    }

    /// Returns the row with the smallest key that is not below the raw bytes `key`, or nil. Not generic, so compiled
    /// once.
    public mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(StorageError) -> Row? { try find(key) }

    private mutating func find(_ key: UnsafeRawBufferPointer) throws(StorageError) -> Row? {
        isPlaced = true
        var (found, value) = (MDB_val(), MDB_val())
        let number = table.withKey(key) { key in
            found = key
            return mdb_cursor_get(raw, &found, &value, MDB_SET_RANGE)
        }
        return try row(number, found, value)
    }

    /// The first row whose key in the file begins with that byte or a greater one.
    private func find(bound: UInt8, ofAnyPart: Bool = false) throws(StorageError) -> Row? {
        var (found, value) = (MDB_val(), MDB_val())
        let number = withUnsafeBytes(of: bound) { bound in
            found = MDB_val(bound)
            return mdb_cursor_get(raw, &found, &value, MDB_SET_RANGE)
        }
        return try row(number, found, value, ofAnyPart: ofAnyPart)
    }

    /// The row with the greatest key that is below `key`, or nil.
    public mutating func seek(before key: some ByteSource) throws(StorageError) -> Row? {
        try seek(atOrAfter: key) == nil ? last() : previous()
    }

    /// Counts the row last returned and those after it whose keys are below `end`, if there is one, and moves to the last of them, which it
    /// returns. Nothing is made of the rows between: several times as fast as `next`. O(rows).
    public mutating func count(before end: UnsafeRawBufferPointer?) throws(StorageError) -> (rows: Int, last: Row?) {
        let end = KeyEnd(end)
        var (key, value) = (MDB_val(), MDB_val())
        var (count, last) = (0, (key, value))
        var number = mdb_cursor_get(raw, &key, &value, MDB_GET_CURRENT)
        while number == MDB_SUCCESS, try isBelow(key, end) {
            count += 1
            last = (key, value)
            number = mdb_cursor_get(raw, &key, &value, MDB_NEXT)
        }
        guard number == MDB_SUCCESS || number == MDB_NOTFOUND else { throw failure(number) }
        return (count, count == 0 ? nil : try row(MDB_SUCCESS, last.0, last.1))
    }

    /// Calls `body` with the rows after the one last returned whose keys are below `end`, if there is one, until it returns false, with at most
    /// `limit` of them. Returns the last that it was called with, and whether there are no more. A row takes half the time that it takes with
    /// `next`.
    public mutating func forEachNext(
        before end: UnsafeRawBufferPointer?, atMost limit: Int = .max, _ body: (Row) throws -> Bool
    ) throws -> (last: Row?, isAtEnd: Bool) {
        let end = KeyEnd(end)
        var (key, value) = (MDB_val(), MDB_val())
        var (last, left): (Row?, Int) = (nil, limit)
        while left > 0 {
            let number = mdb_cursor_get(raw, &key, &value, MDB_NEXT)
            if number == MDB_NOTFOUND { return (last, true) }
            guard number == MDB_SUCCESS else { throw failure(number) }
            guard let key = try part(of: key, below: end) else { return (last, true) }
            let row = Row(key: key, value: try checkedBytes(value, bounds, owner))
            last = row
            left -= 1
            if try !body(row) { break }
        }
        return (last, false)
    }

    /// Whether a key of the file belongs to the table's part, and is below an end.
    @inline(__always)
    private func isBelow(_ key: MDB_val, _ end: KeyEnd) throws(StorageError) -> Bool {
        try part(of: key, below: end) != nil
    }

    /// A key of the file as the table has it; nil if it belongs to another part, or is not below an end.
    @inline(__always)
    private func part(of key: MDB_val, below end: KeyEnd) throws(StorageError) -> UnsafeRawBufferPointer? {
        var key = try checkedBytes(key, bounds, owner)
        if let part = table.part {
            guard let start = key.baseAddress, !key.isEmpty, key[0] == part else { return nil }
            key = UnsafeRawBufferPointer(start: start + 1, count: key.count - 1)
        }
        return end.isAfter(key) ? key : nil
    }

    private func move(_ operation: MDB_cursor_op) throws(StorageError) -> Row? {
        var key = MDB_val()
        var value = MDB_val()
        return try row(mdb_cursor_get(raw, &key, &value, operation), key, value)
    }

    @inline(never)
    private func failure(_ number: Int32) -> StorageError { owner.failure(number, "read") }

    /// A row as LMDB returns it; nil if it belongs to another part.
    @inline(__always)
    private func row(
        _ number: Int32, _ key: MDB_val, _ value: MDB_val, ofAnyPart: Bool = false
    ) throws(StorageError) -> Row? {
        if number == MDB_NOTFOUND { return nil }
        guard number == MDB_SUCCESS else { throw failure(number) }
        var key = try checkedBytes(key, bounds, owner)
        if let part = table.part {
            guard let start = key.baseAddress, !key.isEmpty, key[0] == part || ofAnyPart else { return nil }
            key = UnsafeRawBufferPointer(start: start + 1, count: key.count - 1)
        }
        return Row(key: key, value: try checkedBytes(value, bounds, owner))
    }
}
