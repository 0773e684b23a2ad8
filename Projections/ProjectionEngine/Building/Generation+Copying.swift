import LMDB

extension Generation {
    /// Copies a table of another generation into an empty one, in bounded transactions.
    func copy(_ source: Table, _ transaction: borrowing ReadTransaction, to target: Table) throws {
        var cursor = try transaction.cursor(on: source)
        var row = try cursor.first()
        var rows = RowSink()
        while row != nil {
            // Gathered first, for a write may have to run twice.
            while let current = row, rows.rowCount < BulkLoader.chunkSize {
                rows.copy(current.key, current.value)
                row = try cursor.next()
            }
            try environment.write { transaction in
                var appender = try transaction.appender(to: target)
                for row in rows.rows { try rows.withRow(row) { try appender.append($0, $1) } }
            }
            rows.removeAll()
        }
    }
}
