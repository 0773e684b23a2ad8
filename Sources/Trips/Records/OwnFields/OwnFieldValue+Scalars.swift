import Events
import Foundation

extension Int: FieldValue {
    static var form: FieldForm { .integer }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        let number = try bytes.onlySigned()
        guard let narrow = Int(exactly: number) else { throw WireError("\(number) is beyond the integers here") }
        self = narrow
    }

    /// A zigzag varint.
    var encodedValue: [UInt8]? { .signed(Int64(self)) }
    func isSame(as other: Int) -> Bool { self == other }
    var text: String { description }
    var json: JSONValue { .integer(Int64(self)) }
}

extension Double: FieldValue {
    static var form: FieldForm { .number }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        guard bytes.count == 8 else { throw WireError("a number has 8 bytes, not \(bytes.count)") }
        self.init(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    /// IEEE 754, 8 bytes, the least significant first. Every NaN is one, and −0 is 0: equal values have equal bytes.
    var encodedValue: [UInt8]? {
        let pattern = isNaN ? Double.nan.bitPattern : self == 0 ? 0 : bitPattern
        return withUnsafeBytes(of: pattern.littleEndian, [UInt8].init)
    }

    var text: String { description }
    var json: JSONValue { .number(self) }
}

extension UUID: FieldValue {
    static var form: FieldForm { .uuid }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        guard bytes.count == 16 else { throw WireError("a UUID has 16 bytes, not \(bytes.count)") }
        self = bytes.uuid()
    }

    var encodedValue: [UInt8]? { bytes }
    var text: String { uuidString }
}

extension Data: FieldValue {
    static var form: FieldForm { .data }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) { self.init(bytes) }

    func checkRules() throws(ValidationError) {
        guard count <= String.longest else {
            throw ValidationError(
                .tooLong,
                "The value has \(count) bytes, more than \(String.longest). Keep it elsewhere, and its name here.")
        }
    }

    var encodedValue: [UInt8]? { [UInt8](self) }
    var text: String { "0x" + [UInt8](self).hexadecimal }
    var json: JSONValue { .object(["base64": .string(base64EncodedString())]) }
}
