/// A key with its words.
package struct NamedGroupKey<Entity: TripEntity> {
    package let name: String
    package let key: GroupKey<Entity>

    fileprivate init(_ field: AskedField, _ part: RecordGroupKey.Part = .value) {
        name = part == .value ? field.name : "\(part.rawValue) of \(field.name)"
        key = GroupKey(field.field, part)
    }
}

extension RecordGroupKey.Part {
    fileprivate func fits(_ form: FieldForm) -> Bool {
        switch (self, form) {
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
    /// Reads keys to group by from fields with commas between them, as "month of start,paid". Before a field `day of`, `month of`, `year of` and
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
        let fields = AskedFields(kind)
        var keys: [NamedGroupKey<Entity>] = []
        try FieldList.forEach(in: text, hasParts: true) { (name) throws(QueryTextError) in
            let (field, part) = (try fields.field(name.token, in: text), name.part)
            guard field.shape == .value else {
                throw QueryTextError(
                    .unfitOperator, "There are no groups by '\(field.name)', \(field.words). Name another field.",
                    in: text, at: name.token.offset)
            }
            guard part.fits(field.form) else {
                throw QueryTextError(
                    .unfitOperator, "There is no \(part.rawValue) of '\(field.name)', \(field.words). \(part.advice)",
                    in: text, at: name.start)
            }
            let key = NamedGroupKey<Entity>(field, part)
            guard !keys.contains(where: { $0.name == key.name }) else {
                throw .twice(key.name, in: text, at: name.start)
            }
            keys.append(key)
        }
        return keys
    }

    /// The fields of a list, to be measured: `isSummed` if each must have a sum.
    package func measures(
        parsing text: String, isSummed: Bool
    ) throws(QueryTextError) -> [NamedGroupKey<Entity>] {
        let fields = AskedFields(kind)
        var measures: [NamedGroupKey<Entity>] = []
        for name in try FieldList.names(text) {
            let field = try fields.field(name.token, in: text)
            guard field.shape == .value, !isSummed || field.form.isSummed else {
                throw QueryTextError(
                    .unfitOperator,
                    isSummed
                        ? "There is no sum of '\(field.name)', \(field.words). Name money or whole numbers."
                        : "'\(field.name)', \(field.words), is not measured. Name another field.", in: text,
                    at: name.token.offset)
            }
            measures.append(NamedGroupKey(field))
        }
        return measures
    }
}
