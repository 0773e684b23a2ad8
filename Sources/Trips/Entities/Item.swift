public import Events
public import Foundation

/// A part of a trip: an activity, a lodging or a transportation.
public struct Item<Kind: ItemKind>: ItemEntity {
    public let id: Identifier<Item<Kind>>
    public package(set) var createdAt: Date?
    public package(set) var updatedAt: Date?
    var fields = ItemFields()

    /// An item of a trip. Its ends may be open, and all else left out.
    public init(
        id: ID = .new(), name: String, in trip: Trip.ID?, from start: Moment? = nil, until end: Moment? = nil,
        cost: Money? = nil, paid: PaidStatus = .none, reservation: String = "", notes: String = "",
        customLocationName: String = "", hidesLocation: Bool = false, address: Address? = nil,
        organization: Organization.ID? = nil
    ) {
        self.id = id
        fields = ItemFields(
            name: name, trip: trip, start: start, end: end, cost: cost, paid: paid, reservation: reservation,
            notes: notes, customLocationName: customLocationName, hidesLocation: hidesLocation, address: address,
            organization: organization)
    }

    public init(id: ID) { self.id = id }

    public var name: String {
        get { fields.name }
        set { fields.name = newValue }
    }
    public var trip: Trip.ID? {
        get { fields.trip }
        set { fields.trip = newValue }
    }
    public var start: Moment? {
        get { fields.start }
        set { fields.start = newValue }
    }
    public var end: Moment? {
        get { fields.end }
        set { fields.end = newValue }
    }
    public var cost: Money? {
        get { fields.cost }
        set { fields.cost = newValue }
    }
    public var paid: PaidStatus {
        get { fields.paid }
        set { fields.paid = newValue }
    }
    public var reservation: String {
        get { fields.reservation }
        set { fields.reservation = newValue }
    }
    public var notes: String {
        get { fields.notes }
        set { fields.notes = newValue }
    }
    public var customLocationName: String {
        get { fields.customLocationName }
        set { fields.customLocationName = newValue }
    }
    public var hidesLocation: Bool {
        get { fields.hidesLocation }
        set { fields.hidesLocation = newValue }
    }
    public var address: Address? {
        get { fields.address }
        set { fields.address = newValue }
    }
    public var organization: Organization.ID? {
        get { fields.organization }
        set { fields.organization = newValue }
    }
    public var effectiveEnd: Moment? { fields.effectiveEnd }
}

extension Item {
    public typealias Field = ItemField

    public static var kind: EntityKind { Kind.entityKind }

    public static var fields: [ItemField] { Kind.hasMode ? ItemField.all : ItemField.shared }

    public static var fieldSet: Set<ItemField> { Kind.hasMode ? ItemField.allSet : ItemField.sharedSet }

    public static func name(of field: ItemField) -> String {
        field == .reservation ? Kind.reservationName : String(describing: field)
    }

    public init(id: ID, record: borrowing RecordView) throws(WireError) {
        // Not through another initialiser: the finished value would be copied.
        self.id = id
        (createdAt, updatedAt) = try fields.read(record)
        if !Kind.hasMode { fields.mode = .other }
    }

    public init(id: ID, record: EntityRecord) {
        self.init(id: id)
        (createdAt, updatedAt) = read(record)
    }

    public func encoded(_ field: ItemField) -> [UInt8]? { fields.encoded(field) }

    public mutating func decode(_ field: ItemField, _ value: [UInt8]?) { decodeCopy(field, value) }

    mutating func decode(_ field: ItemField, _ value: UnsafeRawBufferPointer?) {
        guard field != .mode || Kind.hasMode else { return }
        fields.decode(field, value)
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
        fields.mode = mode
    }

    /// By what one travels.
    public var mode: TransportationMode {
        get { fields.mode }
        set { fields.mode = newValue }
    }

    /// What `reservation` is called on a ticket.
    public var confirmation: String {
        get { reservation }
        set { reservation = newValue }
    }
}
