/// At which pages the trees of tables begin in a snapshot, as far as that was found out: LMDB looks it up by the table's
/// name in every transaction anew.
///
/// It lies in the memory of a reader's place, for whoever reads there next: as long as nothing is committed it stays
/// true. The number of a transaction is given to no second state that anybody sees: readers take it from the lock table,
/// where it is written once the commit is done, and what a power cut took back is taken back before the places are made.
///
/// Sound: one reader at a time has a place, leaves it by a store and takes it by an exchange that are sequentially
/// consistent, and looks here no more once it has left.
struct KnownRoots {
    /// Tables whose handles are higher are looked up each time.
    private static let tables = 32
    /// How many words it takes.
    static let size = tables + 1

    /// What stands for the root of a table that is to be left to LMDB: a page that is none of a tree.
    static let none: UInt = 1

    /// The number of the transaction, then the page of each table; 0 if it was not looked up.
    private let words: UnsafeMutablePointer<UInt>

    init(_ words: UnsafeMutablePointer<UInt>) { self.words = words }

    /// Forgets what was true for the snapshot of another transaction.
    func begin(_ transaction: UInt) {
        guard words[0] != transaction else { return }
        words.update(repeating: 0, count: Self.size)
        words[0] = transaction
    }

    /// Whether there is room for a table.
    func holds(_ table: Table) -> Bool { Int(table.handle) < Self.tables }

    /// The root of a table, or `none`; nil if it was not looked up.
    subscript(table: Table) -> UInt? {
        get {
            guard holds(table) else { return nil }
            let root = words[Int(table.handle) + 1]
            return root == 0 ? nil : root
        }
        nonmutating set { if holds(table), let newValue { words[Int(table.handle) + 1] = newValue } }
    }
}
