import Events
import Foundation

/// What is searched for: words and phrases, all of which an entity must have.
///
/// A word is found as a whole or as the beginning of a longer one. What is in quotes is found as it stands there, whole words in this order
/// and in one text; so is a word with marks in it, such as "LH-400", whose last part may be a beginning. Of scripts without spaces a run of
/// characters is found wherever it stands.
package struct SearchQuestion: Hashable, Sendable {
    /// The most bytes of a question.
    package static let longest = 1_024
    /// The most words of a question, the characters of scripts without spaces counted as words.
    package static let mostWords = 64

    package struct Word: Hashable, Sendable {
        package let bytes: [UInt8]
        /// How far behind the first one it stands.
        package let offset: Int
        /// Whether tokens that only begin with it are found.
        package let isPrefix: Bool
        /// Whether these count as much as the word itself: a single character of a script without spaces.
        package let isCharacter: Bool

        /// Whether a token is found by it; and then whether as a whole.
        @inline(__always)
        package func match(_ token: UnsafeRawBufferPointer) -> Bool? {
            guard token.count >= bytes.count else { return nil }
            if token.count == bytes.count { return bytes.withUnsafeBytes { token.equals($0) } ? true : nil }
            guard isPrefix else { return nil }
            let start = UnsafeRawBufferPointer(rebasing: token[..<bytes.count])
            return bytes.withUnsafeBytes { start.equals($0) } ? isCharacter : nil
        }
    }

    /// A word, or several that follow each other.
    package struct Term: Hashable, Sendable {
        package let words: [Word]
    }

    package let terms: [Term]

    package var isEmpty: Bool { terms.isEmpty }

    /// Nil if the question is too long. A quote that is not closed holds what follows, of which the last word may be a beginning: so it
    /// can be searched while it is typed.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        var terms: [Term] = []
        var quoted = false
        var chunk = ""
        func end(isClosed: Bool) {
            let term = Term(chunk, isWhole: quoted && isClosed)
            chunk = ""
            if !term.words.isEmpty, !terms.contains(term) { terms.append(term) }
        }
        for scalar in text.unicodeScalars {
            if Self.quotes.contains(scalar) {
                end(isClosed: true)
                quoted.toggle()
            } else if !quoted, Self.isSpace(scalar) {
                end(isClosed: true)
            } else {
                chunk.unicodeScalars.append(scalar)
            }
        }
        end(isClosed: false)
        guard terms.reduce(0, { $0 + $1.words.count }) <= Self.mostWords else { return nil }
        self.terms = terms
    }

    private static let quotes: Set<Unicode.Scalar> = ["\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}"]

    /// By numbers, so that no table of the system decides.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }
}

extension SearchQuestion.Term {
    /// The words of a text in their order. The last one may be a beginning unless `isWhole`.
    fileprivate init(_ text: String, isWhole: Bool) {
        let found = TextTokens(of: text)
        let first = found.tokens.first?.position ?? 0
        words = found.tokens.enumerated().compactMap { index, token in
            // The pair before has it.
            guard token.form != .last else { return nil }
            let isLast = index == found.tokens.count - 1
            return SearchQuestion.Word(
                bytes: Array(found.bytes(of: token)), offset: token.position - first,
                isPrefix: token.form == .alone || token.form == .word && isLast && !isWhole,
                isCharacter: token.form == .alone)
        }
    }
}

extension SearchQuestion {
    /// Where the terms stand in a text, from its beginning on, none over another. Of a word whose beginning was asked for the whole of it.
    package func places(in text: String) -> [Range<String.Index>] {
        let found = TextTokens(of: text)
        var places: [Range<Int>] = []
        for term in terms {
            for start in found.tokens {
                if let place = Self.place(of: term, from: start, found) { places.append(place) }
            }
        }
        places.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var joined: [Range<Int>] = []
        for place in places {
            if let last = joined.last, place.lowerBound < last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                joined.append(place)
            }
        }
        let utf8 = text.utf8
        return joined.map {
            utf8.index(utf8.startIndex, offsetBy: $0.lowerBound)..<utf8.index(utf8.startIndex, offsetBy: $0.upperBound)
        }
    }

    private static func place(
        of term: Term, from start: TextTokens.Token, _ found: TextTokens
    ) -> Range<Int>? {
        var end = start.place.lowerBound
        for word in term.words {
            // Each token has the position after the one before it.
            let index = start.position + word.offset
            guard found.tokens.indices.contains(index) else { return nil }
            let token = found.tokens[index]
            let isFound = found.bytes(of: token).withUnsafeBytes { word.match($0) != nil }
            guard isFound else { return nil }
            // A pair of characters is found by the first one, too.
            end = max(end, word.isCharacter ? token.firstEnd : token.place.upperBound)
        }
        return start.place.lowerBound..<end
    }
}
