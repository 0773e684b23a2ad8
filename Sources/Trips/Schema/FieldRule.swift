/// A rule of one field, beside those of its type.
enum FieldRule: Sendable {
    /// Required, with at least one visible character.
    case name
    /// Required: the trip that an item belongs to.
    case trip
    /// Required, of an app's kind: text with at least one visible character.
    case required

    func check(_ value: (some FieldValue)?) throws(ValidationError) {
        switch self {
        case .name: try Rules.name(value?.text ?? "")
        case .trip: try Rules.trip(isNamed: value != nil)
        case .required: try Rules.required(value?.text)
        }
    }
}
