import Events

/// The row counts of a generation's parts, by part number.
struct RowCounts: Equatable {
    private var counts: [Int]

    init(parts: Int) { counts = Array(repeating: 0, count: parts) }

    /// From the row that stores them: 8 bytes a part, most significant first. Without it all are 0.
    init(_ row: UnsafeRawBufferPointer?, parts: Int) {
        self.init(parts: parts)
        guard let row else { return }
        for part in counts.indices where row.count >= 8 * (part + 1) {
            counts[part] = Int(clamping: row.bigEndian(UInt64.self, at: 8 * part))
        }
    }

    subscript(part: UInt8) -> Int {
        get { counts[Int(part)] }
        // A damaged row may hold less than is subtracted.
        set { counts[Int(part)] = max(0, newValue) }
    }

    var encoded: [UInt8] { counts.flatMap { UInt64($0).bigEndianBytes } }
}
