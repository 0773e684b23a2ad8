import Events

/// A kind of entity as a value, with the fields by which a query reads and names its entities.
package struct KnownKind: Hashable, Sendable {
    package let type: any TripEntity.Type
    let schema: EntitySchema
    /// What the store knows for which it was made; nil if it was made for none. Kinds that differ in it alone are equal.
    private(set) var known: KnownSchema?
    /// The fields that a query names by their declarations, whether the store knows them or not.
    private var declared = DeclaredFields()

    private init(_ type: any TripEntity.Type, _ schema: EntitySchema, _ known: KnownSchema?) {
        self.type = type
        self.schema = schema
        self.known = known
    }

    init<Entity: TripEntity>(_ type: Entity.Type, in known: KnownSchema? = nil) {
        self.init(type, Entity.schema.erased, known)
    }

    /// One of the apps' kinds by its number alone, with the fields that its app declares and those that others have added, as the log
    /// describes them.
    init(_ own: OwnKind, in known: KnownSchema?) {
        let kind = ConcreteKind(own)
        // Others may have written any number, and schemas are arrays by number.
        let fields = (known?.descriptions(of: kind) ?? []).filter { 1...OwnKindField.highestNumber ~= $0.number }
        let schema = EntitySchema(
            .own, own.name(in: known), fields.compactMap { EntitySchema.Field(described: $0) },
            of: DescribedEntity.self, own: own, isOpen: true)
        self.init(DescribedEntity.self, schema, known)
    }

    package var kind: ConcreteKind { ConcreteKind(schema) }
    /// Which of the apps' kinds; nil for the store's own.
    var own: OwnKind? { schema.own }
    /// Whether it is known by its number alone.
    var isDescribed: Bool { type == DescribedEntity.self && own != nil }

    /// The field of a number: of the schema, declared in the store or with the query, or described by the log with a type of this version.
    func field(_ number: UInt64) -> EntitySchema.Field? {
        schema.field(number) ?? inStore?.field(number) ?? declared.fields.first { $0.number == number }
            ?? known.description(kind, number).flatMap { EntitySchema.Field(described: $0) }
    }

    /// The kind as the store declares it.
    private var inStore: EntitySchema? { known.declared.schema(of: kind) }

    /// The rule of entities without their parent, by the store's declaration.
    var parentRule: ParentRule { schema.own == nil ? schema.parentRule : inStore?.parentRule ?? .cascade }

    /// The kind as a store knows it, unless it was made for one, with fields that are declared where it is asked for.
    func known(in other: KnownSchema?, declaring fields: DeclaredFields = DeclaredFields()) -> KnownKind {
        var kind = self
        kind.known = known ?? other
        if !fields.fields.isEmpty { kind.declared = declared + fields }
        return kind
    }

    /// The fields of apps that have a name here, in the order of their numbers: those that are declared, and others that the log describes.
    var ownFields: [EntitySchema.Field] {
        let described = (known?.descriptions(of: kind) ?? []).filter { FieldPath(field: $0.number).isOwn }
            .compactMap { EntitySchema.Field(described: $0) }
        let fields = Dictionary(described.map { ($0.number, $0) }) { $1 }
        let declared = (inStore ?? schema).added
        return fields.merging(declared.map { ($0.number, $0) }) { $1 }.values.sorted { $0.number < $1.number }
    }

    package static func == (a: KnownKind, b: KnownKind) -> Bool {
        a.type == b.type && a.own == b.own
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(own)
    }

    /// The kinds of the store whose parents are of one kind.
    static func parts(in known: KnownSchema?) -> [KnownKind] {
        EntitySchema.all.filter { $0.parents.areOfOneKind }.map { KnownKind($0.type, in: known) }
    }
}

/// Declarations of apps' fields, for reading them where a store does not know them. They tell no two questions apart: numbers do.
struct DeclaredFields: Hashable, Sendable {
    var fields: [EntitySchema.Field] = []

    static func + (a: DeclaredFields, b: DeclaredFields) -> DeclaredFields {
        DeclaredFields(fields: a.fields + b.fields)
    }
    static func == (a: DeclaredFields, b: DeclaredFields) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension EntitySchema.Field {
    /// A field of which nothing is known but a description: its values are kept by number, so nothing is stored in a property.
    convenience init(described field: FieldDescription, _ type: any FieldValue.Type) {
        let collection =
            field.shape == .value ? nil : CollectionForm(shape: field.shape, keyType: field.keyType.values)
        self.init(
            number: field.number, name: field.name, help: nil, rules: EntitySchema.FieldRules(type, nil),
            storage: .none, collection: collection)
    }

    /// Nil for a type that this version does not know.
    convenience init?(described field: FieldDescription) {
        guard let type = field.type.values else { return nil }
        self.init(described: field, type)
    }
}
