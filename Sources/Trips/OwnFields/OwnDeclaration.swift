import Events

/// What the declarations of apps' own fields have in common: the number in the log, and the name.
struct OwnDeclaration: Sendable {
    let namespace: Namespace
    /// The number in the log.
    let number: UInt64
    let name: String
    /// Whether searches look at the field.
    var isSearched = false

    /// Registers the field, so that its values are checked and shown.
    init<Entity: TripEntity, Value: OwnFieldValue>(
        _ namespace: Namespace, _ number: UInt16, _ name: String, of entity: Entity.Type, _ type: Value.Type,
        _ collection: CollectionForm?, former: FormerFields? = nil, _ isValid: (@Sendable (Value) -> Bool)?
    ) {
        precondition(
            namespace != .store,
            "The own field '\(name)' is in the namespace 'tripstore', which is the store's. Take a domain of yours, "
                + "backwards.")
        precondition(
            number > 0, "The own field '\(name)' has the number 0. Number the fields of a namespace from 1 on.")
        self.init(
            registering: namespace, namespace.number(number), name, of: entity, type, collection, former: former,
            isValid)
    }

    /// One of the store's own, registered likewise.
    init<Entity: TripEntity, Value: OwnFieldValue>(
        declaring field: StoreField, of entity: Entity.Type, _ type: Value.Type, _ collection: CollectionForm?,
        _ isValid: (@Sendable (Value) -> Bool)? = nil
    ) {
        self.init(
            registering: .store, field.number, field.name, of: entity, type, collection, former: nil, isValid)
    }

    /// A list of the store's own on a kind whose schema is not there yet: it has the list.
    init<Entity: TripEntity, Value: OwnFieldValue>(
        declaring list: StoreList, of entity: Entity.Type, on kind: EntityKind, _ type: Value.Type
    ) {
        self.init(
            registering: .store, list.number, list.name, of: entity, type, CollectionForm(shape: .list), former: nil,
            on: ConcreteKind(kind), nil)
    }

    /// One of the store's own that was registered.
    init(_ field: StoreField) { (namespace, number, name) = (.store, field.number, field.name) }

    /// `kind` is that of the entity; nil takes it from its schema.
    private init<Entity: TripEntity, Value: OwnFieldValue>(
        registering namespace: Namespace, _ number: UInt64, _ name: String, of entity: Entity.Type, _ type: Value.Type,
        _ collection: CollectionForm?, former: FormerFields?, on kind: ConcreteKind? = nil,
        _ isValid: (@Sendable (Value) -> Bool)?
    ) {
        self.namespace = namespace
        self.number = number
        self.name = name
        OwnFieldRegistry.shared.add(
            kind ?? ConcreteKind(Entity.self),
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
            shape: shape, keyType: keys, isSearched: isSearched)
    }

    /// Searches look at the field from now on.
    mutating func ask<Value: OwnFieldValue>(for type: Value.Type) {
        precondition(
            Value.coding.type is String.Type,
            "The own field '\(name)' is \(Value.self), and searches look at text alone.")
        isSearched = true
    }
}
