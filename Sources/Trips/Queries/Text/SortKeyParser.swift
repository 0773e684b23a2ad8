/// Reads orders in words: fields with commas between them, each after `-` for from the last to the first, and `~` for as people do.
struct SortKeyParser {
    /// Throws `QueryTextError`. O(characters).
    static func keys(_ text: String, of schema: EntitySchema) throws(QueryTextError) -> [SortKey] {
        let fields = AskedFields(schema)
        var keys: [SortKey] = []
        for name in try FieldList.names(text, prefixes: ["-", "~"]) {
            let field = try fields.field(name.token, in: text)
            guard field.shape == .value else {
                throw QueryTextError(
                    .unfitOperator, "There is no order by '\(field.name)', \(field.words). Name another field.",
                    in: text,
                    at: name.token.offset)
            }
            let isNatural = name.prefixes.contains("~")
            guard !isNatural || field.type.isText else {
                throw QueryTextError(
                    .unfitOperator,
                    "The order ~ is for text, and '\(field.name)' is \(field.type.words). Leave the ~ out.",
                    in: text, at: name.token.offset)
            }
            let order = QueryOrder(isNatural: isNatural, isDescending: name.prefixes.contains("-"))
            keys.append(SortKey(field: field.field, order: order))
        }
        return keys
    }
}

/// The names of fields with commas between them.
enum FieldList {
    struct Name {
        /// Its text is the name, and its offset that of the name.
        let token: QueryToken
        let prefixes: Set<Unicode.Scalar>
    }

    /// Each name, with the prefixes before it, each of which may stand there once.
    static func names(_ text: String, prefixes: Set<Unicode.Scalar> = []) throws(QueryTextError) -> [Name] {
        let tokens = try QueryLexer.tokens(of: text)
        var names: [Name] = []
        var rest = tokens[...]
        while let token = rest.popFirst() {
            var (name, found) = split(token, prefixes)
            // A name in quotes after its prefixes.
            if name.text.isEmpty, !found.isEmpty, let quoted = rest.first, quoted.kind == .quoted {
                name = quoted
                rest.removeFirst()
            }
            guard name.kind == .word || name.kind == .quoted, !name.text.isEmpty else {
                throw QueryTextError(
                    .syntax, "Here the name of a field is to stand, and not \(token.words).", in: text, at: name.offset)
            }
            names.append(Name(token: name, prefixes: found))
            guard let next = rest.popFirst(), next.kind != .end else { break }
            guard next.isMark(",") else {
                throw QueryTextError(
                    .syntax, "Between fields comes a comma, and not \(next.words).", in: text, at: next.offset)
            }
        }
        return names
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
}
