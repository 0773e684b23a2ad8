/// A kind or a field of an app, of which a store's options name those that it knows: the `Schema` of an app's own kind, an `OwnField`, `OwnSet`,
/// `OwnMap`, `OwnList` or `OwnCounter`.
///
/// ```swift
/// let store = try await TripStore.open(at: folder, options: .init(schema: [Book.schema, Book.rating]))
/// ```
public protocol SchemaPart: Sendable {
    /// The declaration as a store takes it in.
    var declared: DeclaredPart { get }
}

/// A declaration of a kind, or of a field in a namespace.
public struct DeclaredPart: Sendable {
    /// The kind, or the one that has the field.
    let kind: EntitySchema
    /// Nil for the kind itself.
    let field: EntitySchema.Field?
}

extension SchemaPart {
    /// The descriptions for the log: one of a field; of a kind its own, and one of each field.
    package var fieldDescriptions: [FieldDescription] {
        let kind = ConcreteKind(declared.kind)
        if let field = declared.field { return [FieldDescription(of: kind, field)] }
        guard let namespace = declared.kind.namespace else { return [] }
        return [FieldDescription(of: kind, number: 0, namespace: namespace.name, name: declared.kind.name, type: .data)]
            + (declared.kind.fields + declared.kind.formerFields).map { FieldDescription(of: kind, $0, in: namespace) }
    }
}

extension Schema: SchemaPart where Entity: OwnEntity {
    public var declared: DeclaredPart { DeclaredPart(kind: erased, field: nil) }
}
