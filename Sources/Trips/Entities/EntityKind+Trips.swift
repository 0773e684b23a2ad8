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

    /// The kinds that belong to a trip.
    package static let itemKinds: Set<EntityKind> = [.activity, .lodging, .transportation]
}
