/// A new value for one field of one kind of entity.
public struct FieldChange<Entity: TripEntity>: Hashable, Sendable {
    /// Which field.
    public let field: Entity.Field
    /// The value's bytes; nil clears.
    public let value: [UInt8]?
    /// The value that the author had before them.
    public let saw: SeenValue

    /// From bytes as `trips.proto` specifies them: for what the named changes do not cover.
    public init(_ field: Entity.Field, _ value: [UInt8]?, saw: SeenValue = .current) {
        self.field = field
        self.value = value
        self.saw = saw
    }

    /// The field goes back to its default.
    public static func cleared(_ field: Entity.Field) -> FieldChange { FieldChange(field, nil) }

    /// The same change, made in view of another value than the one that the store holds.
    public func seeing(_ saw: SeenValue) -> FieldChange { FieldChange(field, value, saw: saw) }
}

/// What the author of a change saw in the field: whether a write was known to those who wrote over it is what makes, or
/// does not make, a conflict.
public enum SeenValue: Hashable, Sendable {
    /// Whatever the store holds when the change is written.
    case current
    /// A value that was read earlier, as of a form that was open for a while; nil if the field was cleared.
    case value([UInt8]?)
}

extension TripEntity {
    /// What turns one state into another: the fields whose bytes differ, each with the value that it had.
    ///
    /// A value that was made anew takes over the parts of the old one that this version does not know.
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
