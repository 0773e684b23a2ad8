import Events

/// Adds up values of accumulating rows, part by part.
///
/// The values must stay in memory meanwhile.
struct SumsByPart {
    private struct Entry {
        let part: UnsafeRawBufferPointer
        var sum: Accumulation
    }

    /// In part order. Zero sums stay: more may be added.
    private var entries: [Entry] = []

    /// Adds a value, which has its parts in order. O(parts), and of those already there.
    ///
    /// Throws `ProjectionError.damaged` if the bytes are no such value.
    mutating func add(_ value: UnsafeRawBufferPointer) throws(ProjectionError) {
        var parts = AccumulatedParts(value)
        var index = 0
        while let (part, sum) = try parts.next() {
            while index < entries.count, entries[index].part.isBelow(part) { index += 1 }
            if index < entries.count, entries[index].part.equals(part) {
                entries[index].sum += sum
            } else {
                entries.insert(Entry(part: part, sum: sum), at: index)
            }
        }
    }

    var isZero: Bool { entries.allSatisfy { $0.sum == .zero } }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Writes the value of the row.
    func write(to bytes: inout RowBytes) {
        for entry in entries { bytes.append(entry.sum) { $0.append(contentsOf: entry.part) } }
    }
}

extension RowBytes {
    /// One part of a row's value, as `AccumulatedParts` reads it; nothing if it is zero. Returns the length of its
    /// name, which is limited to 255 bytes.
    @discardableResult
    @inline(__always)
    mutating func append(_ sum: Accumulation, part: (inout RowBytes) -> Void) -> Int {
        guard sum != .zero else { return 0 }
        let start = count
        append(UInt8(0))
        part(&self)
        let length = count - start - 1
        set(UInt8(truncatingIfNeeded: length), at: start)
        append(signed: Int128(sum.count))
        append(signed: sum.amount)
        return length
    }

    private mutating func append(signed number: Int128) {
        // Most counts, and many amounts, have one byte.
        if let short = Int8(exactly: number), -64..<64 ~= short {
            return append(UInt8(bitPattern: (short << 1) ^ (short >> 7)))
        }
        var rest = UInt128(bitPattern: (number << 1) ^ (number >> 127))
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
