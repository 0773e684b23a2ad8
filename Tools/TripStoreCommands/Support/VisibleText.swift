extension String {
    /// The text on one line of a terminal. Characters that could move its cursor, turn the text around, or stand in it unseen are escaped:
    /// control characters, marks and overrides of the writing direction, separators of lines and paragraphs, characters without a width, and
    /// tags. Joiners stay between characters of scripts, and between pictures, that are written with them.
    var visible: String { visible(keepingJoiners: false) }

    private func visible(keepingJoiners: Bool) -> String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        let scalars = Array(unicodeScalars)
        return scalars.indices.map { index in
            let scalar = scalars[index]
            if !scalar.isInvisible || scalar.isJoiner && (keepingJoiners || isJoined(scalars, at: index)) {
                return String(scalar)
            }
            if scalar.isPictureSelector, keepingJoiners || index > 0 && scalars[index - 1].mayBePicture {
                return String(scalar)
            }
            return "\\u{" + String(scalar.value, radix: 16) + "}"
        }.joined()
    }

    private func isJoined(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        index > 0 && index + 1 < scalars.count && scalars[index - 1].isJoined && scalars[index + 1].isJoined
    }

    /// The same for a text of several lines. In JSON, which escapes the rest itself, all joiners stay.
    func visibleLines(isJSON: Bool = false) -> String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).visible(keepingJoiners: isJSON) }.joined(separator: "\n")
    }
}

extension Unicode.Scalar {
    /// Whether a terminal would interpret it, or show nothing for it.
    var isInvisible: Bool {
        switch value {
        case ..<0x20, 0x7F...0x9F, 0xAD: true
        case ..<0x34F: false
        // Marks of the direction of writing, separators, and embeddings, overrides and isolates of direction.
        case 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        // Without a width: joiners, fillers of Hangul, and marks of formats.
        case 0x34F, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200D, 0x2060...0x2065,
            0x206A...0x206F, 0x3164,
            0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A:
            true
        // Selectors of a variant; that of pictures stays behind one.
        case 0xFE00...0xFE0F: true
        // Tags, and the variation selectors of which nothing is seen.
        case 0xE0000...0xE0FFF: true
        default: false
        }
    }

    var isJoiner: Bool { value == 0x200C || value == 0x200D }

    /// Selects the form of what is before it: text, or a picture.
    var isPictureSelector: Bool { value == 0xFE0E || value == 0xFE0F }

    /// Whether a picture selector has a meaning behind it.
    fileprivate var mayBePicture: Bool { properties.isEmoji || value == 0x20E3 }

    /// Whether joiners are written beside it: a letter or mark of the scripts from Arabic to Mongolian, or a picture.
    fileprivate var isJoined: Bool {
        switch value {
        case 0x600...0x109F, 0x1780...0x18AF, 0xA8E0...0xA8FF:
            properties.isAlphabetic || properties.canonicalCombiningClass != .notReordered
        case 0xFE0F, 0x2640, 0x2642, 0x2695...0x26A7, 0x2B1B, 0x2764, 0x1F000...0x1FAFF: true
        default: false
        }
    }
}
