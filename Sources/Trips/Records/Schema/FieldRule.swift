/// A rule of one field, beside those of its type.
enum FieldRule: Sendable {
    /// Required, with at least one visible character.
    case name
    /// Required: the entity that another belongs to.
    case parent
    /// Required, of an app's kind: text with at least one visible character.
    case required

    /// Checks a value by its text; nil if there is none.
    func check(_ text: String?) throws(ValidationError) {
        let isVisible = text?.unicodeScalars.contains(where: \.isVisible) ?? false
        switch self {
        case .name where !isVisible:
            throw ValidationError(
                .emptyName,
                "The name \"\((text ?? "").prefix(100))\" is empty. Give it at least one visible character.")
        case .parent where text == nil: throw .missingParent
        case .required where !isVisible:
            throw ValidationError(.missingValue, "The field must have a value, and has none. Give it one.")
        default: return
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is visible: no white space, no control character, nothing without width.
    fileprivate var isVisible: Bool {
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .control
    }
}

extension EntitySchema {
    /// The rules of a field's values, as far as their bytes tell. Nothing in it is reference-counted: reading it costs next to nothing.
    struct FieldRules: Sendable {
        let type: any FieldValue.Type
        let rule: FieldRule?
        /// Whether an app has a rule of its own, which the bytes alone do not tell.
        var hasOwnRule = false
        /// Whether it is a start or an end.
        var isInSpan = false

        init(_ type: any FieldValue.Type, _ rule: FieldRule?) {
            self.type = type
            self.rule = rule
        }

        /// Whether an entity must have the field.
        var isRequired: Bool { rule != nil }

        /// Whether it must have a visible character.
        var isName: Bool { rule == .name || rule == .required && type is String.Type }
    }

    /// A start and an end by their numbers, two fields of one type: the only ones with a rule that reads both.
    struct Span: Sendable {
        let start: UInt64
        let end: UInt64

        func contains(_ number: UInt64) -> Bool { number == start || number == end }

        /// Whether the span is checked together with a field that `isChanged`: with the first of its two that are, in the order of numbers.
        func isChecked(with number: UInt64, _ isChanged: (UInt64) -> Bool) -> Bool {
            number == min(start, end) || number == max(start, end) && !isChanged(min(start, end))
        }
    }
}
