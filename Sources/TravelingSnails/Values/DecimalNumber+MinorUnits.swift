extension DecimalNumber {
    /// The number in units of its `digits`-th decimal, such as cents with 2 digits, by exact decimal arithmetic.
    ///
    /// Further decimals are rounded half to even, at once and from the whole text: `29.849999999999998` yields 2985
    /// with 2 digits, `0.125` yields 12 and `0.1250…01` yields 13. Takes time in proportion to the text, and no memory,
    /// however large the exponent.
    /// - Parameter digits: the decimals of the unit: 2 for dollars, 0 for yen.
    /// - Throws: ``ExportError`` with the code `outOfRange` if the result does not fit.
    public func minorUnits(digits: Int) throws(ExportError) -> Int64 {
        let shape = Shape(of: text)
        // How many significant digits precede the decimal point, once it is moved right by `digits`.
        let (kept, overflow) = shape.pointPosition.addingReportingOverflow(digits)
        guard shape.significantDigits > 0 else { return 0 }
        // 10^19 is more than Int64.max already, and 19 digits always fit UInt64.
        if overflow ? digits > 0 : kept > 19 { throw outOfRange(digits) }
        // Less than a tenth of the unit.
        if overflow || kept < 0 { return 0 }

        var magnitude: UInt64 = 0
        var taken = 0
        var firstDropped: UInt8 = 0
        var restIsZero = true
        shape.forEachSignificantDigit(of: text) { digit in
            if taken < kept {
                magnitude = magnitude &* 10 &+ UInt64(digit)
            } else if taken == kept {
                firstDropped = digit
            } else if digit != 0 {
                restIsZero = false
            }
            taken += 1
        }
        while taken < kept {
            magnitude = magnitude &* 10
            taken += 1
        }
        if firstDropped > 5 || (firstDropped == 5 && (!restIsZero || magnitude % 2 == 1)) { magnitude += 1 }
        return try signed(magnitude, digits)
    }

    /// Whether a number of units is the number, but for what a program loses that writes a binary number in decimals.
    public func isExactly(minorUnits: Int64, digits: Int) -> Bool {
        guard let number = Double(text), let units = Double(DecimalNumber(minorUnits: minorUnits, digits: digits).text)
        else {
            return false
        }
        return abs(number - units) <= 4 * units.ulp
    }

    private func signed(_ magnitude: UInt64, _ digits: Int) throws(ExportError) -> Int64 {
        guard text.utf8.first == UInt8(ascii: "-") else {
            guard let units = Int64(exactly: magnitude) else { throw outOfRange(digits) }
            return units
        }
        if magnitude == Int64.min.magnitude { return Int64.min }
        guard let units = Int64(exactly: magnitude) else { throw outOfRange(digits) }
        return -units
    }

    private func outOfRange(_ digits: Int) -> ExportError {
        ExportError(.outOfRange, "The number \(text.excerpt()) is too large to be counted with \(digits) decimals.")
    }
}

extension DecimalNumber {
    /// The positions of a number's digits in its text.
    private struct Shape {
        /// The number is 0.d₁d₂d₃… times ten to this power, where d₁ is the first digit that is not zero.
        var pointPosition = 0
        /// The number of digits from d₁ on; zero if the number is zero.
        var significantDigits = 0
        private var leadingZeros = 0

        init(of text: String) {
            var exponent = 0
            var exponentIsNegative = false
            var part = Part.whole
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    let digit = byte - UInt8(ascii: "0")
                    if part == .exponent {
                        // Bounded so that it cannot overflow; no text has that many digits.
                        exponent = min(exponent * 10 + Int(digit), 1 << 48)
                        continue
                    }
                    if significantDigits == 0 && digit == 0 {
                        leadingZeros += 1
                        if part == .fraction { pointPosition -= 1 }
                    } else {
                        significantDigits += 1
                        if part == .whole { pointPosition += 1 }
                    }
                case UInt8(ascii: "."): part = .fraction
                case UInt8(ascii: "e"), UInt8(ascii: "E"): part = .exponent
                case UInt8(ascii: "-"): exponentIsNegative = part == .exponent
                default: break
                }
            }
            pointPosition += exponentIsNegative ? -exponent : exponent
        }

        /// Calls `body` with every digit from the first that is not zero up to the exponent.
        func forEachSignificantDigit(of text: String, _ body: (UInt8) -> Void) {
            var toSkip = leadingZeros
            for byte in text.utf8 {
                if byte | 0x20 == UInt8(ascii: "e") { return }
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { continue }
                if toSkip > 0 {
                    toSkip -= 1
                } else {
                    body(byte - UInt8(ascii: "0"))
                }
            }
        }
    }

    private enum Part { case whole, fraction, exponent }
}
