/// Reads text of fixed forms, such as 2027-05-01: ASCII digits and marks, nothing else.
struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// The number that exactly `count` digits make (at most 9 of them); nil if they are not there.
    mutating func number(_ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0.isDecimalDigit }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Skips a mark and returns whether it was there.
    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest = rest.dropFirst()
        return true
    }
}

extension UInt8 {
    var isDecimalDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
