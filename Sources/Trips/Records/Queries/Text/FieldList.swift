/// The names of fields in words, with commas between them.
enum FieldList {
    struct Name {
        /// Its text is the name, and its offset that of the name.
        let token: QueryToken
        /// The offset of what stands before the name.
        let start: Int
        var prefixes: Set<Unicode.Scalar> = []
        var part = RecordGroupKey.Part.value
    }

    /// Each name, with the prefixes before it, each of which may stand there once. Throws `QueryTextError`. O(characters).
    static func names(_ text: String, prefixes: Set<Unicode.Scalar> = []) throws(QueryTextError) -> [Name] {
        var names: [Name] = []
        try forEach(in: text, prefixes: prefixes) { names.append($0) }
        return names
    }

    /// Calls `body` with each name before what follows it is read; if `hasParts` a name may stand after `month of` or the like.
    static func forEach(
        in text: String, prefixes: Set<Unicode.Scalar> = [], hasParts: Bool = false,
        _ body: (Name) throws(QueryTextError) -> Void
    ) throws(QueryTextError) {
        var rest = try QueryLexer.tokens(of: text)[...]
        while var token = rest.popFirst() {
            let start = token.offset
            let part = hasParts && rest.first?.isKeyword("of") == true ? part(token) : nil
            if part != nil {
                rest.removeFirst()
                // The last token is the end.
                token = rest.popFirst() ?? token
            }
            var (name, found) = split(token, prefixes)
            // A name in quotes after its prefixes.
            if name.text.isEmpty, !found.isEmpty, let quoted = rest.first, quoted.kind == .quoted {
                name = quoted
                rest.removeFirst()
            }
            guard name.isName, !name.text.isEmpty else {
                throw QueryTextError(
                    .syntax, "Here the name of a field is to stand, and not \(token.words).", in: text, at: name.offset)
            }
            try body(Name(token: name, start: start, prefixes: found, part: part ?? .value))
            guard let next = rest.popFirst(), next.kind != .end else { return }
            guard next.isMark(",") else {
                throw QueryTextError(
                    .syntax, "Between fields comes a comma, and not \(next.words).", in: text, at: next.offset)
            }
        }
    }

    /// A word without its prefixes.
    private static func split(_ token: QueryToken, _ allowed: Set<Unicode.Scalar>) -> (QueryToken, Set<Unicode.Scalar>)
    {
        guard token.kind == .word else { return (token, []) }
        var (rest, found): (Substring.UnicodeScalarView, Set<Unicode.Scalar>) = (token.text[...].unicodeScalars, [])
        while let first = rest.first, allowed.contains(first), !found.contains(first) {
            found.insert(first)
            rest.removeFirst()
        }
        let name = QueryToken(kind: .word, text: String(Substring(rest)), offset: token.offset + found.count)
        return (name, found)
    }

    private static func part(_ token: QueryToken) -> RecordGroupKey.Part? {
        guard token.kind == .word, let part = RecordGroupKey.Part(rawValue: token.text.lowercased()) else { return nil }
        return part == .value ? nil : part
    }
}

extension SortKey {
    /// Reads orders in words: fields, each after `-` for from the last to the first, and `~` for as people do. Throws `QueryTextError`.
    static func keys(_ text: String, of kind: KnownKind) throws(QueryTextError) -> [SortKey] {
        let fields = AskedFields(kind)
        var keys: [SortKey] = []
        for name in try FieldList.names(text, prefixes: ["-", "~"]) {
            let field = try fields.field(name.token, in: text)
            let isNatural = name.prefixes.contains("~")
            guard field.shape == .value else {
                throw QueryTextError(
                    .unfitOperator, "There is no order by '\(field.name)', \(field.words). Name another field.",
                    in: text, at: name.token.offset)
            }
            guard !isNatural || field.form == .text else {
                throw QueryTextError(
                    .unfitOperator,
                    "The order ~ is for text, and '\(field.name)' is \(field.form.words). Leave the ~ out.",
                    in: text, at: name.token.offset)
            }
            let order = QueryOrder(isNatural: isNatural, isDescending: name.prefixes.contains("-"))
            keys.append(SortKey(field: field.field, order: order))
        }
        return keys
    }
}
