public import Events
public import Foundation

/// What distinguishes activities, lodgings and transportations: little enough for one generic type to serve them all.
public protocol ItemKind: Sendable {
    /// The number of the kind in the log.
    static var entityKind: EntityKind { get }
    /// The fields of its items, each described once.
    static var schema: Schema<Item<Self>> { get }
    /// Reads an item from its record. By each kind apart, for code that is generic over kinds takes longer to find their types than to read.
    static func item(_ id: Identifier<Item<Self>>, _ record: borrowing RecordView) throws(WireError) -> Item<Self>
    /// The same to the end of a list: see `TripEntity`.
    static func append(
        id: UUID, record: borrowing RecordView, to items: inout [Item<Self>]
    ) throws(WireError) -> Bool
}

extension ItemKind {
    /// Inlined into that of each kind.
    @inline(__always)
    fileprivate static func read(
        _ id: UUID, _ record: borrowing RecordView, into items: inout [Item<Self>]
    ) throws(WireError) -> Bool {
        let item = try Item<Self>(reading: record, Identifier(id))
        items.append(item)
        return !item.own.isEmpty
    }
}

/// Something to do at one place.
public enum ActivityKind: ItemKind {
    public static let entityKind = EntityKind.activity
    public static let schema = Activity.schema("activity")

    public static func item(_ id: Activity.ID, _ record: borrowing RecordView) throws(WireError) -> Activity {
        try Activity(reading: record, id)
    }

    public static func append(
        id: UUID, record: borrowing RecordView, to items: inout [Activity]
    ) throws(WireError) -> Bool {
        try read(id, record, into: &items)
    }
}

/// Somewhere to sleep; its ends are those of the stay.
public enum LodgingKind: ItemKind {
    public static let entityKind = EntityKind.lodging
    public static let schema = Lodging.schema(
        "lodging", spans: [Span(\.checkIn, \.checkOut, in: \.extras, \.checkIn, \.checkOut)], and: Lodging.lodgingFields
    )

    public static func item(_ id: Lodging.ID, _ record: borrowing RecordView) throws(WireError) -> Lodging {
        try Lodging(reading: record, id)
    }

    public static func append(
        id: UUID, record: borrowing RecordView, to items: inout [Lodging]
    ) throws(WireError) -> Bool {
        try read(id, record, into: &items)
    }
}

/// A journey between two places.
public enum TransportationKind: ItemKind {
    public static let entityKind = EntityKind.transportation
    public static let schema = Transportation.schema(
        "transportation", reservation: "confirmation", aliases: [\.confirmation: 7],
        and: [Field(13, "mode", \.mode, storedAs: \.storedMode, help: "The mode of transportation.")]
            + Transportation.transportFields)

    public static func item(
        _ id: Transportation.ID, _ record: borrowing RecordView
    ) throws(WireError) -> Transportation {
        try Transportation(reading: record, id)
    }

    public static func append(
        id: UUID, record: borrowing RecordView, to items: inout [Transportation]
    ) throws(WireError) -> Bool {
        try read(id, record, into: &items)
    }
}

/// Something to do at one place.
public typealias Activity = Item<ActivityKind>
/// Somewhere to sleep; its ends are those of the stay.
public typealias Lodging = Item<LodgingKind>
/// A journey between two places.
public typealias Transportation = Item<TransportationKind>
