import Events

/// The rows of an accumulating view: the values are `Accumulation`s.
extension RowSink {
    /// Puts what has one key into one row; the rows are sorted. Those that come to nothing stay: more may be added.
    mutating func sumUp() {
        guard rows.count > 1 else { return }
        var kept = 0
        for index in rows.indices.dropFirst() {
            let row = rows[index]
            if row.prefix == rows[kept].prefix, isSameKey(row, rows[kept]) {
                add(value(at: row), to: rows[kept])
            } else {
                kept += 1
                rows[kept] = row
            }
        }
        rows.removeLast(rows.count - kept - 1)
        compact()
    }

    /// Closes the gaps between the rows' bytes, if they have become large.
    private mutating func compact() {
        let used = rows.reduce(0) { $0 + Int($1.keyCount) + Int($1.valueCount) }
        guard used < bytes.count / 2 else { return }
        var compacted = RowSink()
        for row in rows { withRow(row) { compacted.copy($0, $1) } }
        bytes = compacted.bytes
        rows = compacted.rows
    }

    /// Removes rows that come to nothing: they are not there.
    mutating func removeZeros() { rows = rows.filter { value(at: $0) != .zero } }

    /// Adds to the row that came last.
    mutating func addToLast(_ amount: UnsafeRawBufferPointer) {
        guard let last = rows.last, let amount = Accumulation(amount) else { return }
        add(amount, to: last)
    }

    private func isSameKey(_ a: Row, _ b: Row) -> Bool {
        bytes.withBytes { $0.part(a.keyRange).equals($0.part(b.keyRange)) }
    }

    private func value(at row: Row) -> Accumulation {
        // The engine wrote it: it has the right size.
        withRow(row) { _, value in Accumulation(value) } ?? .zero
    }

    private mutating func add(_ amount: Accumulation, to row: Row) {
        var sum = value(at: row)
        sum += amount
        bytes.replace(row.valueRange, with: sum.encoded())
    }
}
