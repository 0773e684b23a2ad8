/// A decimal number with its exact text in the file, so that no digit of an amount is lost.
///
/// Two numbers are equal if their texts are: `1.0` and `1.00` are not.
public struct DecimalNumber: Sendable, Hashable {
    /// The number as JSON writes it, such as `-12.50` or `1e3`.
    public let text: String

    /// From a number in the form of JSON (RFC 8259, section 6); nil for another form.
    public init?(_ text: String) {
        guard DecimalNumber.isNumber(text.utf8) else { return nil }
        self.text = text
    }

    /// The number of units of the `digits`-th decimal, as 1250 with 2 digits is `12.50`: the inverse of ``minorUnits(digits:)``.
    public init(minorUnits: Int64, digits: Int) {
        var rest = minorUnits.magnitude
        text = String(unsafeUninitializedCapacity: 24 + max(0, digits)) { buffer in
            // From the last digit to the first, and then to the front.
            var start = buffer.count
            var written = 0
            repeat {
                if written == digits, digits > 0 {
                    start -= 1
                    buffer[start] = UInt8(ascii: ".")
                }
                start -= 1
                buffer[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
                written += 1
            } while rest > 0 || written <= digits
            if minorUnits < 0 {
                start -= 1
                buffer[start] = UInt8(ascii: "-")
            }
            let count = buffer.count - start
            for index in 0..<count { buffer[index] = buffer[start + index] }
            return count
        }
    }

    /// From a text that the JSON reader has already validated as a number.
    init(checked text: String) {
        self.text = text
    }

    /// Whether the number is less than zero; `-0.0` is not.
    public var isNegative: Bool {
        guard text.utf8.first == UInt8(ascii: "-") else { return false }
        let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        return digits.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isNumber(_ bytes: String.UTF8View) -> Bool {
        var rest = bytes[...]
        func dropDigits() -> Int {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(digits)
            return digits
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let leadsWithZero = rest.first == UInt8(ascii: "0")
        let whole = dropDigits()
        guard whole == 1 || (whole > 1 && !leadsWithZero) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard dropDigits() > 0 else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
            guard dropDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// The exact text.
    public var description: String { text }
}
