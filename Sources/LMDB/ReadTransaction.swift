public import LMDBFormat
internal import LMDBLibrary
public import Platform

/// A snapshot of an environment, valid inside the closure it was given to.
///
/// Returned pointers lie in the map: they are valid until the closure ends or, in a write transaction, until the next
/// write. Never keep them. As `RawSpan`s the compiler would keep them from escaping, but a method can return one only
/// with the experimental feature `Lifetimes` (Swift 6.3), which a package should not rely on.
public struct ReadTransaction: ~Copyable {
    let raw: OpaquePointer
    let owner: Environment
    let bounds: MapBounds?
    /// The part of the map that the snapshot's pages lie in; nil while there are none.
    var pages: UnsafeRawBufferPointer? { bounds?.pages }
    /// Whether `number` is exactly that of the state shown. Only then may something learned of a state be cached under
    /// it.
    ///
    /// LMDB determines a reader's number first and reads the state then; two commits in between make the state a newer
    /// one.
    package let isNumberExact: Bool

    init(
        _ raw: OpaquePointer, _ owner: Environment, _ bounds: MapBounds? = nil,
        isNumberExact: Bool = false
    ) {
        self.raw = raw
        self.owner = owner
        self.bounds = bounds
        self.isNumberExact = isNumberExact
    }

    func check(_ number: Int32, _ action: String) throws(StorageError) {
        guard number == MDB_SUCCESS else { throw failure(number, action) }
    }

    @inline(never)
    private func failure(_ number: Int32, _ action: String) -> StorageError {
        owner.failure(number, action)
    }

    /// The number of the transaction whose state this snapshot shows.
    public var number: Int { mdb_txn_id(raw) }

    /// The value under a key, or nil. O(log n); no copy.
    @inlinable
    public func get(_ key: some ByteSource, in table: Table) throws(StorageError) -> UnsafeRawBufferPointer? {
        try key.withBytes { bytes in Result { () throws(StorageError) in try get(bytes, in: table) } }.get()
    }

    /// Returns the value under a key in raw bytes, or nil. O(log n); no copy. Not generic, so compiled once.
    public func get(_ key: UnsafeRawBufferPointer, in table: Table) throws(StorageError) -> UnsafeRawBufferPointer? {
        var value = MDB_val()
        let number = table.withKey(key) { key in
            var key = key
            return mdb_get(raw, table.handle, &key, &value)
        }
        if number == MDB_NOTFOUND { return nil }
        try check(number, "read")
        return try checkedBytes(value, bounds, owner)
    }

    /// The number of rows of a named table. O(1).
    public func count(of table: Table) throws(StorageError) -> Int {
        var stat = MDB_stat()
        try check(mdb_stat(raw, table.handle, &stat), "inspect")
        return stat.ms_entries
    }

    /// Bytes of the pages of a named table, overflow pages included. O(1).
    public func size(of table: Table) throws(StorageError) -> Int {
        var stat = MDB_stat()
        try check(mdb_stat(raw, table.handle, &stat), "inspect")
        return (stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages) * Int(stat.ms_psize)
    }

    /// A cursor over a table; it must not outlive the closure.
    public func cursor(on table: Table) throws(StorageError) -> Cursor {
        try Cursor(self, table)
    }

    /// A second handle on the same snapshot, for a type that wraps it. It is valid inside the same closure.
    public borrowing func alias() -> ReadTransaction {
        ReadTransaction(raw, owner, bounds, isNumberExact: isNumberExact)
    }
}
