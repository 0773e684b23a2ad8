import Foundation

/// Appends the values of an export's JSON to bytes, without a text in between: a large export has many millions of values.
struct JSONOutput {
    private(set) var bytes: [UInt8] = []

    init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Forgets the bytes, which were taken elsewhere.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// JSON that is known when the program is compiled: punctuation, indents and keys.
    @inline(__always)
    mutating func raw(_ json: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    }

    mutating func raw(_ json: some Sequence<UInt8>) { bytes.append(contentsOf: json) }

    /// A string, in quotes.
    mutating func text(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices where Self.mustBeEscaped(utf8[index]) {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
                escape(utf8[index])
                start = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case 0x08: raw("\\b")
        case 0x09: raw("\\t")
        case 0x0A: raw("\\n")
        case 0x0C: raw("\\f")
        case 0x0D: raw("\\r")
        default:
            raw("\\u00")
            bytes.append(Self.lowerDigit(byte >> 4))
            bytes.append(Self.lowerDigit(byte & 0xF))
        }
    }

    private static func lowerDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// A UUID in upper case, in quotes.
    mutating func uuid(_ id: UUID) {
        withUnsafeBytes(of: id.uuid) { id in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 38) { text in
                text.initialize(repeating: UInt8(ascii: "-"))
                (text[0], text[37]) = (UInt8(ascii: "\""), UInt8(ascii: "\""))
                var next = 1
                for index in 0..<16 {
                    if index == 4 || index == 6 || index == 8 || index == 10 { next += 1 }
                    text[next] = Self.upperDigit(id[index] >> 4)
                    text[next + 1] = Self.upperDigit(id[index] & 0xF)
                    next += 2
                }
                bytes.append(contentsOf: text)
            }
        }
    }

    private static func upperDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// An instant of ISO 8601 in UTC, in quotes: to the second, because the app reads no fractions. What lies beyond the years 1 to 9999
    /// becomes their first or last second.
    mutating func date(_ instant: ExportedInstant) {
        let (year, month, day) = instant.day
        let second = instant.secondOfDay
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 22) { text in
            (text[0], text[21]) = (UInt8(ascii: "\""), UInt8(ascii: "\""))
            Self.pair(year / 100, text, 1)
            Self.pair(year % 100, text, 3)
            text[5] = UInt8(ascii: "-")
            Self.pair(month, text, 6)
            text[8] = UInt8(ascii: "-")
            Self.pair(day, text, 9)
            text[11] = UInt8(ascii: "T")
            Self.pair(second / 3_600, text, 12)
            text[14] = UInt8(ascii: ":")
            Self.pair(second / 60 % 60, text, 15)
            text[17] = UInt8(ascii: ":")
            Self.pair(second % 60, text, 18)
            text[20] = UInt8(ascii: "Z")
            bytes.append(contentsOf: text)
        }
    }

    @inline(__always)
    private static func pair(_ value: Int, _ text: UnsafeMutableBufferPointer<UInt8>, _ index: Int) {
        text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10)
        text[index + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
    }

    mutating func number(_ value: some BinaryInteger) { raw(String(value).utf8) }

    /// The shortest text that reads as the same number; 0 for what JSON has no number for.
    mutating func number(_ value: Double) { raw((value.isFinite ? "\(value)" : "0").utf8) }

    mutating func flag(_ value: Bool) { value ? raw("true") : raw("false") }
}
