import Events

/// The order of rows by their keys, which lie in one block of memory.
struct RowOrder: RadixOrder {
    let bytes: UnsafeRawBufferPointer

    @inline(__always)
    func key(_ element: RowSink.Row) -> UInt64 { element.prefix }

    @inline(__always)
    func precedes(_ a: RowSink.Row, _ b: RowSink.Row) -> Bool {
        if a.prefix != b.prefix { return a.prefix < b.prefix }
        return Self.compare(bytes.part(a.keyRange), bytes.part(b.keyRange)) < 0
    }

    /// Below, at or above zero, as the one key comes before, at or after the other.
    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        let shared = min(a.count, b.count)
        var offset = 0
        while offset + 8 <= shared {
            let (first, second) = (a.bigEndian(UInt64.self, at: offset), b.bigEndian(UInt64.self, at: offset))
            if first != second { return first < second ? -1 : 1 }
            offset += 8
        }
        while offset < shared {
            if a[offset] != b[offset] { return a[offset] < b[offset] ? -1 : 1 }
            offset += 1
        }
        return a.count - b.count
    }
}

extension RowSink {
    /// Sorts the rows from `first` on by their keys.
    mutating func sort(from first: Int = 0) {
        guard rows.count - first > 1 else { return }
        // Moved out, so that the bytes can be read meanwhile.
        var sorted: [Row] = []
        swap(&sorted, &rows)
        bytes.withBytes { bytes in
            sorted.withUnsafeMutableBufferPointer { rows in
                let part = UnsafeMutableBufferPointer(rebasing: rows[first...])
                var scratch: UnsafeMutableBufferPointer<Row>?
                defer { scratch?.deallocate() }
                RadixSort(order: RowOrder(bytes: bytes)).sort(part) {
                    let memory = UnsafeMutableBufferPointer<Row>.allocate(capacity: part.count)
                    scratch = memory
                    return memory
                }
            }
        }
        swap(&sorted, &rows)
    }

    /// An invalid row among those of one entity.
    enum Misfit {
        /// Another row has its key.
        case twice(Row)
        /// Its key does not begin with the entity's bytes.
        case elsewhere
    }

    /// Orders the rows from `first` on, whose keys must begin with `beginning`; returns an invalid one, if there is
    /// one.
    mutating func order(from first: Int, under beginning: UnsafeRawBufferPointer) -> Misfit? {
        // Mostly they are few, and in order.
        if areInOrder(from: first, under: beginning) { return nil }
        sort(from: first)
        if let row = firstDuplicate(from: first) { return .twice(row) }
        let isElsewhere = rows[first...].contains { row in withRow(row) { key, _ in !key.begins(with: beginning) } }
        return isElsewhere ? .elsewhere : nil
    }

    @inline(__always)
    private func areInOrder(from first: Int, under beginning: UnsafeRawBufferPointer) -> Bool {
        bytes.withBytes { bytes in
            rows.withUnsafeBufferPointer { rows in
                for index in first..<rows.count {
                    let key = bytes.part(rows[index].keyRange)
                    guard key.begins(with: beginning) else { return false }
                    guard index > first else { continue }
                    // Their common prefix need not be compared again.
                    let before = bytes.part(rows[index - 1].keyRange).part(from: beginning.count)
                    if RowOrder.compare(before, key.part(from: beginning.count)) >= 0 { return false }
                }
                return true
            }
        }
    }

    /// The first row, from `first` on, with the same key as the row before it; the rows are sorted.
    func firstDuplicate(from first: Int = 0) -> Row? {
        guard rows.count - first > 1 else { return nil }
        return bytes.withBytes { bytes in
            for index in first + 1..<rows.count where rows[index].prefix == rows[index - 1].prefix {
                if bytes.part(rows[index].keyRange).equals(bytes.part(rows[index - 1].keyRange)) { return rows[index] }
            }
            return nil
        }
    }
}
