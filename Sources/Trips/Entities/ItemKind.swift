public import Events
public import Foundation

/// A kind of items: activities, lodgings or transportations. They differ in so little that one generic type serves them all.
public protocol ItemKind: Sendable {
    /// The number of the kind in the log.
    static var entityKind: EntityKind { get }
    /// The fields of its items, each described once.
    static var schema: Schema<Item<Self>> { get }
    /// Reads an item from its record. By each kind apart, for code that is generic over kinds takes longer to find their types than to read.
    static func item(_ id: Identifier<Item<Self>>, _ record: borrowing RecordView) throws(WireError) -> Item<Self>
    /// Appends the item in a record to a list. Returns whether it has values of apps' fields. Throws `WireError` if the
    /// record cannot be read: see `TripEntity.append(id:record:to:)`.
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
        "lodging", spans: [(\.checkIn, \.checkOut)],
        and: [
            Field(20, "checkIn", \.checkIn, in: \.rare, \.checkIn, help: "From when on one may check in."),
            Field(21, "checkOut", \.checkOut, in: \.rare, \.checkOut, help: "By when one must check out."),
        ])

    public static func item(_ id: Lodging.ID, _ record: borrowing RecordView) throws(WireError) -> Lodging {
        try Lodging(reading: record, id)
    }

    public static func append(
        id: UUID, record: borrowing RecordView, to items: inout [Lodging]
    ) throws(WireError) -> Bool {
        try read(id, record, into: &items)
    }
}

extension Item where Kind == LodgingKind {
    /// From when on one may check in, or when one means to; `start` says when the stay begins.
    public var checkIn: Moment? {
        get { rare.checkIn }
        set { rare.checkIn = newValue }
    }

    /// By when one must check out, or when one means to.
    public var checkOut: Moment? {
        get { rare.checkOut }
        set { rare.checkOut = newValue }
    }
}

/// A journey between two places.
public enum TransportationKind: ItemKind {
    public static let entityKind = EntityKind.transportation
    public static let schema = Transportation.schema(
        "transportation", reservation: "confirmation", also: [\.confirmation],
        and: [
            Field(13, "mode", \.storedMode, also: [\.mode], help: "The mode of transportation."),
            Field(
                22, "carrier", \.carrier, in: \.rare, \.carrier, search: .carrier,
                help: "Who runs it, as on the ticket."),
            Field(
                23, "number", \.number, in: \.rare, \.number, search: .code,
                help: "The number of the flight or the train."),
            Field(24, "seat", \.seat, in: \.rare, \.seat, help: "The seat."),
            Field(25, "travelClass", \.travelClass, in: \.rare, \.travelClass, help: "The class of travel."),
            Field(
                26, "departureName", \.departure.name, in: \.rare, \.departure.name, search: .place,
                help: "Where it departs."),
            Field(
                27, "departureCode", \.departure.code, in: \.rare, \.departure.code, search: .place,
                help: "The code of the place of departure, as LIS."),
            Field(
                28, "departureTerminal", \.departure.terminal, in: \.rare, \.departure.terminal,
                help: "The terminal of departure."),
            Field(
                29, "departureGate", \.departure.gate, in: \.rare, \.departure.gate,
                help: "The gate or platform of departure."),
            Field(
                30, "departureAddress", \.departure.address, in: \.rare, \.departure.address, search: .address,
                help: "The address of the place of departure."),
            Field(
                31, "arrivalName", \.arrival.name, in: \.rare, \.arrival.name, search: .place,
                help: "Where it arrives."),
            Field(
                32, "arrivalCode", \.arrival.code, in: \.rare, \.arrival.code, search: .place,
                help: "The code of the place of arrival, as OPO."),
            Field(
                33, "arrivalTerminal", \.arrival.terminal, in: \.rare, \.arrival.terminal,
                help: "The terminal of arrival."),
            Field(
                34, "arrivalGate", \.arrival.gate, in: \.rare, \.arrival.gate,
                help: "The gate or platform of arrival."),
            Field(
                35, "arrivalAddress", \.arrival.address, in: \.rare, \.arrival.address, search: .address,
                help: "The address of the place of arrival."),
        ])

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

extension Item where Kind == TransportationKind {
    /// A transportation and its mode. Its ends may be open, and all else left out.
    public init(
        id: ID = .new(), name: String, mode: TransportationMode, in trip: Trip.ID?, from start: Moment? = nil,
        until end: Moment? = nil, cost: Money? = nil, paid: PaidStatus = .none, confirmation: String = "",
        notes: String = "", customLocationName: String = "", hidesLocation: Bool = false, address: Address? = nil,
        organization: Organization.ID? = nil
    ) {
        self.init(
            id: id, name: name, in: trip, from: start, until: end, cost: cost, paid: paid, reservation: confirmation,
            notes: notes, customLocationName: customLocationName, hidesLocation: hidesLocation, address: address,
            organization: organization)
        storedMode = mode
    }

    /// By what one travels.
    public var mode: TransportationMode {
        get { storedMode }
        set { storedMode = newValue }
    }

    /// The number of the booking, by its name on a ticket: `reservation`.
    public var confirmation: String {
        get { reservation }
        set { reservation = newValue }
    }

    /// The place where the journey begins. Each part of it is a separate field.
    public var departure: TravelPlace {
        get { rare.departure }
        set { rare.departure = newValue }
    }

    /// The place where the journey ends. Each part of it is a separate field.
    public var arrival: TravelPlace {
        get { rare.arrival }
        set { rare.arrival = newValue }
    }

    /// The company that runs the journey, as on the ticket: the airline, the railway. `organization` names an entity.
    public var carrier: String {
        get { rare.carrier }
        set { rare.carrier = newValue }
    }

    /// The number of the flight or the train, as in "TP 551".
    public var number: String {
        get { rare.number }
        set { rare.number = newValue }
    }

    public var seat: String {
        get { rare.seat }
        set { rare.seat = newValue }
    }

    /// The class of travel, as in "economy" or "2".
    public var travelClass: String {
        get { rare.travelClass }
        set { rare.travelClass = newValue }
    }
}

/// Something to do at one place.
public typealias Activity = Item<ActivityKind>
/// Somewhere to sleep; its ends are those of the stay.
public typealias Lodging = Item<LodgingKind>
/// A journey between two places.
public typealias Transportation = Item<TransportationKind>
