import Events
import Foundation

/// An exact amount: a whole number of a currency's smallest units. No floating point anywhere.
public struct Money: Hashable, Sendable {
    /// Cents of euros, yen, thousandths of dinars. Negative amounts are refunds.
    public var minorUnits: Int64
    /// The currency of the units.
    public var currency: Currency
    /// Fields of the value that this version does not know, unchanged.
    package var unknownFields: [UInt8] = []

    /// A whole number of the smallest units.
    public init(minorUnits: Int64, _ currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// From decimal text in the form of program code, as in `Money("12.34", "EUR")`, `Money("-5", "EUR")`, `Money("1200", "JPY")`.
    ///
    /// Nil for any other form, such as a decimal comma ("3,10"), separators of thousands, a plus, a space or a sign of the currency, and for
    /// more digits behind the point than the currency has. For what people type use `init(parsing:_:)`, which throws what is wrong.
    public init?(_ amount: String, _ currency: Currency) {
        guard let money = try? Money(parsing: amount, currency) else { return nil }
        self = money
    }

    /// From decimal text: an optional minus, digits, and a point with no more digits than the currency has.
    ///
    /// Throws `ValidationError` with `unknownCurrency`, or `invalidAmount` if the text is no such number, or not exact
    /// in that currency, or beyond 64 bits; the message says which.
    public init(parsing amount: String, _ currency: Currency) throws(ValidationError) {
        guard let digits = currency.minorDigits else { throw .unknownCurrency(currency) }
        let minorUnits: Int64
        switch Self.parse(amount, digits: digits) {
        case .units(let units): minorUnits = units
        case .tooLarge:
            throw ValidationError(
                .invalidAmount,
                "\"\(amount.prefix(100))\" is too large an amount in \(currency): "
                    + "\(Money(minorUnits: .max, currency)) is the largest.")
        case .malformed:
            let advice = digits == 0 ? "it has no smaller unit" : "with at most \(digits) after a point"
            throw ValidationError(
                .invalidAmount, "\"\(amount.prefix(100))\" is no amount in \(currency). Write digits, \(advice).")
        }
        self.init(minorUnits: minorUnits, currency)
    }

    private enum Parsed {
        case units(Int64)
        case tooLarge
        case malformed
    }

    private static func parse(_ text: String, digits: Int) -> Parsed {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = text.utf8.dropFirst(isNegative ? 1 : 0).split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty else { return .malformed }
        let fraction = parts.count == 2 ? parts[1] : Substring().utf8
        guard parts.count == 1 || 1...max(1, digits) ~= fraction.count, fraction.count <= digits,
            whole.allSatisfy(\.isDecimalDigit), fraction.allSatisfy(\.isDecimalDigit)
        else { return .malformed }

        var units: Int64 = 0
        for digit in [UInt8](whole) + [UInt8](fraction) + [UInt8](repeating: 48, count: digits - fraction.count) {
            let (tens, over) = units.multipliedReportingOverflow(by: 10)
            // Negative, because the least number has no positive counterpart.
            let (sum, under) = tens.subtractingReportingOverflow(Int64(digit - 48))
            guard !over, !under else { return .tooLarge }
            units = sum
        }
        if isNegative { return .units(units) }
        return units == .min ? .tooLarge : .units(-units)
    }

    /// The amount in decimals, as in "12.34"; in minor units if the currency is not known.
    public var amount: String {
        guard let digits = currency.minorDigits, digits > 0 else { return String(minorUnits) }
        let text = String(minorUnits.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return (minorUnits < 0 ? "-" : "") + padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}

extension Money: CustomStringConvertible {
    /// The amount and the currency, as in "12.34 EUR"; the smallest units of a currency that is not known.
    public var description: String {
        currency.isKnown ? "\(amount) \(currency)" : "\(minorUnits) minor units of \(currency)"
    }
}

extension Money: PartedValue {
    static var form: FieldForm { .money }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        var code = ""
        (minorUnits, currency) = (0, "")
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: minorUnits = try reader.signed(field)
            case 2: code = try reader.text(field, strictly: strictly)
            default: unknownFields += try reader.skip(field)
            }
        }
        currency = Currency(unchecked: code)
    }

    /// The amount in the bytes of a field, and the bytes of its code; nil if they cannot be read.
    static func parts(of bytes: UnsafeRawBufferPointer) -> (minorUnits: Int64, currency: UnsafeRawBufferPointer)? {
        var code = UnsafeRawBufferPointer(start: nil, count: 0)
        let minorUnits = bytes.number {
            code = $0
            return true
        }
        return minorUnits.map { ($0, code) }
    }

    /// The code of the currency in the bytes of a field; nil if they cannot be read.
    static func codeBytes(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? { parts(of: bytes)?.currency }

    var encodedValue: [UInt8]? {
        var writer = WireWriter(reservingCapacity: 16)
        if minorUnits != 0 { writer.signed(1, minorUnits) }
        if !currency.code.isEmpty { writer.string(2, currency.code) }
        writer.raw(unknownFields)
        return writer.count == 0 ? nil : writer.finish()
    }

    func isSame(as other: Money) -> Bool {
        minorUnits == other.minorUnits && currency.code.isSame(as: other.currency.code)
            && unknownFields == other.unknownFields
    }

    var text: String { description }

    var json: JSONValue {
        .object([
            "currency": .string(currency.code), "minor": .integer(minorUnits),
        ])
    }

    static var lastPart: UInt32 { 2 }
}
