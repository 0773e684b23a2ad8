import Platform

extension JSONReader {
    /// Reads more bytes after those in the buffer; returns false at the end of the file.
    ///
    /// First drops consumed bytes, unless a token must stay: then the buffer grows, up to the limit for a token.
    @inline(never)
    mutating func fill() throws(ExportError) -> Bool {
        let keep = tokenStart >= 0 ? tokenStart : position
        if keep > 0 {
            // Less than a chunk: a longer token begins at 0 after its first fill.
            for index in keep..<filled { buffer[index - keep] = buffer[index] }
            bufferOffset += Int64(keep)
            position -= keep
            filled -= keep
            if tokenStart >= 0 { tokenStart = 0 }
        }
        if filled > limits.longestToken + limits.chunk { throw tokenTooLong() }
        if buffer.count - filled < limits.chunk + JSONReader.padding {
            buffer.append(contentsOf: repeatElement(0, count: max(buffer.count, limits.chunk)))
        }
        let got = try input.read(into: &buffer, at: filled, count: limits.chunk)
        filled += got
        if got > 0 { progress?(bufferOffset + Int64(filled), input.identity.size) }
        return got > 0
    }

    /// Makes sure that the buffer holds `count` bytes from the position on.
    @inline(__always)
    mutating func need(_ count: Int) throws(ExportError) {
        while filled - position < count {
            guard try fill() else {
                position = filled
                throw truncated()
            }
        }
    }

    /// The next byte that is no white space, which stays unread.
    @inline(__always)
    mutating func peek() throws(ExportError) -> UInt8 {
        if position < filled {
            let byte = buffer[position]
            if byte > UInt8(ascii: " ") { return byte }
            // One space between a colon and a value is most of the white space that is not indentation.
            if byte == UInt8(ascii: " "), position + 1 < filled, buffer[position + 1] > UInt8(ascii: " ") {
                position += 1
                return buffer[position]
            }
        }
        return try peekPastSpace()
    }

    private mutating func peekPastSpace() throws(ExportError) -> UInt8 {
        while try skipSpace() {
            guard try fill() else { throw truncated() }
        }
        return buffer[position]
    }

    /// Moves past white space; true if the buffered bytes end with it.
    mutating func skipSpace() throws(ExportError) -> Bool {
        var index = position
        while index < filled {
            let byte = buffer[index]
            if byte == UInt8(ascii: " ") {
                // Indentation is long.
                index += EachByte.countBelowLowest(buffer.word(at: index) ^ EachByte.all(UInt8(ascii: " ")))
            } else if byte == UInt8(ascii: "\n") {
                index += 1
                line += 1
                lineStart = bufferOffset + Int64(index)
            } else if byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") {
                index += 1
            } else {
                position = index
                return false
            }
        }
        // Spaces may continue past the filled part, where they do not count.
        position = filled
        return true
    }

    /// Moves past the byte order mark that some programs put before UTF-8.
    package mutating func skipByteOrderMark() throws(ExportError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        while filled < mark.count, try fill() {}
        guard filled >= mark.count, buffer[..<mark.count].elementsEqual(mark) else { return }
        position = mark.count
        lineStart = Int64(mark.count)
    }

    /// Throws unless only white space is left.
    package mutating func expectEnd() throws(ExportError) {
        while try skipSpace() {
            guard try fill() else { return }
        }
        throw malformed("the JSON ends before this, but there is more")
    }
}
