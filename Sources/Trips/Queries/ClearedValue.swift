import Events

/// What a property has where its field is cleared: an app's property has a default of its own, or none, a built-in one that of its type.
extension EntitySchema.Field {
    /// As queries compare it; nil if the property is nil then.
    func clearedValue(on kind: EntityKind) -> OrderedValue? {
        kind.hasBuiltIn(number) ? type.clearedOrder : cleared.map { type.ordered(ofWritten: $0) }
    }

    /// For people; empty if the property is nil then.
    func clearedText(on kind: EntityKind) -> String {
        if let cleared { return cleared.withUnsafeBytes { type.text(of: $0) } }
        return kind.hasBuiltIn(number) ? type.clearedText : ""
    }
}

extension FieldValue {
    /// The type's default as queries compare it; nil if it has none.
    static var clearedOrder: OrderedValue? { (Self.self as? any DefaultedFieldValue.Type)?.defaultOrder }

    /// The text of the type's default; empty if it has none.
    static var clearedText: String { (Self.self as? any DefaultedFieldValue.Type)?.defaultText ?? "" }
}

extension DefaultedFieldValue {
    fileprivate static var defaultOrder: OrderedValue { cleared.ordered }
    fileprivate static var defaultText: String { cleared.text }
}
