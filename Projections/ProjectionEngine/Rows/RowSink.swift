import Events

/// Takes the rows of one projection: those of one entity or event, or, in a rebuild, those of many.
///
/// All rows lie in one piece of memory, one after another, so that a row costs no allocation.
public struct RowSink: Sendable {
    /// Where a row lies among the bytes: the key, and right after it the value.
    struct Row: BitwiseCopyable, Sendable {
        /// The first eight bytes of the key, zeros after its end: mostly enough to tell the order.
        let prefix: UInt64
        let offset: Int
        let keyCount: UInt32
        let valueCount: UInt32

        var keyRange: Range<Int> { offset..<offset + Int(keyCount) }
        var valueRange: Range<Int> { offset + Int(keyCount)..<offset + Int(keyCount) + Int(valueCount) }
    }

    /// What cannot be kept; judged by who knows the projection.
    enum Objection: Sendable {
        case keySize(Int)
        case valueSize(Int)
        case partSize(Int)
    }

    var bytes = RowBytes()
    var rows: [Row] = []
    private(set) var hasUniqueRows = false
    private(set) var hasContributions = false
    private(set) var objection: Objection?

    package init() {}

    /// A unique row. Keys have 1 to 511 bytes.
    public mutating func put(_ key: [UInt8], _ value: [UInt8] = []) {
        put(key: { $0.append(contentsOf: key) }, value: { $0.append(contentsOf: value) })
    }

    /// A unique row without a value, its key written in place: the quickest way, for a row costs no allocation.
    public mutating func put(key: (inout RowBytes) -> Void) { put(key: key, value: { _ in }) }

    /// A unique row, written in place.
    public mutating func put(key: (inout RowBytes) -> Void, value: (inout RowBytes) -> Void) {
        hasUniqueRows = true
        append(key, value)
    }

    /// Adds to an accumulating row. The row is there as long as its count and its amount are not both zero.
    public mutating func add(_ key: [UInt8], count: Int64 = 1, amount: Int128 = 0) {
        add(count: count, amount: amount) { $0.append(contentsOf: key) }
    }

    /// The same, the key written in place.
    public mutating func add(count: Int64 = 1, amount: Int128 = 0, key: (inout RowBytes) -> Void) {
        add(count: count, amount: amount, key: key, part: { _ in })
    }

    /// Adds to one part of an accumulating row: one look finds what was counted under several names, which
    /// `AccumulatedParts` reads. The row is there as long as one of its parts is, and a part as long as its count and its
    /// amount are not both zero.
    ///
    /// The names have up to 255 bytes. A row is read and written whole: for some dozens of parts, not for thousands.
    public mutating func add(_ key: [UInt8], part: [UInt8], count: Int64 = 1, amount: Int128 = 0) {
        add(
            count: count, amount: amount, key: { $0.append(contentsOf: key) }, part: { $0.append(contentsOf: part) })
    }

    /// The same, key and name of the part written in place.
    public mutating func add(
        count: Int64 = 1, amount: Int128 = 0, key: (inout RowBytes) -> Void, part: (inout RowBytes) -> Void
    ) {
        hasContributions = true
        let offset = bytes.count
        var length = 0
        append(key) { bytes in length = bytes.append(Accumulation(count: count, amount: amount), part: part) }
        guard length <= AccumulatedParts.nameLimit else {
            rows.removeLast()
            return object(.partSize(length), offset)
        }
    }

    @inline(__always)
    private mutating func append(_ key: (inout RowBytes) -> Void, _ value: (inout RowBytes) -> Void) {
        let offset = bytes.count
        key(&bytes)
        let keyCount = bytes.count - offset
        guard keyCount > 0, keyCount <= RowSink.keySizeLimit else { return object(.keySize(keyCount), offset) }
        value(&bytes)
        let valueCount = bytes.count - offset - keyCount
        guard valueCount <= Int(UInt32.max) else { return object(.valueSize(valueCount), offset) }
        rows.append(
            Row(
                prefix: Self.prefix(of: bytes, at: offset, keyCount), offset: offset,
                keyCount: UInt32(keyCount), valueCount: UInt32(valueCount)))
    }

    private mutating func object(_ objection: Objection, _ offset: Int) {
        self.objection = self.objection ?? objection
        bytes.removeLast(to: offset)
    }

    @inline(__always)
    private static func prefix(of bytes: RowBytes, at offset: Int, _ count: Int) -> UInt64 {
        bytes.withBytes { bytes in
            // Past the end of the key may lie what is no part of it.
            if count >= 8 { return bytes.bigEndian(UInt64.self, at: offset) }
            var prefix: UInt64 = 0
            for index in 0..<count { prefix |= UInt64(bytes[offset + index]) << UInt64(56 - index * 8) }
            return prefix
        }
    }

    /// The most bytes that a key may have.
    static let keySizeLimit = 511

    /// A row that was taken from elsewhere as it is.
    mutating func copy(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        append({ $0.append(contentsOf: key) }, { $0.append(contentsOf: value) })
    }

    /// A row whose value is the record that a merger holds, written where it will lie; what the merger was given lies elsewhere.
    mutating func put(_ entity: EntityReference, _ merger: inout RecordMerger) {
        let offset = bytes.count
        bytes.append(entity)
        let keyCount = bytes.count - offset
        bytes.append(upTo: merger.settle()) { merger.write(to: $0) }
        rows.append(
            Row(
                prefix: Self.prefix(of: bytes, at: offset, keyCount), offset: offset,
                keyCount: UInt32(keyCount), valueCount: UInt32(bytes.count - offset - keyCount)))
    }

    var isEmpty: Bool { rows.isEmpty }

    /// How much memory the rows take.
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
    }

    /// How many rows were taken.
    package var rowCount: Int { rows.count }

    /// Copies of the rows from one on, in the order in which they came, for whoever checks a projection.
    package func contents(from first: Int = 0) -> [(key: [UInt8], value: [UInt8])] {
        rows[first...].map { (key($0), value($0)) }
    }
}
