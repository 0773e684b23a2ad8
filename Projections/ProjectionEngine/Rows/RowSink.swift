import Events

/// Collects the rows of one projection: those of one entity or event, or, in a rebuild, those of many.
///
/// All rows lie in one block of memory, one after another, so that a row costs no allocation.
public struct RowSink: Sendable {
    /// The range of a row in the bytes: the key, and right after it the value.
    struct Row: BitwiseCopyable, Sendable {
        /// The first eight bytes of the key, zeros after its end: mostly enough to compare.
        let prefix: UInt64
        let offset: Int
        let keyCount: UInt32
        let valueCount: UInt32

        var keyRange: Range<Int> { offset..<offset + Int(keyCount) }
        var valueRange: Range<Int> { offset + Int(keyCount)..<offset + Int(keyCount) + Int(valueCount) }
    }

    /// Why a row is invalid; the caller, which knows the projection, reports it.
    enum Objection: Sendable {
        case keySize(Int)
        case valueSize(Int)
        case partSize(Int)
    }

    var bytes = RowStorage()
    var rows: [Row] = []
    private(set) var hasUniqueRows = false
    private(set) var hasContributions = false
    private(set) var objection: Objection?
    /// The offset of the last part of the last row, if this call added to it and nothing followed; or -1.
    private var lastPart = -1

    package init() {}

    /// A unique row. Keys have 1 to 510 bytes.
    public mutating func put(_ key: [UInt8], _ value: [UInt8] = []) {
        put(key: { $0.append(contentsOf: key) }, value: { $0.append(contentsOf: value) })
    }

    /// A unique row without a value, its key written in place: the fastest way, because a row costs no allocation.
    public mutating func put(key: (inout RowBytes) -> Void) { put(key: key, value: { _ in }) }

    /// A unique row, written in place.
    public mutating func put(key: (inout RowBytes) -> Void, value: (inout RowBytes) -> Void) {
        hasUniqueRows = true
        append(key, value)
    }

    /// Adds to an accumulating row. The row exists as long as its count and its amount are not both zero.
    public mutating func add(_ key: [UInt8], count: Int64 = 1, amount: Int128 = 0) {
        add(count: count, amount: amount) { $0.append(contentsOf: key) }
    }

    /// Adds to an accumulating row whose key is written in place. The row exists as long as its count and its amount
    /// are not both zero.
    public mutating func add(count: Int64 = 1, amount: Int128 = 0, key: (inout RowBytes) -> Void) {
        add(count: count, amount: amount, key: key, part: { _ in })
    }

    /// Adds to one part of an accumulating row: one look-up returns the sums under several names, which
    /// `Accumulation.parts(of:)` reads. The row exists as long as one of its parts does, and a part as long as its
    /// count and its amount are not both zero.
    ///
    /// The names have up to 255 bytes. A row is read and written whole: for some dozens of parts, not for thousands.
    public mutating func add(_ key: [UInt8], part: [UInt8], count: Int64 = 1, amount: Int128 = 0) {
        add(
            count: count, amount: amount, key: { $0.append(contentsOf: key) }, part: { $0.append(contentsOf: part) })
    }

    /// Adds to one part of an accumulating row; the row's key and the part's name are written in place. The row exists
    /// as long as one of its parts does, and a part as long as its count and its amount are not both zero.
    ///
    /// The name has up to 255 bytes. A row is read and written whole: for some dozens of parts, not for thousands.
    public mutating func add(
        count: Int64 = 1, amount: Int128 = 0, key: (inout RowBytes) -> Void, part: (inout RowBytes) -> Void
    ) {
        hasContributions = true
        var written = bytes.take()
        let offset = written.count
        key(&written)
        let valueOffset = written.count
        let nameCount = written.append(Accumulation(count: count, amount: amount), part: part)
        if !(1...Self.keySizeLimit).contains(valueOffset - offset) {
            object(.keySize(valueOffset - offset))
            written.removeLast(to: offset)
        } else if nameCount > AccumulatedParts.nameLimit {
            object(.partSize(nameCount))
            written.removeLast(to: offset)
        } else {
            let row = Row(written, at: offset, valueOffset - offset, written.count - valueOffset)
            if let joined = joinedToLast(row, written) {
                written.remove(row.keyRange)
                rows[rows.count - 1] = joined
                lastPart = offset
            } else {
                rows.append(row)
                // A zero sum has no part.
                lastPart = row.valueCount > 0 ? valueOffset : -1
            }
        }
        bytes.keep(written)
    }

    /// The last row with the part of a new one, if they have one key and the new part comes after the present ones: so
    /// fewer rows need to be sorted.
    @inline(__always)
    private func joinedToLast(_ row: Row, _ bytes: borrowing RowBytes) -> Row? {
        guard lastPart >= 0, row.valueCount > 0, let last = rows.last, last.prefix == row.prefix,
            last.keyCount == row.keyCount, last.valueRange.upperBound == row.offset
        else { return nil }
        // Names follow their length.
        let isNext = bytes.withBytes { bytes in
            let (old, new) = (lastPart, row.valueRange.lowerBound)
            return bytes.part(last.keyRange).equals(bytes.part(row.keyRange))
                && bytes.part(old + 1..<old + 1 + Int(bytes[old])).isBelow(
                    bytes.part(new + 1..<new + 1 + Int(bytes[new])))
        }
        return isNext ? last.extended(by: Int(row.valueCount)) : nil
    }

    @inline(__always)
    private mutating func append(_ key: (inout RowBytes) -> Void, _ value: (inout RowBytes) -> Void) {
        lastPart = -1
        // Moved out of the sink meanwhile, so that no part of a row costs a uniqueness check.
        var written = bytes.take()
        let offset = written.count
        key(&written)
        let keyCount = written.count - offset
        if keyCount > 0, keyCount <= RowSink.keySizeLimit {
            value(&written)
            let valueCount = written.count - offset - keyCount
            if valueCount <= Int(UInt32.max) {
                rows.append(Row(written, at: offset, keyCount, valueCount))
            } else {
                object(.valueSize(valueCount))
                written.removeLast(to: offset)
            }
        } else {
            object(.keySize(keyCount))
            written.removeLast(to: offset)
        }
        bytes.keep(written)
    }

    private mutating func object(_ objection: Objection) { self.objection = self.objection ?? objection }

    /// The most bytes of a key.
    static let keySizeLimit = 510

    /// A row copied from elsewhere.
    mutating func copy(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        append({ $0.append(contentsOf: key) }, { $0.append(contentsOf: value) })
    }

    /// A row whose value is the record in a merger, written in place; the merger's inputs lie in other memory.
    mutating func put(_ entity: EntityReference, _ merger: inout RecordMerger) {
        var written = bytes.take()
        let offset = written.count
        written.append(entity)
        let keyCount = written.count - offset
        written.append(upTo: merger.finish()) { merger.write(to: $0) }
        rows.append(Row(written, at: offset, keyCount, written.count - offset - keyCount))
        bytes.keep(written)
    }

    /// Ends joining: the rows of the next entity or event are not joined to those before it.
    @inline(__always)
    mutating func beginCall() { lastPart = -1 }

    var isEmpty: Bool { rows.isEmpty }

    /// The memory of the rows.
    var size: Int { bytes.count + rows.count * MemoryLayout<Row>.stride }

    /// Calls `body` with a row's key and value; both are valid during the call.
    func withRow<T>(
        _ row: Row, _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> T
    ) rethrows -> T {
        try bytes.withBytes { try body($0.part(row.keyRange), $0.part(row.valueRange)) }
    }

    func key(_ row: Row) -> [UInt8] { bytes.withBytes { Array($0[row.keyRange]) } }
    func value(_ row: Row) -> [UInt8] { bytes.withBytes { Array($0[row.valueRange]) } }

    mutating func removeAll() {
        bytes.removeAll()
        rows.removeAll(keepingCapacity: true)
        hasUniqueRows = false
        hasContributions = false
        objection = nil
        lastPart = -1
    }

    /// Takes over the rows of another sink of the same kind.
    mutating func takeRows(of other: consuming RowSink) {
        bytes = other.bytes
        rows = other.rows
        lastPart = -1
    }

    /// The number of rows.
    package var rowCount: Int { rows.count }

    /// Copies of the rows from one on, in insertion order, for checking a projection.
    package func contents(from first: Int = 0) -> [(key: [UInt8], value: [UInt8])] {
        rows[first...].map { (key($0), value($0)) }
    }
}

extension RowSink.Row {
    @inline(__always)
    fileprivate init(_ bytes: borrowing RowBytes, at offset: Int, _ keyCount: Int, _ valueCount: Int) {
        prefix = bytes.withBytes { Self.prefix(of: $0.part(offset..<offset + keyCount)) }
        self.offset = offset
        self.keyCount = UInt32(keyCount)
        self.valueCount = UInt32(valueCount)
    }

    /// With that many more bytes of a value, which follow it.
    @inline(__always)
    fileprivate func extended(by count: Int) -> RowSink.Row? {
        guard let sum = UInt32(exactly: Int(valueCount) + count) else { return nil }
        return RowSink.Row(prefix: prefix, offset: offset, keyCount: keyCount, valueCount: sum)
    }

    /// The first eight bytes of a key as a number, zeros after its end.
    @inline(__always)
    static func prefix(of key: UnsafeRawBufferPointer) -> UInt64 {
        if key.count >= 8 { return key.bigEndian(UInt64.self) }
        return key.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(56 - $1.offset * 8) }
    }
}
