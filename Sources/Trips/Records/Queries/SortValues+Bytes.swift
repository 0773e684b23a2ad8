import Events

/// Of the last row of a page, for its cursor: the id (16), then for each sort key a byte that says the type, 0 for none, and the value,
/// where text and bytes have their length (4) before them.
extension RecordQuery.SortValues {
    package var bytes: [UInt8] {
        id.bytes
            + values.flatMap { value -> [UInt8] in
                switch value.value {
                case nil: [0]
                case .integer(let number): [1] + UInt64(bitPattern: number).bigEndianBytes
                case .number(let number): [2] + number.bitPattern.bigEndianBytes
                case .text(let text): [3] + Self.counted(Array(text.utf8))
                case .money(let minorUnits, let currency):
                    [4] + UInt64(bitPattern: minorUnits).bigEndianBytes + Self.counted(Array(currency.utf8))
                case .bytes(let bytes): [5] + Self.counted(bytes)
                }
            }
    }

    private static func counted(_ bytes: [UInt8]) -> [UInt8] { UInt32(bytes.count).bigEndianBytes + bytes }
}

extension RecordQuery {
    /// From the bytes; nil if they are not of a row of this query.
    package func sortValues(_ bytes: [UInt8]) -> SortValues? {
        var reader = ByteReader(bytes)
        func counted() -> [UInt8]? { reader.number(4).flatMap { reader.bytes(Int($0)) } }
        guard let id = reader.bytes(16) else { return nil }
        var values: [SortValue] = []
        for key in sortKeys {
            let value: OrderedValue??
            switch reader.byte() {
            case 0: value = .some(nil)
            case 1: value = reader.number(8).map { .integer(Int64(bitPattern: $0)) }
            case 2: value = reader.number(8).map { .number(Double(bitPattern: $0)) }
            case 3: value = counted().map { .text(String(decoding: $0, as: UTF8.self)) }
            case 4:
                value = reader.number(8).flatMap { minorUnits in
                    counted().map {
                        .money(Int64(bitPattern: minorUnits), currency: String(decoding: $0, as: UTF8.self))
                    }
                }
            case 5: value = counted().map { .bytes($0) }
            default: value = nil
            }
            guard let value else { return nil }
            values.append(key.value(value))
        }
        return reader.isAtEnd ? SortValues(values: values, id: id.withUnsafeBytes { $0.uuid() }) : nil
    }
}

/// Reads bytes from the front.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func number(_ count: Int) -> UInt64? { bytes(count)?.reduce(0) { $0 << 8 | UInt64($1) } }
}
