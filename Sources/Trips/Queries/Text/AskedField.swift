import Events

/// A field as a question in words sees it.
struct AskedField {
    enum Shape: Equatable {
        case value
        /// A set, a list, or the keys of a map.
        case elements
        /// From one field to another.
        case span(last: QueriedField)
        /// A sum, which no condition reads.
        case counter
    }

    let name: String
    let field: QueriedField
    let type: AskedType
    let shape: Shape
    /// What the field counts as where it is cleared; nil if it is nil there.
    let cleared: OrderedValue?
    /// Of which kind the entity is that it names; nil if it names none, or one of any kind.
    let target: RelatedKind?

    init(
        _ name: String, _ field: QueriedField, _ type: AskedType, _ shape: Shape = .value,
        cleared: OrderedValue? = nil, target: RelatedKind? = nil
    ) {
        self.target = target
        self.name = name
        self.field = field
        self.type = type
        self.shape = shape
        self.cleared = cleared
    }

    /// A built-in field, or a field of an app's own kind.
    init(_ field: EntitySchema.Field, of schema: EntitySchema) {
        self.init(
            field.name, .field(field.number), AskedType(field.type), cleared: field.clearedValue(on: schema.kind),
            target: field.target)
    }

    /// A field that an app has added to a kind.
    init(own field: EntitySchema.Field) {
        switch field.collection?.shape {
        case nil: self.init(field.name, .field(field.number), AskedType(field.type), target: field.target)
        case .counter?: self.init(field.name, .field(field.number), .integer, .counter)
        case .map?:
            let keys = field.collection?.keyType.map { AskedType($0) }
            self.init(field.name, .field(field.number), keys ?? .data, .elements)
        default: self.init(field.name, .field(field.number), AskedType(field.type), .elements)
        }
    }

    /// The number of a field that names an entity; nil for others.
    var reference: UInt64? {
        guard shape == .value, target != nil || type.isReference, case .field(let number) = field else { return nil }
        return number
    }

    /// Whether a question that names a field of another kind so asks the same: kinds may have different names for one.
    func isSame(as other: AskedField) -> Bool {
        field == other.field && shape == other.shape && type.words == other.type.words
    }

    /// "which is text", "of which each element is text".
    var words: String {
        switch shape {
        case .value: "which is \(type.words)"
        case .elements: "of which each element is \(type.words)"
        case .span: "which is from \(type.words) to another"
        case .counter: "which is a counter"
        }
    }

    /// How the field is asked for.
    var advice: String {
        switch shape {
        case .elements: "Ask with contains."
        case .span: "Ask with overlaps."
        case .counter: "No question reads it."
        case .value:
            "Ask with "
                + (type.isWritable ? "=, !=, in, " : "") + (type.isOrdered ? "<, <=, >, >=, between, " : "")
                + (type.isText ? "contains, begins with, is like, " : "") + (type.isAddress ? "within, " : "")
                + (reference == nil ? "" : target == nil ? "as KIND (…), " : "(…), ") + "is none or is not none."
        }
    }
}

extension EntitySchema.Field {
    fileprivate var target: RelatedKind? { (type as? any ReferenceValue.Type).map { RelatedKind($0.target) } }
}
