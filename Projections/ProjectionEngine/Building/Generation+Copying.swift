import LMDB

extension Generation {
    /// Copies tables of another generation, of which the transaction shows a state, into empty ones of this, which nobody uses
    /// yet. O(rows).
    func copy(_ tables: [(source: Table, target: Table)], _ transaction: borrowing ReadTransaction) throws {
        let loader = try TableLoader(environment)
        for (source, target) in tables {
            let tree = try loader.tree(of: target)
            var cursor = try transaction.cursor(on: source)
            while let row = try cursor.next() { try tree.append(row.key, row.value) }
        }
        try loader.finish()
    }
}
