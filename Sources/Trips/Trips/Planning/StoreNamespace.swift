package import Events

extension Namespace {
    /// The store's own: kinds and fields that it describes as apps describe theirs, so that a version without them merges, keeps, shows and
    /// forwards them. No app can declare any in it.
    static let store = Namespace("tripstore")
}

/// The fields that trips, items and organizations have in the store's namespace, by their numbers there; the schemas of these kinds name them.
extension EntitySchema.Field {
    static let travellers = EntitySchema.Field(
        .store, 1, "travellers", Traveller.ID.self, .set, isNullified: true,
        help: .common("Who travels: names or ids, as Ana,Ben.", about: .people))
    static let isTemplate = EntitySchema.Field(.store, 2, "isTemplate", Bool.self)

    static let participants = EntitySchema.Field(
        .store, 11, "participants", Traveller.ID.self, .set, isNullified: true,
        help: .common("Who takes part, where not all do: names or ids, as Ana,Ben.", about: .people))
    static let payer = EntitySchema.Field(
        .store, 12, "payer", Traveller.ID.self, isNullified: true,
        help: .common("The traveller who pays: a name, an id, or its first digits.", about: .money))
    static let split = EntitySchema.Field(
        .store, 13, "split", CostSplit.Mode.self, clearedJSON: .string("equally"),
        advice: "Give parts or amounts; without either all pay equally.",
        help: .about(.money, "How those who take part share the cost: equally, parts or amounts."))
    static let parts = EntitySchema.Field(
        .store, 14, "parts", Int.self, .map(Traveller.ID.self), isNullified: true, advice: "Give 0 or more.",
        help: .about(.money, "How many parts of the cost a traveller pays, as Ana=2,Ben=1.")
    ) { $0 >= 0 }
    static let amounts = EntitySchema.Field(
        .store, 15, "amounts", Money.self, .map(Traveller.ID.self), isNullified: true,
        help: .about(.money, "What a traveller pays of the cost, as 'Ana=12.50 EUR'."))
    static let supersedes = EntitySchema.Field(.store, 16, "supersedes", EntityReference.self)

    static let links = EntitySchema.Field(.store, 21, "links", Link.self, .list, isDescribed: false, search: .link)
    static let contacts = EntitySchema.Field(
        .store, 22, "contacts", Contact.self, .list, isDescribed: false, search: .contact)
}

/// The numbers of the store's own namespace.
package enum StoreNamespace {
    /// What field numbers of the namespace begin with. A constant, because every change of every write is compared with it.
    static let hash: UInt64 = 0xBDB4_0EC8_36

    /// Whether a field is one of the store's own namespace.
    package static func contains(field: UInt64) -> Bool { field >> 16 == hash }

    /// Whether a field is of the namespace and one that the log describes. Those of newer versions are.
    package static func describes(field: UInt64) -> Bool { contains(field: field) && !undescribed.contains(field) }

    private static let undescribed = Set(StoreKinds.listed.map(\.number))

    /// Whether an entity is of a kind of the store's own namespace.
    package static func contains(_ entity: EntityReference) -> Bool { OwnKind(of: entity)?.isOfStore == true }
}

extension OwnKind {
    /// Whether it is of the store's own namespace, and of no app.
    package var isOfStore: Bool { namespaceHash == StoreNamespace.hash }
}

/// The kinds of the store's own namespace.
package enum StoreKinds {
    /// In the order in which tools list them.
    package static let all: [any OwnEntity.Type] = [
        Traveller.self, Budget.self, CurrencyRate.self, Checklist.self, ChecklistEntry.self, AttachedFile.self,
    ]

    static let schemas: [OwnKind: EntitySchema] = all.reduce(into: [:]) { schemas, type in
        let schema = type.erasedSchema
        if let kind = schema.own { schemas[kind] = schema }
    }

    /// The description of each kind and of each field that the log describes.
    package static let descriptions: [FieldDescription] =
        all.flatMap { $0.descriptions } + fields { $0.isDescribed }

    /// The descriptions of the other fields, which the log need not have.
    package static let listed: [FieldDescription] = fields { !$0.isDescribed }

    private static func fields(where isIncluded: (OwnRow) -> Bool) -> [FieldDescription] {
        EntitySchema.all.flatMap { schema in
            schema.added.filter { $0.own.map(isIncluded) ?? false }
                .map { FieldDescription(of: ConcreteKind(schema), $0) }
        }
    }

    /// The type of a kind; nil for a kind of an app.
    package static func type(of kind: OwnKind) -> (any OwnEntity.Type)? {
        schemas[kind]?.type as? any OwnEntity.Type
    }

    /// One of the kinds by its name; nil if there is none.
    package static func kind(named name: String) -> OwnKind? { schemas.first { $0.value.name == name }?.key }
}

extension OwnEntity {
    fileprivate static var erasedSchema: EntitySchema { schema.erased }
    fileprivate static var descriptions: [FieldDescription] { schema.fieldDescriptions }
}
