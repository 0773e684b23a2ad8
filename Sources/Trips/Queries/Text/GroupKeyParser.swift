/// Reads what entities are grouped by in words: fields with commas between them, each after `month of` or the like for a part of it.
struct GroupKeyParser<Entity: TripEntity> {
    private typealias Part = RecordGroupKey.Part

    let text: String
    private let fields: AskedFields
    private var rest: ArraySlice<QueryToken>

    /// Each key with its words. Throws `QueryTextError`. O(characters).
    static func keys(
        _ text: String, of schema: EntitySchema
    ) throws(QueryTextError) -> [NamedGroupKey<Entity>] {
        var parser = try GroupKeyParser(text, schema)
        var keys: [NamedGroupKey<Entity>] = []
        while true {
            let token = parser.next
            let key = try parser.key()
            guard !keys.contains(where: { $0.name == key.name }) else {
                throw QueryTextError(
                    .syntax, "'\(key.name)' is named twice. Leave one of them out.", in: text, at: token.offset)
            }
            keys.append(key)
            let end = parser.take()
            if end.kind == .end { return keys }
            guard end.isMark(",") else {
                throw QueryTextError(
                    .syntax, "Between fields comes a comma, and not \(end.words).", in: text, at: end.offset)
            }
        }
    }

    private init(_ text: String, _ schema: EntitySchema) throws(QueryTextError) {
        self.text = text
        fields = AskedFields(schema)
        rest = try QueryLexer.tokens(of: text)[...]
    }

    /// The end again after the end.
    private var next: QueryToken { rest.first ?? QueryToken(kind: .end, text: "", offset: text.unicodeScalars.count) }

    private mutating func take() -> QueryToken { rest.popFirst() ?? next }

    private mutating func key() throws(QueryTextError) -> NamedGroupKey<Entity> {
        let first = take()
        guard first.kind == .word, next.isKeyword("of"), let part = Part(rawValue: first.text.lowercased()),
            part != .value
        else {
            let field = try field(first)
            return NamedGroupKey(field.name, field, .value)
        }
        _ = take()
        let field = try field(take())
        guard part.fits(field.type) else {
            throw QueryTextError(
                .unfitOperator, "There is no \(part.rawValue) of '\(field.name)', \(field.words). \(part.advice)",
                in: text,
                at: first.offset)
        }
        return NamedGroupKey("\(part.rawValue) of \(field.name)", field, part)
    }

    private func field(_ token: QueryToken) throws(QueryTextError) -> AskedField {
        guard token.kind == .word || token.kind == .quoted else {
            throw QueryTextError(
                .syntax, "Here the name of a field is to stand, and not \(token.words).", in: text, at: token.offset)
        }
        let field = try fields.field(token, in: text)
        guard field.shape == .value else {
            throw QueryTextError(
                .unfitOperator, "There are no groups by '\(field.name)', \(field.words). Name another field.", in: text,
                at: token.offset)
        }
        return field
    }
}

/// A key with its words.
package struct NamedGroupKey<Entity: TripEntity> {
    package let name: String
    package let key: GroupKey<Entity>

    fileprivate init(_ name: String, _ field: AskedField, _ part: RecordGroupKey.Part) {
        self.name = name
        key = GroupKey(field.field, part)
    }
}

extension RecordGroupKey.Part {
    fileprivate func fits(_ type: AskedType) -> Bool {
        switch (self, type) {
        case (.value, _), (.currency, .money), (.day, .moment), (.month, .moment), (.month, .day), (.year, .moment),
            (.year, .day):
            true
        default: false
        }
    }

    fileprivate var advice: String {
        switch self {
        case .value: ""
        case .currency: "Name an amount of money."
        case .day: "Name a moment."
        case .month, .year: "Name a moment or a day."
        }
    }
}

extension Query {
    /// What to group by, in words: fields with commas between them, as "month of start,paid". Before a field `day of`, `month of`, `year of` and
    /// `currency of` take a part of it.
    ///
    /// Throws `QueryTextError` with the character that is wrong. O(characters).
    public func groupKeys(parsing text: String) throws(QueryTextError) -> [GroupKey<Entity>] {
        try namedGroupKeys(parsing: text).map(\.key)
    }

    /// The same, each with its words.
    package func namedGroupKeys(
        parsing text: String
    ) throws(QueryTextError) -> [NamedGroupKey<Entity>] {
        try GroupKeyParser.keys(text, of: schema)
    }

    /// The fields of a list, to be measured: `isSummed` if each must have a sum.
    package func measures(
        parsing text: String, isSummed: Bool
    ) throws(QueryTextError) -> [NamedGroupKey<Entity>] {
        let fields = AskedFields(schema)
        var measures: [NamedGroupKey<Entity>] = []
        for name in try FieldList.names(text) {
            let field = try fields.field(name.token, in: text)
            guard field.shape == .value, !isSummed || field.type.isSummed else {
                throw QueryTextError(
                    .unfitOperator,
                    isSummed
                        ? "There is no sum of '\(field.name)', \(field.words). Name money or whole numbers."
                        : "'\(field.name)', \(field.words), is not measured. Name another field.", in: text,
                    at: name.token.offset)
            }
            measures.append(NamedGroupKey(field.name, field, .value))
        }
        return measures
    }
}

extension AskedType {
    /// Whether its values have an exact sum.
    fileprivate var isSummed: Bool {
        switch self {
        case .money, .integer: true
        default: false
        }
    }
}
