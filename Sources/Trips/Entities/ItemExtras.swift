import Foundation

/// The fields that few items have. Which kinds have which says their schema.
struct ItemExtras: RareValues {
    var startDay: Day?
    var endDay: Day?
    var paidAmount: Money?
    var category = ""
    // Of lodgings.
    var checkIn: Moment?
    var checkOut: Moment?
    // Of transportations.
    var departure = TravelPlace()
    var arrival = TravelPlace()
    var carrier = ""
    var number = ""
    var seat = ""
    var travelClass = ""
}

extension Item {
    public var startDay: Day? {
        get { extras.storage?.values.startDay }
        set { extras.set(\.startDay, newValue) }
    }

    public var endDay: Day? {
        get { extras.storage?.values.endDay }
        set { extras.set(\.endDay, newValue) }
    }

    public var paidAmount: Money? {
        get { extras.storage?.values.paidAmount }
        set { extras.set(\.paidAmount, newValue) }
    }

    public var category: String {
        get { extras.storage?.values.category ?? "" }
        set { extras.set(\.category, newValue) }
    }

    public var links: [Link] {
        get { elements(\.links) }
        set { set(\.links, to: newValue) }
    }

    public var contacts: [Contact] {
        get { elements(\.contacts) }
        set { set(\.contacts, to: newValue) }
    }
}

extension Item where Kind == LodgingKind {
    /// From when on one may check in, or when one means to; `start` says when the stay begins.
    public var checkIn: Moment? {
        get { extras.storage?.values.checkIn }
        set { extras.set(\.checkIn, newValue) }
    }

    /// By when one must check out, or when one means to.
    public var checkOut: Moment? {
        get { extras.storage?.values.checkOut }
        set { extras.set(\.checkOut, newValue) }
    }

    static var lodgingFields: [Field<Lodging>] {
        [
            Field(20, "checkIn", \.checkIn, in: \.extras, \.checkIn, help: "From when on one may check in."),
            Field(21, "checkOut", \.checkOut, in: \.extras, \.checkOut, help: "By when one must check out."),
        ]
    }
}

extension Item where Kind == TransportationKind {
    /// Where it begins. Each part is a field of its own.
    public var departure: TravelPlace {
        get { extras.storage?.values.departure ?? TravelPlace() }
        set { extras.set(\.departure, newValue) }
    }

    /// Where it ends.
    public var arrival: TravelPlace {
        get { extras.storage?.values.arrival ?? TravelPlace() }
        set { extras.set(\.arrival, newValue) }
    }

    /// Who runs it, as on the ticket: the airline, the railway. `organization` names an entity.
    public var carrier: String {
        get { extras.storage?.values.carrier ?? "" }
        set { extras.set(\.carrier, newValue) }
    }

    /// The number of the flight or the train, as in "TP 551".
    public var number: String {
        get { extras.storage?.values.number ?? "" }
        set { extras.set(\.number, newValue) }
    }

    public var seat: String {
        get { extras.storage?.values.seat ?? "" }
        set { extras.set(\.seat, newValue) }
    }

    /// The class of travel, as in "economy" or "2".
    public var travelClass: String {
        get { extras.storage?.values.travelClass ?? "" }
        set { extras.set(\.travelClass, newValue) }
    }

    static var transportFields: [Field<Transportation>] {
        [
            Field(22, "carrier", \.carrier, in: \.extras, \.carrier, help: "Who runs it, as on the ticket."),
            Field(23, "number", \.number, in: \.extras, \.number, help: "The number of the flight or the train."),
            Field(24, "seat", \.seat, in: \.extras, \.seat, help: "The seat."),
            Field(25, "travelClass", \.travelClass, in: \.extras, \.travelClass, help: "The class of travel."),
            Field(26, "departureName", \.departure.name, in: \.extras, \.departure.name, help: "Where it departs."),
            Field(
                27, "departureCode", \.departure.code, in: \.extras, \.departure.code,
                help: "The code of the place of departure, as LIS."),
            Field(
                28, "departureTerminal", \.departure.terminal, in: \.extras, \.departure.terminal,
                help: "The terminal of departure."),
            Field(
                29, "departureGate", \.departure.gate, in: \.extras, \.departure.gate,
                help: "The gate or platform of departure."),
            Field(
                30, "departureAddress", \.departure.address, in: \.extras, \.departure.address,
                help: "The address of the place of departure."),
            Field(31, "arrivalName", \.arrival.name, in: \.extras, \.arrival.name, help: "Where it arrives."),
            Field(
                32, "arrivalCode", \.arrival.code, in: \.extras, \.arrival.code,
                help: "The code of the place of arrival, as OPO."),
            Field(
                33, "arrivalTerminal", \.arrival.terminal, in: \.extras, \.arrival.terminal,
                help: "The terminal of arrival."),
            Field(
                34, "arrivalGate", \.arrival.gate, in: \.extras, \.arrival.gate,
                help: "The gate or platform of arrival."),
            Field(
                35, "arrivalAddress", \.arrival.address, in: \.extras, \.arrival.address,
                help: "The address of the place of arrival."),
        ]
    }
}
