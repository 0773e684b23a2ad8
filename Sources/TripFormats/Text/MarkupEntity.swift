/// Characters that markup writes by name or by number.
enum MarkupEntity {
    /// The character of an entity of XML 1.0, by what stands between & and ;, as "amp" or "#x41"; nil if there is none.
    static func xml(_ name: String) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
        let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        guard let scalar = number.flatMap({ Unicode.Scalar($0) }), scalar.value != 0 else { return nil }
        return String(scalar)
    }

    /// The text of an entity that pages of the web use, in plain text: a space that does not break is a space.
    static func html(_ name: String) -> String? {
        if let character = xml(name) { return character == "\u{A0}" ? " " : character }
        return named[name]
    }

    private static let named: [String: String] = {
        let letters = [
            "auml": "ä", "Auml": "Ä", "ouml": "ö", "Ouml": "Ö", "uuml": "ü", "Uuml": "Ü", "szlig": "ß", "eacute": "é",
            "Eacute": "É", "egrave": "è", "Egrave": "È", "ecirc": "ê", "euml": "ë", "agrave": "à", "Agrave": "À",
            "aacute": "á", "acirc": "â", "atilde": "ã", "aring": "å", "Aring": "Å", "aelig": "æ", "ccedil": "ç",
            "Ccedil": "Ç", "iacute": "í", "icirc": "î", "iuml": "ï", "ntilde": "ñ", "Ntilde": "Ñ", "oacute": "ó",
            "ocirc": "ô", "otilde": "õ", "oslash": "ø", "Oslash": "Ø", "uacute": "ú", "ugrave": "ù", "ucirc": "û",
        ]
        let signs = [
            "nbsp": " ", "ensp": " ", "emsp": " ", "thinsp": " ", "zwnj": "", "zwj": "", "shy": "", "ndash": "–",
            "mdash": "—", "hellip": "…", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”",
            "bdquo": "„", "laquo": "«", "raquo": "»", "bull": "•", "middot": "·", "deg": "°", "euro": "€",
            "pound": "£", "yen": "¥", "cent": "¢", "copy": "©", "reg": "®", "trade": "™", "times": "×", "rarr": "→",
            "larr": "←", "sect": "§", "frac12": "½", "plusmn": "±", "ordm": "º", "ordf": "ª", "iexcl": "¡",
            "iquest": "¿",
        ]
        return letters.merging(signs) { letter, _ in letter }
    }()
}
