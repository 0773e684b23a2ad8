import Events
import Foundation

/// A kind of items: activities, lodgings or transportations. They differ in so little that one generic type serves them all.
public protocol ItemKind: Sendable {
    /// The fields of its items, each described once.
    static var schema: Schema<Item<Self>> { get }
}

/// A kind of items that the store itself has, with its fields.
protocol BuiltInItemKind: ItemKind {
    static var fields: Schema<Item<Self>> { get }
}

extension BuiltInItemKind {
    public static var schema: Schema<Item<Self>> { fields }
}

/// Something to do at one place.
public enum ActivityKind: BuiltInItemKind {
    static let fields = Activity.schema(.activity, "activity", Activity.reader)
}

/// Somewhere to sleep; its ends are those of the stay.
public enum LodgingKind: BuiltInItemKind {
    static let fields = Lodging.schema(
        .lodging, "lodging", Lodging.reader, spans: [(\.checkIn, \.checkOut)],
        and: [
            Field(builtIn: 20, "checkIn", \.checkIn, in: \.rare, \.checkIn, help: "From when on one may check in."),
            Field(builtIn: 21, "checkOut", \.checkOut, in: \.rare, \.checkOut, help: "By when one must check out."),
        ])
}

extension Item where Kind == ActivityKind {
    fileprivate static var reader: EntityReader<Activity> {
        EntityReader { id, record throws(WireError) in try Self(reading: record, Identifier(id)) }
    }
}

extension Item where Kind == LodgingKind {
    fileprivate static var reader: EntityReader<Lodging> {
        EntityReader { id, record throws(WireError) in try Self(reading: record, Identifier(id)) }
    }

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
public enum TransportationKind: BuiltInItemKind {
    static let fields = Transportation.schema(
        .transportation, "transportation", Transportation.reader, reservation: "confirmation", also: [\.confirmation],
        and: [
            Field(builtIn: 13, "mode", \.storedMode, also: [\.mode], help: .common("The mode of transportation.")),
            Field(
                builtIn: 22, "carrier", \.carrier, in: \.rare, \.carrier, search: .carrier,
                help: "Who runs it, as on the ticket."),
            Field(
                builtIn: 23, "number", \.number, in: \.rare, \.number, search: .code,
                help: .common("The number of the flight or the train.")),
            Field(builtIn: 24, "seat", \.seat, in: \.rare, \.seat, help: "The seat."),
            Field(builtIn: 25, "travelClass", \.travelClass, in: \.rare, \.travelClass, help: "The class of travel."),
            Field(
                builtIn: 26, "departureName", \.departure.name, in: \.rare, \.departure.name, search: .place,
                help: "Where it departs."),
            Field(
                builtIn: 27, "departureCode", \.departure.code, in: \.rare, \.departure.code, search: .place,
                help: "The code of the place of departure, as LIS."),
            Field(
                builtIn: 28, "departureTerminal", \.departure.terminal, in: \.rare, \.departure.terminal,
                help: .about(.place, "The terminal of departure.")),
            Field(
                builtIn: 29, "departureGate", \.departure.gate, in: \.rare, \.departure.gate,
                help: .about(.place, "The gate or platform of departure.")),
            Field(
                builtIn: 30, "departureAddress", \.departure.address, in: \.rare, \.departure.address, search: .address,
                help: "The address of the place of departure."),
            Field(
                builtIn: 31, "arrivalName", \.arrival.name, in: \.rare, \.arrival.name, search: .place,
                help: "Where it arrives."),
            Field(
                builtIn: 32, "arrivalCode", \.arrival.code, in: \.rare, \.arrival.code, search: .place,
                help: "The code of the place of arrival, as OPO."),
            Field(
                builtIn: 33, "arrivalTerminal", \.arrival.terminal, in: \.rare, \.arrival.terminal,
                help: .about(.place, "The terminal of arrival.")),
            Field(
                builtIn: 34, "arrivalGate", \.arrival.gate, in: \.rare, \.arrival.gate,
                help: .about(.place, "The gate or platform of arrival.")),
            Field(
                builtIn: 35, "arrivalAddress", \.arrival.address, in: \.rare, \.arrival.address, search: .address,
                help: "The address of the place of arrival."),
        ])
}

extension Item where Kind == TransportationKind {
    fileprivate static var reader: EntityReader<Transportation> {
        EntityReader { id, record throws(WireError) in try Self(reading: record, Identifier(id)) }
    }

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
