/// A word, a text in quotes or a mark of a question in words.
struct QueryToken: Hashable {
    enum Kind: Hashable {
        case word
        /// Without its quotes and escapes.
        case quoted
        /// One of `QueryLexer.marks`.
        case mark
        case end
    }

    let kind: Kind
    let text: String
    /// In Unicode scalars from the start of the question.
    let offset: Int

    /// Keywords are words, in capitals or not.
    func isKeyword(_ word: String) -> Bool { kind == .word && text.lowercased() == word }

    /// Whether it may be the name of a field or of a kind.
    var isName: Bool { kind == .word || kind == .quoted }

    func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }

    /// As messages name it at the start of a sentence.
    var subject: String { words.prefix(1).uppercased() + words.dropFirst() }

    /// As messages name it.
    var words: String {
        switch kind {
        case .end: "the end"
        case .quoted: "the text '\(text.prefix(60))'"
        case .word, .mark: "'\(text.prefix(60))'"
        }
    }
}

/// Divides a question in words into tokens.
struct QueryLexer {
    /// More is refused: a question is written by people.
    static let longest = 65_536

    static let marks: Set<String> = ["(", ")", ",", "=", "!=", "<", "<=", ">", ">="]
    private static let relationMarks: Set<Unicode.Scalar> = ["=", "!", "<", ">"]

    private let text: String
    private let scalars: [Unicode.Scalar]
    private var at = 0

    /// The last token is the end. O(characters).
    static func tokens(of text: String) throws(QueryTextError) -> [QueryToken] {
        guard text.utf8.count <= longest else {
            throw QueryTextError(
                .tooLarge, "The question has \(text.utf8.count) bytes, and \(longest) are the most. Shorten it.",
                in: text,
                at: 0)
        }
        var lexer = QueryLexer(text)
        var tokens: [QueryToken] = []
        repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
        return tokens
    }

    private init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
    }

    private mutating func next() throws(QueryTextError) -> QueryToken {
        while at < scalars.count, scalars[at].properties.isWhitespace { at += 1 }
        let start = at
        guard at < scalars.count else { return QueryToken(kind: .end, text: "", offset: start) }
        switch scalars[at] {
        case "(", ")", ",":
            at += 1
            return QueryToken(kind: .mark, text: String(scalars[start]), offset: start)
        case "\"", "'":
            return QueryToken(kind: .quoted, text: try quoted(), offset: start)
        case let scalar where Self.relationMarks.contains(scalar):
            let mark = run { Self.relationMarks.contains($0) }
            guard Self.marks.contains(mark) else {
                throw QueryTextError(
                    .syntax, "There is no operator '\(mark.prefix(60))'. Write one of =, !=, <, <=, > and >=.",
                    in: text,
                    at: start)
            }
            return QueryToken(kind: .mark, text: mark, offset: start)
        default:
            let word = run {
                !$0.properties.isWhitespace && !Self.relationMarks.contains($0) && !"(),\"'".unicodeScalars.contains($0)
            }
            return QueryToken(kind: .word, text: word, offset: start)
        }
    }

    private mutating func run(while holds: (Unicode.Scalar) -> Bool) -> String {
        var run = String.UnicodeScalarView()
        while at < scalars.count, holds(scalars[at]) {
            run.append(scalars[at])
            at += 1
        }
        return String(run)
    }

    private mutating func quoted() throws(QueryTextError) -> String {
        let start = at
        let quote = scalars[at]
        var content = String.UnicodeScalarView()
        at += 1
        while at < scalars.count, scalars[at] != quote {
            content.append(scalars[at] == "\\" ? try escaped() : scalars[at])
            at += 1
        }
        guard at < scalars.count else {
            throw QueryTextError(
                .syntax,
                "The text that begins here does not end. Close it with \(quote), and write \\\(quote) for one in it.",
                in: text, at: start)
        }
        at += 1
        return String(content)
    }

    /// Ends at the last scalar of the escape.
    private mutating func escaped() throws(QueryTextError) -> Unicode.Scalar {
        let start = at
        at += 1
        switch at < scalars.count ? scalars[at] : nil {
        case "\\": return "\\"
        case "\"": return "\""
        case "'": return "'"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            let digits = scalars[at...].dropFirst(2).prefix { $0 != "}" }.prefix(7)
            let close = at + 2 + digits.count
            let hexadecimal = String(String.UnicodeScalarView(digits))
            if scalars[at...].dropFirst().first == "{", close < scalars.count, scalars[close] == "}",
                hexadecimal.utf8.allSatisfy(\.isHexadecimalDigit),
                let value = UInt32(hexadecimal, radix: 16), let scalar = Unicode.Scalar(value)
            {
                at = close
                return scalar
            }
        default: break
        }
        throw QueryTextError(
            .syntax,
            "The backslash begins no escape. Write \\\\ for a backslash, \\\" or \\' for a quote, \\n, \\r, \\t, or \\u{E9} for any character.",
            in: text, at: start)
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
