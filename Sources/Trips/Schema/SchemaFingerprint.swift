import Events

/// Tells versions of the schema from each other by what they say of kinds and fields: views that were built by another one
/// are built anew.
package enum SchemaFingerprint {
    /// Every kind, and every field with its number, its name, and the type of its values.
    package static let current: String = EntitySchema.all.map(words).joined(separator: "\n")

    /// That of an app's own kind, with what its properties have where a field is cleared; "" for the store's own kinds.
    package static func own<Entity: TripEntity>(_ type: Entity.Type) -> String {
        let schema = Entity.schema.erased
        guard let own = schema.own else { return "" }
        let defaults = schema.ordered.map { "\($0.cleared?.hexadecimal ?? "")" }
        let replacing = schema.evolved.map { " \($0.number)<\($0.former?.words ?? "")" }
        return "\(own.prefix.hexadecimal) \(words(schema)) \(defaults.joined(separator: ","))\(replacing.joined())"
    }

    static func words(_ schema: EntitySchema) -> String {
        let fields = schema.ordered.map { "\($0.number) \($0.name) \($0.type)" }
        return "\(schema.kind.rawValue) \(schema.name): \(fields.joined(separator: ", "))"
    }
}
