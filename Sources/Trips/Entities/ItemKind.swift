public import Events

/// What distinguishes activities, lodgings and transportations: little enough for one generic type to serve them all.
public protocol ItemKind: Sendable {
    /// The number of the kind in the log.
    static var entityKind: EntityKind { get }
    /// The fields of its items, each described once.
    static var schema: Schema<Item<Self>> { get }
}

/// Something to do at one place.
public enum ActivityKind: ItemKind {
    public static let entityKind = EntityKind.activity
    public static let schema = Activity.schema("activity")
}

/// Somewhere to sleep; its ends are check-in and check-out.
public enum LodgingKind: ItemKind {
    public static let entityKind = EntityKind.lodging
    public static let schema = Lodging.schema("lodging")
}

/// A journey between two places.
public enum TransportationKind: ItemKind {
    public static let entityKind = EntityKind.transportation
    public static let schema = Transportation.schema(
        "transportation", reservation: "confirmation", aliases: [\.confirmation: 7],
        and: [Field(13, "mode", \.mode, help: "The mode of transportation.")])
}

/// Something to do at one place.
public typealias Activity = Item<ActivityKind>
/// Somewhere to sleep; its ends are check-in and check-out.
public typealias Lodging = Item<LodgingKind>
/// A journey between two places.
public typealias Transportation = Item<TransportationKind>
