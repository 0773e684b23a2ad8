public import Events
public import Foundation

/// A part of a trip: an activity, a lodging or a transportation.
public struct Item<Kind: ItemKind>: ItemEntity {
    public let id: Identifier<Item<Kind>>
    public package(set) var createdAt: Date?
    public package(set) var updatedAt: Date?
    private(set) var storage: ItemStorage

    /// An item of a trip. Its ends may be open, and all else left out.
    public init(
        id: ID = .new(), name: String, in trip: Trip.ID?, from start: Moment? = nil, until end: Moment? = nil,
        cost: Money? = nil, paid: PaidStatus = .none, reservation: String = "", notes: String = "",
        customLocationName: String = "", hidesLocation: Bool = false, address: Address? = nil,
        organization: Organization.ID? = nil
    ) {
        self.id = id
        storage = ItemStorage(
            ItemFields(
                name: name, trip: trip, start: start, end: end, cost: cost, paid: paid, reservation: reservation,
                notes: notes, customLocationName: customLocationName, hidesLocation: hidesLocation, address: address,
                organization: organization))
    }

    public init(id: ID) {
        self.id = id
        storage = ItemStorage()
    }

    public var name: String {
        get { storage.fields.name }
        set { change { $0.name = newValue } }
    }
    public var trip: Trip.ID? {
        get { storage.fields.trip }
        set { change { $0.trip = newValue } }
    }
    public var start: Moment? {
        get { storage.fields.start }
        set { change { $0.start = newValue } }
    }
    public var end: Moment? {
        get { storage.fields.end }
        set { change { $0.end = newValue } }
    }
    public var cost: Money? {
        get { storage.fields.cost }
        set { change { $0.cost = newValue } }
    }
    public var paid: PaidStatus {
        get { storage.fields.paid }
        set { change { $0.paid = newValue } }
    }
    public var reservation: String {
        get { storage.fields.reservation }
        set { change { $0.reservation = newValue } }
    }
    public var notes: String {
        get { storage.fields.notes }
        set { change { $0.notes = newValue } }
    }
    public var customLocationName: String {
        get { storage.fields.customLocationName }
        set { change { $0.customLocationName = newValue } }
    }
    public var hidesLocation: Bool {
        get { storage.fields.hidesLocation }
        set { change { $0.hidesLocation = newValue } }
    }
    public var address: Address? {
        get { storage.fields.address }
        set { change { $0.address = newValue } }
    }
    public var organization: Organization.ID? {
        get { storage.fields.organization }
        set { change { $0.organization = newValue } }
    }
    public var effectiveEnd: Moment? { storage.fields.effectiveEnd }

    /// Changes the fields of this item alone.
    @inline(__always)
    private mutating func change(_ body: (inout ItemFields) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = ItemStorage(storage.fields) }
        body(&storage.fields)
    }
}

extension Item {
    public typealias Field = ItemField

    public static var kind: EntityKind { Kind.entityKind }

    public static var fields: [ItemField] { Kind.hasMode ? ItemField.all : ItemField.shared }

    public static var fieldSet: Set<ItemField> { Kind.hasMode ? ItemField.allSet : ItemField.sharedSet }

    public static func name(of field: ItemField) -> String {
        field == .reservation ? Kind.reservationName : String(describing: field)
    }

    public init(id: ID, record: RecordView) throws(WireError) {
        self.id = id
        storage = ItemStorage()
        (createdAt, updatedAt) = try storage.fields.read(record)
        if !Kind.hasMode { storage.fields.mode = .other }
    }

    public init(id: ID, record: EntityRecord) {
        self.init(id: id)
        (createdAt, updatedAt) = read(record)
    }

    public func encoded(_ field: ItemField) -> [UInt8]? { storage.fields.encoded(field) }

    public mutating func decode(_ field: ItemField, _ value: UnsafeRawBufferPointer?) {
        guard field != .mode || Kind.hasMode else { return }
        change { $0.decode(field, value) }
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
        change { $0.mode = mode }
    }

    /// By what one travels.
    public var mode: TransportationMode {
        get { storage.fields.mode }
        set { change { $0.mode = newValue } }
    }

    /// What `reservation` is called on a ticket.
    public var confirmation: String {
        get { reservation }
        set { reservation = newValue }
    }
}
