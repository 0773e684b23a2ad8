extension JSONReader {
    /// Reads the number, `true`, `false` or `null` that begins with the next byte, and keeps nothing of it.
    mutating func skipScalar() throws(ExportError) {
        switch try peek() {
        case UInt8(ascii: "t"): try readWord("true")
        case UInt8(ascii: "f"): try readWord("false")
        case UInt8(ascii: "n"): try readWord("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
        default: throw malformed("a value must be here")
        }
    }

    /// Moves past `word`, whose first letter the caller has seen.
    mutating func readWord(_ word: StaticString) throws(ExportError) {
        for offset in 0..<word.utf8CodeUnitCount {
            try need(1)
            // Sound: the offset is below the count of the string, whose bytes live as long as the program.
            guard buffer[position] == word.utf8Start[offset] else {
                throw malformed("a word without quotes can only be true, false or null")
            }
            position += 1
        }
    }

    /// Reads the number that begins with the next byte, and returns the range of its bytes in `buffer`.
    mutating func readNumberToken() throws(ExportError) -> Range<Int> {
        tokenStart = position
        do { try scanNumber() } catch { throw tokenFailure(error) }
        let range = tokenStart..<position
        guard range.count <= limits.longestToken else { throw tokenTooLong() }
        tokenStart = -1
        return range
    }

    /// Moves past a number (RFC 8259, section 6).
    private mutating func scanNumber() throws(ExportError) {
        if buffer[position] == UInt8(ascii: "-") { position += 1 }
        try need(1)
        if buffer[position] == UInt8(ascii: "0") {
            position += 1
            if try isAt(UInt8(ascii: "0")...UInt8(ascii: "9")) { throw malformed("a number must not begin with zero") }
        } else {
            try scanDigits()
        }
        if try isAt(UInt8(ascii: ".")...UInt8(ascii: ".")) {
            position += 1
            try scanDigits()
        }
        // Both cases of the letter differ in this bit alone.
        if position == filled, !(try fill()) { return }
        guard buffer[position] | 0x20 == UInt8(ascii: "e") else { return }
        position += 1
        try need(1)
        if buffer[position] == UInt8(ascii: "+") || buffer[position] == UInt8(ascii: "-") { position += 1 }
        try scanDigits()
    }

    private mutating func scanDigits() throws(ExportError) {
        try need(1)
        guard try isAt(UInt8(ascii: "0")...UInt8(ascii: "9")) else { throw malformed("a digit must be here") }
        while try isAt(UInt8(ascii: "0")...UInt8(ascii: "9")) { position += 1 }
    }

    /// Whether the next byte is in `range`; false at the end of the file, where a number may end.
    @inline(__always)
    private mutating func isAt(_ range: ClosedRange<UInt8>) throws(ExportError) -> Bool {
        if position == filled, !(try fill()) { return false }
        return range.contains(buffer[position])
    }
}

/// The kinds of JSON values, by their first byte.
package enum ValueKind {
    case object, list, text, number, flag, null

    /// The kind with its article, for messages.
    var name: String {
        switch self {
        case .object: "an object"
        case .list: "a list"
        case .text: "a text"
        case .number: "a number"
        case .flag: "true or false"
        case .null: "null"
        }
    }
}

extension JSONReader {
    /// The kind of the next value, which stays unread.
    @inline(__always)
    package mutating func valueKind() throws(ExportError) -> ValueKind {
        switch try peek() {
        case UInt8(ascii: "\""): return .text
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .list
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw malformed("a value must be here")
        }
    }
}
