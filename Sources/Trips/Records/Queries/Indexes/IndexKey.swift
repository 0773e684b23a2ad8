import Events

/// The key of an entity in an index, without its id: bytes whose order is that of the values.
///
/// Each value is 1 and its encoding, or 2 for none, which so comes last. Integers have 8 bytes with the sign bit flipped; numbers the
/// 8 bytes of IEEE 754, all flipped if it is negative and else the sign bit, NaN being zeros; money its currency and then the minor
/// units; text and bytes end with 0 1, and have 0 255 for a 0. Text in the natural order is its natural key before the text itself.
/// What is longer than the limit is cut and ends with 0 2: its order is decided by the entities.
struct IndexKey: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Whether some text was cut.
    private(set) var isCut = false

    static let present: UInt8 = 1
    static let cleared: UInt8 = 2
    /// The most bytes of an encoded text: three of them, twice each, and an id fit into a key.
    private static let limit = 64

    init() { bytes.reserveCapacity(64) }

    /// For another key, in the same memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isCut = false
    }

    /// Once a text was cut nothing follows: entities whose keys are the same are put in order by all of their values.
    mutating func append(_ value: OrderedValue?, isNatural: Bool) {
        if isCut { return }
        guard let value else {
            bytes.append(Self.cleared)
            return
        }
        bytes.append(Self.present)
        switch value {
        case .integer(let number): append(UInt64(bitPattern: number) ^ 1 << 63)
        case .number(let number): append(Self.ordered(number))
        case .text(let text):
            if isNatural, !append(TextFolding.naturalKey(TextFolding.folded(text))) { return }
            append(text.utf8)
        case .money(let minorUnits, let currency):
            if append(currency.utf8) { append(UInt64(bitPattern: minorUnits) ^ 1 << 63) }
        case .bytes(let value): append(value)
        }
    }

    /// The same as of a moment.
    mutating func append(milliseconds: Int64?) {
        if isCut { return }
        bytes.append(milliseconds == nil ? Self.cleared : Self.present)
        if let milliseconds { append(UInt64(bitPattern: milliseconds) ^ 1 << 63) }
    }

    /// The same as of a reference to a kind, from the bytes of a field; false if there is none.
    mutating func append(reference: UnsafeRawBufferPointer?, to kind: UInt16) -> Bool {
        if isCut { return reference != nil }
        guard let reference, reference.count == EntityReference.valueSize, reference.bigEndian(UInt16.self) == kind
        else {
            bytes.append(Self.cleared)
            return false
        }
        bytes.append(Self.present)
        append(reference)
        return true
    }

    private mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// False if it was cut.
    @discardableResult
    private mutating func append(_ part: some Sequence<UInt8>) -> Bool {
        let isShort: Bool? = part.withContiguousStorageIfAvailable { part in
            guard part.count <= Self.limit, !part.contains(0) else { return false }
            bytes.append(contentsOf: part)
            bytes.append(0)
            bytes.append(1)
            return true
        }
        if isShort == true { return true }
        let end = bytes.count + Self.limit
        for byte in part {
            if bytes.count + (byte == 0 ? 2 : 1) > end {
                bytes += [0, 2]
                isCut = true
                return false
            }
            bytes.append(byte)
            if byte == 0 { bytes.append(0xFF) }
        }
        bytes += [0, 1]
        return true
    }

    private static func ordered(_ number: Double) -> UInt64 {
        if number.isNaN { return 0 }
        // There is one zero.
        let bits = (number == 0 ? 0 : number).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    /// The bytes with which the keys of a value begin.
    static func of(_ value: OrderedValue?, isNatural: Bool) -> IndexKey {
        var key = IndexKey()
        key.append(value, isNatural: isNatural)
        return key
    }

    /// The bytes with which the keys of all amounts in a currency begin.
    static func currency(_ code: String) -> [UInt8] {
        var key = IndexKey()
        key.bytes.append(present)
        key.append(code.utf8)
        return key.bytes
    }

    /// The bytes with which the keys of all text begin that, folded, begins with a text without digits.
    static func natural(_ folded: String) -> [UInt8] {
        var key: [UInt8] = [present]
        for byte in TextFolding.naturalKey(folded) where key.count < limit { key += byte == 0 ? [0, 0xFF] : [byte] }
        return key
    }
}
