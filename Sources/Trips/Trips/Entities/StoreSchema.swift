public import Events

// The kinds that every store of trips has, and what is made of them, for code that knows kinds by their schemas alone.

extension EntitySchema {
    /// In the order of their numbers.
    static let all: [EntitySchema] = [
        Trip.schema.erased, Activity.schema.erased, Lodging.schema.erased, Transportation.schema.erased,
        Organization.schema.erased,
    ]

    /// The word for entities of any kind whose parents are of one kind, in queries.
    static let nameOfParts = "item"
}

extension KnownKind {
    /// The kinds of items.
    static let items = parts(in: nil)
}

extension Index {
    /// The indexes that every store has: agendas read them.
    package static let builtIn = [
        Index(on: \Activity.start), Index(on: \Lodging.start), Index(on: \Transportation.start),
    ]

    /// The indexes that a store makes once a query has looked at many entities for lack of them: most stores are small, or never need them.
    static let onDemand = [
        Index(on: \Trip.name, asPeopleDo: true), Index(on: \Trip.startDay),
        Index(on: \Organization.name, asPeopleDo: true), Index(on: \Activity.organization),
        Index(on: \Lodging.organization), Index(on: \Transportation.organization),
    ]
}

extension ValidationError {
    static let missingParent = ValidationError(
        .missingParent, "An item belongs to a trip and this one names none. Name one.")
}

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

    /// The kinds that belong to a trip.
    package static let itemKinds: Set<EntityKind> = [.activity, .lodging, .transportation]
}
