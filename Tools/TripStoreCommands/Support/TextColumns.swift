import Foundation

extension String {
    /// How many columns of a terminal the text takes.
    var columns: Int {
        // Fast path: ASCII has one each.
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.columns }
    }
}

extension Character {
    /// How many columns of a terminal it takes: as many as the widest of its parts. Marks that combine take none, ideographs, kana,
    /// hangul and emoji two, after Unicode Standard Annex 11.
    var columns: Int {
        let widest = unicodeScalars.reduce(0) { Swift.max($0, $1.columns) }
        // A selector asks for the picture of a character, and two regional indicators are a flag.
        let isPicture =
            unicodeScalars.count > 1 && unicodeScalars.contains { $0.value == 0xFE0F || $0.isRegionalIndicator }
        return isPicture ? 2 : widest
    }
}

extension Unicode.Scalar {
    fileprivate var isRegionalIndicator: Bool { 0x1F1E6...0x1F1FF ~= value }

    fileprivate var columns: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // The vowels and finals of a hangul syllable combine with the consonant before them.
        if 0x1160...0x11FF ~= value { return 0 }
        return Self.wide.contains { $0 ~= value } || (properties.isEmojiPresentation && !isRegionalIndicator) ? 2 : 1
    }

    /// The ranges of scripts whose characters are wide.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// The text in ASCII: letters without their marks, and what has no counterpart as in `\u{6771}`.
    var inASCII: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var text = ""
        for character in self {
            if let known = Self.counterparts[character] {
                text += known
                continue
            }
            // Taken apart, a letter with marks is the letter and its marks.
            let parts = String(character).decomposedStringWithCanonicalMapping.unicodeScalars
            if let first = parts.first, first.isASCII, parts.dropFirst().allSatisfy({ $0.columns == 0 }) {
                text.unicodeScalars.append(first)
                continue
            }
            for scalar in character.unicodeScalars {
                text += scalar.isASCII ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return text
    }

    private static let counterparts: [Character: String] = [
        "–": "-", "—": "-", "−": "-", "…": "...", "→": "->", "·": "-", "×": "x", "’": "'", "‘": "'", "“": "\"",
        "”": "\"", "„": "\"", "«": "\"", "»": "\"", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o",
        "Ø": "O", "ł": "l", "Ł": "L", "€": "EUR", "£": "GBP", "\u{A0}": " ",
    ]
}
