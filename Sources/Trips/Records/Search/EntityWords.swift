import Events

/// The words of an entity as one row has them: each token with where it stands. What an index and a scan compare questions with.
///
/// Token by token, in the order of their bytes: the number of its bytes (1) and these, how often it stands in the entity (2), and for each
/// time the field (1) and the position (2), most significant bytes first. Texts follow each other with a position left out between them, so
/// that no phrase goes from one into the next.
package enum EntityWords {
    /// The most tokens of an entity that count: the first ones of the texts, in the order of `SearchField`.
    package static let mostTokens = 2_000

    /// The version of the rows: of the tokens, of what is searched, and of the bytes. The folding has a version of its own.
    private static let layout: UInt32 = 2

    /// The version of the folding in the high half, which views of words have in theirs.
    package static let version = TextFolding.version << 16 | layout

    private struct Found {
        let start: Int
        let count: Int
        let field: SearchField
        let position: Int
    }

    /// Empty if there is no token.
    package static func row(of texts: [EntityText]) -> [UInt8] {
        var bytes: [UInt8] = []
        var found: [Found] = []
        var base = 0
        for text in texts {
            let tokens = TextTokens(of: text.text, atMost: mostTokens - found.count)
            guard let last = tokens.tokens.last else { continue }
            for token in tokens.tokens {
                guard found.count < mostTokens else { break }
                found.append(
                    Found(
                        start: bytes.count + token.range.lowerBound, count: token.range.count, field: text.field,
                        position: base + token.position))
            }
            bytes += tokens.bytes
            base += last.position + 2
            guard found.count < mostTokens else { break }
        }
        return bytes.withUnsafeBytes { row(of: &found, in: $0) }
    }

    private static func row(of found: inout [Found], in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        func part(_ token: Found) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: bytes[token.start..<token.start + token.count])
        }
        found.sort { a, b in
            let (token, other) = (part(a), part(b))
            if token.isBelow(other) { return true }
            return token.equals(other) && a.position < b.position
        }
        var row: [UInt8] = []
        row.reserveCapacity(bytes.count + 6 * found.count)
        var index = 0
        while index < found.count {
            let token = part(found[index])
            var end = index + 1
            while end < found.count, part(found[end]).equals(token) { end += 1 }
            row.append(UInt8(token.count))
            row += token
            row.append(number: end - index)
            for place in found[index..<end] {
                row.append(place.field.rawValue)
                row.append(number: place.position)
            }
            index = end
        }
        return row
    }

    /// A token of a row, valid as long as the row.
    package struct Token {
        package let bytes: UnsafeRawBufferPointer
        let places: UnsafeRawBufferPointer

        /// A bit for each field that has it, by the field's number. O(places).
        package var fields: UInt16 {
            var fields: UInt16 = 0
            for place in stride(from: 0, to: places.count, by: Self.placeSize) {
                fields |= EntityWords.mask(places[place])
            }
            return fields
        }

        static let placeSize = 3

        func forEachPlace(_ body: (_ position: Int, _ mask: UInt16) -> Void) {
            var offset = 0
            while offset + Self.placeSize <= places.count {
                body(Int(places.bigEndian(UInt16.self, at: offset + 1)), EntityWords.mask(places[offset]))
                offset += Self.placeSize
            }
        }
    }

    fileprivate static func mask(_ field: UInt8) -> UInt16 { field < 16 ? 1 << UInt16(field) : 0 }

    /// Calls `body` with each token. Stops where the bytes are no row.
    package static func forEachToken(in row: UnsafeRawBufferPointer, _ body: (Token) -> Void) {
        var offset = 0
        while offset < row.count {
            let start = offset + 1
            let end = start + Int(row[offset])
            guard end + 2 <= row.count else { return }
            let places = end + 2..<end + 2 + Token.placeSize * Int(row.bigEndian(UInt16.self, at: end))
            guard places.upperBound <= row.count else { return }
            body(
                Token(
                    bytes: UnsafeRawBufferPointer(rebasing: row[start..<end]),
                    places: UnsafeRawBufferPointer(rebasing: row[places])))
            offset = places.upperBound
        }
    }
}

extension [UInt8] {
    /// In 2 bytes, most significant first, without an array of these.
    fileprivate mutating func append(number: Int) {
        append(UInt8(truncatingIfNeeded: number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }
}
