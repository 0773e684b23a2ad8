import Events
import Foundation

extension String: DefaultedFieldValue {
    static let cleared = ""
    static var form: FieldForm { .text }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        if strictly { try Self.check(bytes) }
        self = String(decoding: bytes, as: UTF8.self)
    }

    static func check(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard bytes.isASCII || String(validating: bytes, as: UTF8.self) != nil else {
            throw WireError("the text is not UTF-8")
        }
    }

    var encodedValue: [UInt8]? { isEmpty ? nil : [UInt8](utf8) }

    /// Texts that Unicode takes for the same may have different bytes.
    func isSame(as other: String) -> Bool { self == other && utf8.elementsEqual(other.utf8) }

    var text: String { self }
    static var clearedJSON: JSONValue { .string("") }
}

extension UnsafeRawBufferPointer {
    /// Whether every byte is ASCII. Eight at a time.
    var isASCII: Bool {
        var bits: UInt64 = 0
        guard count >= 8 else {
            for byte in self { bits |= UInt64(byte) }
            return bits & 0x80 == 0
        }
        var place = 0
        while place + 8 < count {
            bits |= loadUnaligned(fromByteOffset: place, as: UInt64.self)
            place += 8
        }
        // The last eight, some of which may have been checked.
        bits |= loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        return bits & 0x8080_8080_8080_8080 == 0
    }
}

extension Bool: DefaultedFieldValue {
    static let cleared = false
    static var form: FieldForm { .flag }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        self = try bytes.onlyVarint() != 0
    }

    var encodedValue: [UInt8]? { self ? [1] : nil }
    static var clearedBytes: [UInt8] { [0] }
    func isSame(as other: Bool) -> Bool { self == other }
    var text: String { self ? "yes" : "no" }
    var json: JSONValue { .bool(self) }
    static var clearedJSON: JSONValue { .bool(false) }
}

extension Date: FieldValue {
    static var form: FieldForm { .instant }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        self.init(milliseconds: try bytes.onlySigned())
    }

    var encodedValue: [UInt8]? { .signed(milliseconds) }
    func isSame(as other: Date) -> Bool { milliseconds == other.milliseconds }
    var text: String { Moment(milliseconds: milliseconds, zone: "UTC").localISO8601 }
}

extension Identifier: FieldValue where Entity: TripEntity {
    static var form: FieldForm { .reference(Entity.kind) }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        guard let found = EntityReference(fieldValue: bytes), let id = Identifier(found) else {
            if Entity.kind.isNamespaced, let found = EntityReference(fieldValue: bytes) {
                throw WireError(
                    "it names a \(found.kindName ?? "kind \(found.kind.rawValue)"), and no \(Entity.kindName)")
            }
            throw WireError(
                "a reference to kind \(Entity.kind.rawValue) has \(EntityReference.valueSize) bytes, that kind first, not "
                    + "\(bytes.count) that begin with \(bytes.prefix(2).map { "\($0)" }.joined(separator: ", "))")
        }
        self = id
    }

    var encodedValue: [UInt8]? { reference.fieldValue }
    func isSame(as other: Identifier) -> Bool { self == other }
    var text: String { description }
}

/// The type of fields that name an entity of one kind.
protocol ReferenceValue: FieldValue {
    static var target: any TripEntity.Type { get }
}

extension Identifier: ReferenceValue where Entity: TripEntity {
    static var target: any TripEntity.Type { Entity.self }
}

extension Day: FieldValue {
    static var form: FieldForm { .day }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        let days = try bytes.onlySigned()
        guard let day = Day(daysSince1970: days) else {
            throw WireError("day \(days) since 1970 is not in the years 1 to 9999")
        }
        self = day
    }

    var encodedValue: [UInt8]? { .signed(Int64(daysSince1970)) }
    func isSame(as other: Day) -> Bool { self == other }
    var text: String { description }
}

extension UnsafeRawBufferPointer {
    /// The varint that fills these bytes.
    func onlyVarint() throws(WireError) -> UInt64 {
        var reader = WireReader(self)
        let value = try reader.rawVarint()
        guard reader.isAtEnd else { throw WireError("\(reader.remaining) bytes follow the number") }
        return value
    }

    /// The zigzag varint that fills these bytes.
    func onlySigned() throws(WireError) -> Int64 {
        let value = try onlyVarint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}

extension [UInt8] {
    static func varint(_ value: UInt64) -> [UInt8] {
        var writer = WireWriter()
        writer.rawVarint(value)
        return writer.finish()
    }

    static func signed(_ value: Int64) -> [UInt8] {
        varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }
}

extension Date {
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// Milliseconds since 1970, rounded; a date beyond 64 bits counts as the last, NaN as 1970.
    var milliseconds: Int64 {
        let rounded = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: rounded) ?? (rounded.isNaN ? 0 : rounded < 0 ? .min : .max)
    }
}
