extension String {
    /// Text as it is compared and read: each run of white space is one space, dashes and minus signs are "-", digits of all scripts are
    /// those of ASCII, and what is invisible, such as marks of direction, is left out. O(n).
    var plain: String {
        var text = ""
        var isAfterSpace = true
        for scalar in unicodeScalars {
            // Most text is ASCII, and asks no table of Unicode: that took a quarter of a table's reading.
            if ("!"..."~").contains(scalar) {
                text.unicodeScalars.append(scalar)
                isAfterSpace = false
                continue
            }
            let properties = scalar.properties
            if properties.isWhitespace {
                if !isAfterSpace { text += " " }
                isAfterSpace = true
                continue
            }
            // A byte order mark and joiners are of this category.
            guard properties.generalCategory != .format else { continue }
            isAfterSpace = false
            if properties.numericType == .decimal, let digit = properties.numericValue {
                text += String(Int(digit))
            } else {
                text.unicodeScalars.append(properties.isDash || scalar == "\u{2212}" ? "-" : scalar)
            }
        }
        return text.hasSuffix(" ") ? String(text.dropLast()) : text
    }

    /// A header or a word in the form in which two are the same: plain, in lower case.
    var folded: String { plain.lowercased() }

    /// Whether a cell of a time or an amount says that it is not known: it is blank, has dashes, dots or question marks alone, or says so.
    var isUnknown: Bool {
        let text = folded
        return text.allSatisfy { "-.?:".contains($0) }
            || ["n/a", "#n/a", "n.a.", "na", "tba", "tbd", "tbc", "unknown", "null", "none"].contains(text)
    }
}
