/// At which pages the trees of tables begin in a snapshot, as far as that was found out: LMDB looks it up by the table's
/// name in every transaction anew.
///
/// It lies in the memory of a reader's place, for whoever reads there next: as long as nothing is committed it stays
/// true. Sound: one reader at a time has a place, and what it wrote there is seen by the next one who takes it.
struct KnownRoots {
    /// Tables whose handles are higher are looked up each time.
    private static let tables = 32
    /// How many words it takes.
    static let size = tables + 1

    /// The number of the transaction, then the page of each table; 0 if it was not looked up.
    private let words: UnsafeMutablePointer<UInt>

    init(_ words: UnsafeMutablePointer<UInt>) { self.words = words }

    /// Forgets what was true for the snapshot of another transaction.
    func begin(_ transaction: UInt) {
        guard words[0] != transaction else { return }
        words.update(repeating: 0, count: Self.size)
        words[0] = transaction
    }

    subscript(table: Table) -> UInt? {
        let place = Int(table.handle) + 1
        guard place < Self.size, words[place] != 0 else { return nil }
        return words[place]
    }

    /// Notes the root of a table with rows. An empty one may be filled without a transaction: see `TableLoader`.
    func note(_ root: UInt, of table: Table) {
        let place = Int(table.handle) + 1
        if place < Self.size { words[place] = root }
    }
}
