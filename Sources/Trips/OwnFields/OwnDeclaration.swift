import Events

/// What the declarations of apps' own fields have in common: the number in the log, and the name.
struct OwnDeclaration: Sendable {
    let namespace: Namespace
    /// The number in the log.
    let number: UInt64
    let name: String

    /// Registers the field, so that its values are checked and shown.
    init<Entity: TripEntity, Value: OwnFieldValue>(
        _ namespace: Namespace, _ number: UInt16, _ name: String, of entity: Entity.Type, _ type: Value.Type,
        _ collection: CollectionForm?, former: FormerFields? = nil, _ isValid: (@Sendable (Value) -> Bool)?
    ) {
        precondition(
            number > 0, "The own field '\(name)' has the number 0. Number the fields of a namespace from 1 on.")
        self.namespace = namespace
        self.number = namespace.number(number)
        self.name = name
        let number = self.number
        OwnFieldRegistry.shared.add(
            ConcreteKind(Entity.self),
            EntitySchema.Field(
                number: number, name: name, help: nil, rules: EntitySchema.FieldRules(Value.coding.type, nil),
                storage: FieldStorage(own: number, name, in: Entity.self, collection, isValid), collection: collection,
                former: former, isReadable: Value.coding.isReadable, declaredType: String(reflecting: Value.self)))
    }

    func description<Entity: TripEntity, Value: OwnFieldValue>(
        on entity: Entity.Type, _ type: Value.Type, _ shape: OwnFieldShape = .value, keys: OwnFieldType = .data
    ) -> FieldDescription {
        FieldDescription(
            of: ConcreteKind(Entity.self), number: number, namespace: namespace.name, name: name,
            type: OwnFieldType(Value.coding.type),
            shape: shape, keyType: keys)
    }
}
