/// A field of an earlier version of an app that others may replace: an ``OwnField``, or a ``FormerField`` of a kind's schema.
public protocol ReplaceableField<Entity, Value>: Sendable {
    associatedtype Entity: TripEntity
    associatedtype Value: OwnFieldValue

    /// What an ``Upcaster`` reads.
    var replaced: ReplacedField { get }
}

/// A field that another replaced, with those that it had replaced itself.
public struct ReplacedField: Sendable {
    let source: FormerFields.Source
    /// Of an app's kind, the field and those before it.
    let fields: [EntitySchema.Field]
}

extension OwnField: ReplaceableField {
    public var replaced: ReplacedField { ReplacedField(source: former.source(number), fields: []) }
}
