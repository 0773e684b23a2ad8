extension String {
    /// The text on one line of a terminal. Characters that could move its cursor or turn the text around are escaped:
    /// control characters, marks and overrides of the writing direction, and separators of lines and paragraphs.
    var visible: String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        return unicodeScalars.map { scalar in
            scalar.isInvisible ? "\\u{" + String(scalar.value, radix: 16) + "}" : String(scalar)
        }.joined()
    }

    /// The same for a text of several lines.
    var visibleLines: String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        return split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }.joined(
            separator: "\n")
    }
}

extension Unicode.Scalar {
    /// Whether a terminal would interpret it instead of showing it.
    var isInvisible: Bool {
        switch value {
        case ..<0x20, 0x7F...0x9F: true
        case ..<0x61C: false
        // Marks of the direction of writing, separators, and embeddings, overrides and isolates of direction.
        case 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
