/// A new value for one field of one kind of entity.
public struct FieldChange<Entity: TripEntity>: Hashable, Sendable {
    /// Which field.
    public let field: Entity.Field
    /// The value's bytes; nil clears.
    public let value: [UInt8]?
    /// The value that the author saw before.
    public let saw: SeenValue

    /// From bytes as `trips.proto` specifies them: for what the named changes do not cover.
    public init(_ field: Entity.Field, _ value: [UInt8]?, saw: SeenValue = .current) {
        self.field = field
        self.value = value
        self.saw = saw
    }

    /// The field goes back to its default.
    public static func cleared(_ field: Entity.Field) -> FieldChange { FieldChange(field, nil) }

    /// The same change, made in view of another value than the store's.
    public func seeing(_ saw: SeenValue) -> FieldChange { FieldChange(field, value, saw: saw) }
}

/// What the author of a change saw in the field: a write is in conflict if the authors that wrote over it did not know
/// it.
public enum SeenValue: Hashable, Sendable {
    /// The value that the store holds when the change is written.
    case current
    /// A value that was read earlier, for example when a form was opened; nil if the field was cleared.
    case value([UInt8]?)
}

extension TripEntity {
    /// The changes that turn one state into another: the fields whose bytes differ, each with the value that it had.
    ///
    /// A new value keeps the parts of the old one that this version does not know.
    public static func changes(from original: Self, to draft: Self) -> [FieldChange<Self>] {
        fields.compactMap { field in
            let old = original.encoded(field)
            var new = draft.encoded(field)
            guard new != old else { return nil }
            if let old, let value = new, let type = EntitySchema.of(kind)?.field(field.rawValue)?.type {
                new = type.keepingUnknownParts(of: old, in: value)
            }
            return new == old ? nil : FieldChange(field, new, saw: .value(old))
        }
    }
}
