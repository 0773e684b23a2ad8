import Events

/// A field of an earlier version of an app that others may replace: an ``OwnField``, or a ``FormerField`` of a kind's schema.
public protocol ReplaceableField<Entity, Value>: Sendable {
    associatedtype Entity: TripEntity
    associatedtype Value: OwnFieldValue

    /// The field as an ``Upcaster`` reads it.
    var replaced: ReplacedField { get }
}

/// A field that another replaced, with those that it had replaced itself.
public struct ReplacedField: Sendable {
    let source: FormerFields.Source
    /// The field and those before it, if it is one of an app's kind.
    let fields: [EntitySchema.Field]
}

extension OwnField: ReplaceableField {
    public var replaced: ReplacedField { ReplacedField(source: former.source(number), fields: []) }
}

/// A field that an app's kind had in earlier versions, and that others replaced: without a property, and with the number and the type that
/// it always had. The page "Evolving a schema" of TripStore has an example.
public struct FormerField<Entity: OwnEntity, Value: OwnFieldValue>: ReplaceableField {
    private let field: EntitySchema.Field
    private let earlier: [EntitySchema.Field]

    /// - Parameters:
    ///   - number: in the log, as the field always had it.
    ///   - name: for histories, and for the tool: another than that of the field which replaces it.
    ///   - upcaster: what it had replaced itself.
    public init(_ number: UInt16, _ name: String, replacing upcaster: Upcaster<Entity, Value>? = nil) {
        precondition(
            UInt64(number) != FieldPath.parent.field,
            "The former field '\(name)' has the number 2, which is the parent's. A parent is not replaced.")
        upcaster?.check(UInt64(number), name)
        field = EntitySchema.Field(
            number: UInt64(number), name: name, help: nil, rules: EntitySchema.FieldRules(Value.coding.type, nil),
            storage: .none, former: upcaster?.former)
        earlier = upcaster?.fields ?? []
    }

    public var replaced: ReplacedField {
        ReplacedField(source: field.former.source(field.number), fields: [field] + earlier)
    }
}
