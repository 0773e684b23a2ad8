import Events

/// Tells versions of the schema from each other by what they say of kinds and fields: views that were built by another one
/// are built anew.
package enum SchemaFingerprint {
    /// Every kind, and every field with its number, its name, and the type of its values.
    package static let current: String = EntitySchema.all.map { schema in
        let fields = schema.ordered.map { "\($0.number) \($0.name) \($0.type)" }
        return "\(schema.kind.rawValue) \(schema.name): \(fields.joined(separator: ", "))"
    }.joined(separator: "\n")
}
