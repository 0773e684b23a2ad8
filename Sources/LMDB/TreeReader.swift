internal import CLMDB

/// Finds rows of one table in the pages of a snapshot, without LMDB: that takes less than half of the instructions.
///
/// It goes the way that LMDB goes, from the root down, by the order of the keys' bytes. It looks at nothing outside of the
/// pages that are in use, and answers nil where something is not as LMDB writes it: then LMDB is to be asked, which knows
/// more, or says what is wrong.
struct TreeReader {
    let pages: MapBounds
    let root: UInt

    /// Nil for what LMDB alone can answer: a write transaction, which has pages of its own, and a table without rows.
    init?(_ transaction: borrowing ReadTransaction, _ table: Table) {
        guard let pages = transaction.bounds else { return nil }
        let root = transaction.roots?[table] ?? Self.lookUp(table, transaction)
        guard root != KnownRoots.none else { return nil }
        self.init(pages, root: root)
    }

    /// The tree below a page.
    init(_ pages: MapBounds, root: UInt) {
        self.pages = pages
        self.root = root
    }

    /// A table is a row in the table of tables, whose value says where its tree begins.
    ///
    /// An empty one is left to LMDB, now and as long as nothing is committed: it may be filled without a transaction (see
    /// `TableLoader`).
    @inline(never)
    private static func lookUp(_ table: Table, _ transaction: borrowing ReadTransaction) -> UInt {
        let tableOfTables: MDB_dbi = 1
        let raw = transaction.raw
        var name = table.name
        let root = name.withUTF8 { name in
            var key = MDB_val(UnsafeRawBufferPointer(name))
            var value = MDB_val()
            guard mdb_get(raw, tableOfTables, &key, &value) == MDB_SUCCESS, transaction.bounds?.contain(value) == true,
                value.mv_size == PageLayout.treeRecord
            else { return KnownRoots.none }
            let record = TreeRecord(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
            return record.isEmpty || record.root == 0 ? KnownRoots.none : record.root
        }
        transaction.roots?[table] = root
        return root
    }

    /// The leaf where a key lies, or would lie.
    func leaf(for key: SearchKey) -> PageReader? {
        var number = root
        for _ in 0..<PageLayout.maximumDepth {
            guard let page = PageReader(pages, number) else { return nil }
            if page.isLeaf { return page }
            guard let child = page.child(for: key) else { return nil }
            number = child
        }
        return nil
    }

    /// The value under a key: of the outer optional nil if LMDB is to be asked, of the inner if there is none.
    @inline(__always)
    func value(of key: SearchKey, in leaf: PageReader) -> UnsafeRawBufferPointer?? {
        guard let found = leaf.search(key) else { return nil }
        guard found.isEqual else { return .some(nil) }
        return leaf.row(found.index, pages).map { .some($0.value) }
    }
}
