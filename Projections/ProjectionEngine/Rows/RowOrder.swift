import Events

/// The order of rows by their keys, which lie in one piece of memory.
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
    /// Sorts the rows from one on by their keys.
    mutating func sort(from first: Int = 0) {
        guard rows.count - first > 1 else { return }
        // Taken out, so that the bytes can be looked at meanwhile.
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

    /// A row that cannot be kept among those of one entity.
    enum Misfit {
        /// There is another with its key.
        case twice(Row)
        /// Its key does not begin as those of the entity do.
        case elsewhere
    }

    /// Orders the rows from one on, whose keys are to begin with some bytes; answers one that cannot be kept, if there is one.
    mutating func order(from first: Int, under beginning: UnsafeRawBufferPointer) -> Misfit? {
        // Mostly they are few, and come in order.
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
                    // What they have in common need not be compared again.
                    let before = bytes.part(rows[index - 1].keyRange).part(from: beginning.count)
                    if RowOrder.compare(before, key.part(from: beginning.count)) >= 0 { return false }
                }
                return true
            }
        }
    }

    /// The place of the first row, from one on, whose key is the same as that of the row before it; the rows are sorted.
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
