extension JSONReader {
    /// Moves past the escape whose backslash is the next byte.
    ///
    /// Half a surrogate pair is refused: it is no character, and would be lost or replaced silently.
    mutating func scanEscape() throws(ExportError) {
        try need(2)
        switch buffer[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
        case UInt8(ascii: "u"):
            let unit = try scanUnicodeEscape()
            if UTF16.isTrailSurrogate(unit) { throw malformed("an escape before this is half a surrogate pair") }
            guard UTF16.isLeadSurrogate(unit) else { return }
            try need(2)
            guard buffer[position] == UInt8(ascii: "\\"), buffer[position + 1] == UInt8(ascii: "u"),
                UTF16.isTrailSurrogate(try scanUnicodeEscape())
            else { throw malformed("an escape before this is half a surrogate pair") }
        default:
            throw malformed("there is no such escape in JSON")
        }
    }

    private mutating func scanUnicodeEscape() throws(ExportError) -> UInt16 {
        try need(6)
        var unit: UInt16 = 0
        for index in position + 2..<position + 6 {
            guard let digit = hexDigit(buffer[index]) else { throw malformed("\\u needs four hexadecimal digits") }
            unit = unit << 4 | UInt16(digit)
        }
        position += 6
        return unit
    }

    /// Puts the string in `range` of `buffer`, whose escapes have been checked, into `unescaped`; returns its range
    /// there.
    mutating func unescape(_ range: Range<Int>) -> Range<Int> {
        unescaped.removeAll(keepingCapacity: true)
        var index = range.lowerBound
        var lead: UInt32 = 0
        while index < range.upperBound {
            guard buffer[index] == UInt8(ascii: "\\") else {
                unescaped.append(buffer[index])
                index += 1
                continue
            }
            switch buffer[index + 1] {
            case UInt8(ascii: "b"): unescaped.append(0x08)
            case UInt8(ascii: "f"): unescaped.append(0x0C)
            case UInt8(ascii: "n"): unescaped.append(0x0A)
            case UInt8(ascii: "r"): unescaped.append(0x0D)
            case UInt8(ascii: "t"): unescaped.append(0x09)
            case UInt8(ascii: "u"):
                let unit = buffer[index + 2..<index + 6].reduce(0) { $0 << 4 | UInt32(hexDigit($1) ?? 0) }
                index += 4
                if (0xD800...0xDBFF).contains(unit) {
                    lead = unit
                } else if (0xDC00...0xDFFF).contains(unit) {
                    append(0x10000 + (lead - 0xD800) << 10 + (unit - 0xDC00))
                } else {
                    append(unit)
                }
            case let itself: unescaped.append(itself)
            }
            index += 2
        }
        let text = unescaped.indices
        unescaped.append(contentsOf: repeatElement(0, count: JSONReader.padding))
        return text
    }

    private mutating func append(_ value: UInt32) {
        // The scan accepts only Unicode scalar values.
        guard let scalar = Unicode.Scalar(value) else { return }
        unescaped.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
