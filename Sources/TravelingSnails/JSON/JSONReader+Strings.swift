extension JSONReader {
    /// The bytes of a string without its quotes: in `buffer`, or in `unescaped` if it had escapes. They stay there only
    /// until the reader moves on.
    struct StringToken {
        var range: Range<Int>
        var isUnescaped: Bool
    }

    /// Reads the string whose quote is the next byte, and keeps its bytes.
    mutating func readStringToken() throws(ExportError) -> StringToken {
        position += 1
        tokenStart = position
        let hasEscapes: Bool
        do { hasEscapes = try scanString() } catch { throw tokenFailure(error) }
        let range = tokenStart..<position - 1
        guard range.count <= limits.longestToken else { throw tokenTooLong() }
        tokenStart = -1
        guard hasEscapes else { return StringToken(range: range, isUnescaped: false) }
        return StringToken(range: unescape(range), isUnescaped: true)
    }

    /// Reads the string whose quote is the next byte, of any length, and keeps nothing.
    mutating func skipString() throws(ExportError) {
        position += 1
        _ = try scanString()
    }

    /// Enters the string whose quote is the next byte, to read it in pieces: it may be of any length.
    mutating func beginString() { position += 1 }

    /// Appends about as many bytes of the string that was entered as there is room for, its escapes resolved. Returns false after the
    /// closing quote, when there are no more.
    mutating func readPiece(into piece: inout [UInt8], atMost room: Int) throws(ExportError) -> Bool {
        while piece.count < room {
            try need(1)
            let end = min(plainEnd(from: position), position + room - piece.count)
            guard end == position else {
                piece += buffer[position..<end]
                position = end
                continue
            }
            if buffer[position] == UInt8(ascii: "\"") {
                position += 1
                return false
            }
            // Reading on must leave the character in the buffer.
            tokenStart = position
            if buffer[position] == UInt8(ascii: "\\") {
                try scanEscape()
            } else if buffer[position] >= 0x80 {
                try scanMultibyte()
            } else {
                throw malformed("a control character must not stand in a string; write it as an escape")
            }
            piece += unescaped[unescape(tokenStart..<position)]
            tokenStart = -1
        }
        return true
    }

    /// The text of a token.
    func text(_ token: StringToken) -> String {
        String(decoding: token.isUnescaped ? unescaped[token.range] : buffer[token.range], as: UTF8.self)
    }

    /// Moves past the closing quote, checking everything up to it; true if there were escapes.
    private mutating func scanString() throws(ExportError) -> Bool {
        var hasEscapes = false
        while true {
            position = plainEnd(from: position)
            guard position < filled else {
                try need(1)
                continue
            }
            let byte = buffer[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                return hasEscapes
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                try scanEscape()
            } else if byte >= 0x80 {
                try scanMultibyte()
            } else {
                throw malformed("a control character must not stand in a string; write it as an escape")
            }
        }
    }

    /// The first index from `start` on that is no plain ASCII character: a quote, a backslash, a control character or
    /// part of a longer character.
    @inline(__always)
    private func plainEnd(from start: Int) -> Int {
        var index = start
        while index < filled {
            let word = buffer.word(at: index)
            let isControl = (word &- EachByte.all(0x20)) & ~word
            let isQuote = EachByte.isZero(word ^ EachByte.all(UInt8(ascii: "\"")))
            let isBackslash = EachByte.isZero(word ^ EachByte.all(UInt8(ascii: "\\")))
            let special = (isControl | isQuote | isBackslash | word) & EachByte.all(0x80)
            index += EachByte.countBelowLowest(special)
            if special != 0 { break }
        }
        // Bytes past the filled part do not count.
        return min(index, filled)
    }

    /// Moves past one character of two to four bytes, which must be well-formed UTF-8 (RFC 3629, section 4).
    private mutating func scanMultibyte() throws(ExportError) {
        let lead = buffer[position]
        let length: Int
        // The second byte distinguishes overlong forms, surrogates and numbers beyond Unicode.
        let second: ClosedRange<UInt8>
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw malformed("the bytes of this text are not UTF-8")
        }
        try need(length)
        guard second.contains(buffer[position + 1]),
            buffer[position + 2..<position + length].allSatisfy({ $0 & 0xC0 == 0x80 })
        else { throw malformed("the bytes of this text are not UTF-8") }
        position += length
    }
}
