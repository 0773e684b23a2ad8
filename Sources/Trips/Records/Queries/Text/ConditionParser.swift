package import Events
package import Foundation

/// Reads a condition in words.
///
///     condition   = conjunction { "or" conjunction }
///     conjunction = negation { "and" negation }
///     negation    = { "not" } ( "(" condition ")" | quantified | comparison )
///
/// `Asking.md` has the whole grammar. Only parentheses nest, so that their depth bounds the stack.
struct ConditionParser {
    /// More is refused.
    static let deepest = 64

    let text: String
    /// Finds the id of the entity that a text names.
    let naming: EntityNaming
    /// Those of the kind that the condition at hand is asked of.
    private(set) var fields: AskedFields
    private let tokens: [QueryToken]
    private var at = 0
    private var depth = 0

    private init(_ text: String, _ fields: AskedFields, _ naming: @escaping EntityNaming) throws(QueryTextError) {
        (self.text, self.fields, self.naming) = (text, fields, naming)
        tokens = try QueryLexer.tokens(of: text)
    }

    /// O(characters).
    static func condition(
        _ text: String, of kind: KnownKind, _ naming: @escaping EntityNaming
    ) throws(QueryTextError) -> ConditionNode {
        var parser = try ConditionParser(text, AskedFields(kind), naming)
        let node = try parser.condition()
        let token = parser.token
        guard token.kind == .end else { throw parser.unexpected(token, "After a condition come and, or, or the end") }
        return node
    }

    // MARK: Tokens

    /// The next one; the end again after the end.
    var token: QueryToken { tokens[min(at, tokens.count - 1)] }

    @discardableResult
    mutating func take() -> QueryToken {
        let taken = token
        at += 1
        return taken
    }

    /// Takes the next token if it is a keyword.
    mutating func take(_ keyword: String) -> Bool { take(if: token.isKeyword(keyword)) }

    mutating func take(mark: String) -> Bool { take(if: token.isMark(mark)) }

    private mutating func take(if isMeant: Bool) -> Bool {
        if isMeant { at += 1 }
        return isMeant
    }

    func error(_ code: QueryTextError.Code, _ message: String, at token: QueryToken) -> QueryTextError {
        QueryTextError(code, message, in: text, at: token.offset)
    }

    /// Another token is to stand at its place, as the rule says.
    func unexpected(_ token: QueryToken, _ rule: String) -> QueryTextError {
        error(.syntax, "\(rule), and not \(token.words).", at: token)
    }

    // MARK: The grammar

    private mutating func condition() throws(QueryTextError) -> ConditionNode {
        var nodes = [try conjunction()]
        while take("or") { nodes.append(try conjunction()) }
        guard let first = nodes.first, nodes.count > 1 else { return nodes[0] }
        // As `ConditionNode.or` joins them.
        if case .any(let inner) = first { return .any(inner + nodes.dropFirst()) }
        return .any(nodes)
    }

    private mutating func conjunction() throws(QueryTextError) -> ConditionNode {
        var nodes = [try negation()]
        while take("and") { nodes.append(try negation()) }
        guard let first = nodes.first, nodes.count > 1 else { return nodes[0] }
        if case .all(let inner) = first { return .all(inner + nodes.dropFirst()) }
        return .all(nodes)
    }

    private mutating func negation() throws(QueryTextError) -> ConditionNode {
        var isNegated = false
        while take("not") { isNegated.toggle() }
        let node: ConditionNode
        if token.isMark("(") {
            node = try parenthesis()
        } else if let quantified = try quantified() {
            node = quantified
        } else {
            node = try comparison()
        }
        return isNegated ? node.negated : node
    }

    /// A condition in parentheses on entities that belong to the one that is asked for, or that it names.
    mutating func parenthesis(on related: AskedRelation) throws(QueryTextError) -> ConditionNode {
        let outer = fields
        fields = related.fields
        let node = try parenthesis()
        fields = outer
        return node
    }

    private mutating func parenthesis() throws(QueryTextError) -> ConditionNode {
        let opening = take()
        guard depth < Self.deepest else {
            throw error(
                .tooLarge,
                "There are more than \(Self.deepest) parentheses in each other. Write the condition flatter.",
                at: opening)
        }
        depth += 1
        let node = try condition()
        depth -= 1
        guard take(mark: ")") else {
            let message =
                token.kind == .end
                ? "A parenthesis is not closed. Write ) at the end."
                : "In parentheses come and, or, or ) after a condition, and not \(token.words)."
            throw error(.syntax, message, at: token)
        }
        return node
    }

    private mutating func comparison() throws(QueryTextError) -> ConditionNode {
        let name = token
        guard name.isName else {
            throw unexpected(name, "Here a condition is to begin, such as name contains \"tram\"")
        }
        let field = try fields.field(name, in: text)
        take()
        return try comparison(of: field)
    }
}

/// The id of the entity of a kind, or a type where that is known, that a text names; nil if the text names none in any way but by its id.
package typealias EntityNaming = (String, EntityKind, (any TripEntity.Type)?) throws -> UUID?

extension Query {
    /// Only those that meet a condition in words, beside all conditions so far.
    ///
    /// ```swift
    /// let query = try Query<Book>().where(parsing: "title contains \"dune\" and rating > 3").sorted(parsing: "-rating,~title")
    /// ```
    ///
    /// The page 'Asking' of TripStore specifies the grammar. Apps' own fields and kinds have the names that the store of `init(in:)` knows.
    ///
    /// Throws `QueryTextError` with the character that is wrong. O(characters).
    public func `where`(parsing text: String) throws(QueryTextError) -> Query {
        try self.where(parsing: text) { _, _, _ in nil }
    }

    /// Adds a condition from a text that names entities otherwise than by their whole ids.
    package func `where`(parsing text: String, naming: @escaping EntityNaming) throws(QueryTextError) -> Query {
        let node = try ConditionParser.condition(text, of: kind, naming)
        return self.where { _ in Condition(node) }
    }

    /// In the order of some fields, after the orders so far: names with commas between them, of which `-` before one is from the last to the first,
    /// and `~` as people expect names. Both may stand there.
    ///
    /// Throws `QueryTextError` with the character that is wrong. O(characters).
    public func sorted(parsing text: String) throws(QueryTextError) -> Query {
        var query = self
        query.sortKeys += try SortKey.keys(text, of: kind)
        return query
    }
}

extension String {
    /// A text as a literal of the grammar of questions: in quotes, with the escapes that it needs.
    package var quotedForQuery: String {
        let escaped = unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }
        return "\"\(escaped.joined())\""
    }
}
