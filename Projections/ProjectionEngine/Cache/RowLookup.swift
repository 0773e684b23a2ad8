import Events

/// Finds the rows of an entity by their keys: of rows with one key the last.
///
/// Takes O(rows · log rows) to make, and O(log rows) for each question: a search has up to 2,000 rows an entity.
struct RowLookup {
    /// Of rows with one key in the order in which they were written, or all in that order if they are few.
    private let rows: [RowSink.Row]
    private let isSorted: Bool

    /// Looking through so many takes no longer than to sort them.
    private static let few = 8

    init(_ sink: RowSink) {
        isSorted = sink.rows.count > Self.few
        rows = isSorted ? sink.rowsByKey() : sink.rows
    }

    /// The row of the sink that this was made of with the key of a row of another one.
    func row(of sink: RowSink, at other: RowSink, _ row: RowSink.Row) -> RowSink.Row? {
        other.withRow(row) { key, _ in
            sink.bytes.withBytes { bytes in
                guard isSorted else {
                    return rows.last { $0.prefix == row.prefix && bytes.part($0.keyRange).equals(key) }
                }
                var (low, high) = (0, rows.count)
                while low < high {
                    let middle = (low + high) / 2
                    if Self.isBelow(key, row.prefix, rows[middle], bytes) { high = middle } else { low = middle + 1 }
                }
                guard low > 0, rows[low - 1].prefix == row.prefix, bytes.part(rows[low - 1].keyRange).equals(key) else {
                    return nil
                }
                return rows[low - 1]
            }
        }
    }

    private static func isBelow(
        _ key: UnsafeRawBufferPointer, _ prefix: UInt64, _ row: RowSink.Row, _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        prefix == row.prefix ? RowOrder.compare(key, bytes.part(row.keyRange)) < 0 : prefix < row.prefix
    }
}

extension RowSink {
    /// The rows in the order of their keys, those with one key in that in which they were written.
    fileprivate func rowsByKey() -> [Row] {
        bytes.withBytes { bytes in
            rows.sorted { a, b in
                if a.prefix != b.prefix { return a.prefix < b.prefix }
                let order = RowOrder.compare(bytes.part(a.keyRange), bytes.part(b.keyRange))
                return order == 0 ? a.offset < b.offset : order < 0
            }
        }
    }
}
