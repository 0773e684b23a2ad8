public import Events

extension EntityKind {
    /// A journey: `Trip`.
    public static let trip = EntityKind(rawValue: 1)
    /// Something to do: `Activity`.
    public static let activity = EntityKind(rawValue: 2)
    /// Somewhere to sleep: `Lodging`.
    public static let lodging = EntityKind(rawValue: 3)
    /// A journey between two places: `Transportation`.
    public static let transportation = EntityKind(rawValue: 4)
    /// A provider of items: `Organization`.
    public static let organization = EntityKind(rawValue: 5)

    /// Descriptions of apps' own fields in the log: see `FieldDescription`. It is no entity of a store's queries.
    public static let schema = EntityKind(rawValue: 6)

    /// The number that all kinds in namespaces share, those that apps add among them: see `OwnKind` and `OwnEntity`.
    public static let own = EntityKind(rawValue: 7)

    /// The kinds that belong to a trip.
    package static let itemKinds: Set<EntityKind> = [.activity, .lodging, .transportation]

    /// The kinds that this version knows, by number, without those of apps.
    public static let known: [EntityKind] = EntitySchema.all.map(\.kind)

    /// The kind's name, as in "trip"; nil if this version does not know it.
    public var name: String? {
        isNamespaced ? "own" : self == .schema ? "schema" : EntitySchema.of(self)?.name
    }

    /// One of the store's own kinds by its name; nil if there is none.
    public init?(name: String) {
        guard let schema = EntitySchema.all.first(where: { $0.name == name }) else { return nil }
        self = schema.kind
    }
}
