import Foundation

extension UUID {
    /// The UUID whose 36 characters fill `range` of `bytes` exactly, in either case; nil if there is none.
    static func parse(_ bytes: [UInt8], _ range: Range<Int>) -> UUID? {
        guard range.count == 36 else { return nil }
        let start = range.lowerBound
        let dash = UInt8(ascii: "-")
        guard bytes[start + 8] == dash, bytes[start + 13] == dash, bytes[start + 18] == dash, bytes[start + 23] == dash
        else { return nil }
        // The groups of 8-4-4-4-12 digits, as four words of eight digits with the dashes left out.
        let second = bytes.word(start + 9..<start + 13) | bytes.word(start + 14..<start + 18) << 32
        let third = bytes.word(start + 19..<start + 23) | bytes.word(start + 24..<start + 28) << 32
        guard let first = hexWord(bytes.word(at: start)), let second = hexWord(second), let third = hexWord(third),
            let fourth = hexWord(bytes.word(at: start + 28))
        else { return nil }
        return UUID(
            uuid: (
                first.0, first.1, first.2, first.3, second.0, second.1, second.2, second.3,
                third.0, third.1, third.2, third.3, fourth.0, fourth.1, fourth.2, fourth.3
            ))
    }

    /// The four bytes that eight hexadecimal digits write, the first digit lowest in `digits`.
    @inline(__always)
    private static func hexWord(_ digits: UInt64) -> (UInt8, UInt8, UInt8, UInt8)? {
        // With every byte below 128, adding the distance to 128 sets the high bit from a bound on, and never carries.
        let high = EachByte.all(0x80)
        guard digits & high == 0 else { return nil }
        let lower = digits | EachByte.all(0x20)
        let isLetter = (lower &+ EachByte.all(0x80 - 0x61)) & ~(lower &+ EachByte.all(0x80 - 0x67)) & high
        let isDigit = (digits &+ EachByte.all(0x80 - 0x30)) & ~(digits &+ EachByte.all(0x80 - 0x3A)) & high
        guard isLetter | isDigit == high else { return nil }
        // A letter's low four bits are 9 less than its value.
        let values = (digits & EachByte.all(0x0F)) &+ (isLetter >> 7) &* 9
        // Joins every pair of digits in its lower byte.
        let pairs = (values << 4) | (values >> 8)
        return (
            UInt8(truncatingIfNeeded: pairs), UInt8(truncatingIfNeeded: pairs >> 16),
            UInt8(truncatingIfNeeded: pairs >> 32), UInt8(truncatingIfNeeded: pairs >> 48)
        )
    }
}

/// The value of a hexadecimal digit in either case; nil for any other byte.
func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
}
