public import Events
public import Foundation

/// What all items have, whatever their kind: for code that takes any of them.
public protocol ItemEntity: TripEntity where Field == ItemField {
    var name: String { get set }
    var trip: Trip.ID? { get set }
    var start: Moment? { get set }
    var end: Moment? { get set }
    var cost: Money? { get set }
    var paid: PaidStatus { get set }
    var reservation: String { get set }
    var notes: String { get set }
    var customLocationName: String { get set }
    var hidesLocation: Bool { get set }
    var address: Address? { get set }
    var organization: Organization.ID? { get set }
}

extension ItemEntity {
    /// The end, taken as no earlier than the start; nil if it is open.
    public var effectiveEnd: Moment? {
        guard let end, let start else { return end }
        return end.milliseconds < start.milliseconds ? start : end
    }
}

/// A part of a trip: an activity, a lodging or a transportation.
public struct Item<Kind: ItemKind>: ItemEntity {
    public let id: Identifier<Item<Kind>>
    public var name = ""
    /// The trip that it belongs to; an item without one is unfiled, which only a merge or a peer brings about.
    public var trip: Trip.ID?
    /// When it starts, in real time, with the zone of the place.
    public var start: Moment?
    /// When it ends, as written: a merge of two edits may put it before the start. See `effectiveEnd`.
    public var end: Moment?
    /// What it costs; negative for a refund.
    public var cost: Money?
    public var paid = PaidStatus.none
    /// The number under which it is booked.
    public var reservation = ""
    public var notes = ""
    public var customLocationName = ""
    /// Whether apps leave its place out.
    public var hidesLocation = false
    public var address: Address?
    public var organization: Organization.ID?
    public package(set) var createdAt: Date?
    public package(set) var updatedAt: Date?
    // Kept for every kind, so that the layout does not depend on the kind and generic code stays fast.
    var storedMode = TransportationMode.other

    public init(
        id: ID = .new(), name: String, in trip: Trip.ID?, from start: Moment? = nil, until end: Moment? = nil,
        cost: Money? = nil, paid: PaidStatus = .none, reservation: String = "", notes: String = "",
        customLocationName: String = "", hidesLocation: Bool = false, address: Address? = nil,
        organization: Organization.ID? = nil
    ) {
        self.id = id
        self.name = name
        self.trip = trip
        self.start = start
        self.end = end
        self.cost = cost
        self.paid = paid
        self.reservation = reservation
        self.notes = notes
        self.customLocationName = customLocationName
        self.hidesLocation = hidesLocation
        self.address = address
        self.organization = organization
    }

    public init(id: ID) { self.id = id }
}

extension Item {
    public typealias Field = ItemField

    public static var kind: EntityKind { Kind.entityKind }

    public static var fields: [ItemField] { Kind.hasMode ? ItemField.all : ItemField.shared }

    public static func name(of field: ItemField) -> String {
        field == .reservation ? Kind.reservationName : String(describing: field)
    }

    public init(id: ID, record: RecordView) throws(WireError) {
        self.init(id: id)
        try read(record)
        createdAt = try record.creation()?.timestamp.date
        updatedAt = try record.newest()?.timestamp.date
    }

    public init(id: ID, record: EntityRecord) {
        self.init(id: id)
        read(record)
        createdAt = record.creation?.timestamp.date
        updatedAt = record.newest?.timestamp.date
    }

    public func encoded(_ field: ItemField) -> [UInt8]? {
        switch field {
        case .name: name.encodedValue
        case .trip: trip?.encodedValue
        case .start: start?.encodedValue
        case .end: end?.encodedValue
        case .cost: cost?.encodedValue
        case .paid: paid.encodedValue
        case .reservation: reservation.encodedValue
        case .notes: notes.encodedValue
        case .customLocationName: customLocationName.encodedValue
        case .hidesLocation: hidesLocation.encodedValue
        case .address: address?.encodedValue
        case .organization: organization?.encodedValue
        case .mode: storedMode.encodedValue
        }
    }

    public mutating func decode(_ field: ItemField, _ value: UnsafeRawBufferPointer?) {
        switch field {
        case .name: name = String.decoded(value) ?? ""
        case .trip: trip = Trip.ID.decoded(value)
        case .start: start = Moment.decoded(value)
        case .end: end = Moment.decoded(value)
        case .cost: cost = Money.decoded(value)
        case .paid: paid = PaidStatus.decoded(value) ?? .none
        case .reservation: reservation = String.decoded(value) ?? ""
        case .notes: notes = String.decoded(value) ?? ""
        case .customLocationName: customLocationName = String.decoded(value) ?? ""
        case .hidesLocation: hidesLocation = Bool.decoded(value) ?? false
        case .address: address = Address.decoded(value)
        case .organization: organization = Organization.ID.decoded(value)
        case .mode: storedMode = Kind.hasMode ? TransportationMode.decoded(value) ?? .other : .other
        }
    }
}

extension Item where Kind == TransportationKind {
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

    public var mode: TransportationMode {
        get { storedMode }
        set { storedMode = newValue }
    }

    /// What `reservation` is called on a ticket.
    public var confirmation: String {
        get { reservation }
        set { reservation = newValue }
    }
}
