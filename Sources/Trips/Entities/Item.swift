public import Events
public import Foundation

/// A part of a trip: an activity, a lodging or a transportation.
public struct Item<Kind: ItemKind>: ItemEntity {
    public let id: Identifier<Item<Kind>>
    public var name = ""
    public var trip: Trip.ID?
    public var start: Moment?
    public var end: Moment?
    public var cost: Money?
    public var paid = PaidStatus.none
    public var stage = PlanningStage.planned
    public var reservation = ""
    public var notes = ""
    public var customLocationName = ""
    public var hidesLocation = false
    public var address: Address?
    public var organization: Organization.ID?
    /// Whether all of it is there.
    public var status = ProcessingStatus.ready
    /// Of transportations alone.
    var storedMode = TransportationMode.other
    /// What few items have, behind one reference.
    var extras = RareFields<ItemExtras>()
    public var own = OwnValues()
    public private(set) var createdAt: Date?
    public private(set) var updatedAt: Date?

    /// An item of a trip. Its ends may be open, and all else left out.
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

    /// An item of whole days, without times: it begins on the first, and ends on the last.
    public init(id: ID = .new(), name: String, in trip: Trip.ID?, days: ClosedRange<Day>) {
        self.id = id
        self.name = name
        self.trip = trip
        (startDay, endDay) = (days.lowerBound, days.upperBound)
    }

    public init(id: ID) { self.id = id }

    public var effectiveEnd: Moment? {
        guard let end, let start else { return end }
        return end.milliseconds < start.milliseconds ? start : end
    }

    public var effectiveEndDay: Day? { endDay.map { max($0, startDay ?? $0) } }
}

extension Item {
    public static var schema: Schema<Item<Kind>> { Kind.schema }

    public static var kind: EntityKind { Kind.entityKind }

    /// The fields of every kind of items; numbers are shared by all kinds.
    static func schema(
        _ name: String, reservation: String = "reservation", aliases: [PartialKeyPath<Item<Kind>>: UInt64] = [:],
        spans: [Span<Item<Kind>>] = [], and others: [Field<Item<Kind>>] = []
    ) -> Schema<Item<Kind>> {
        Schema(
            kind, name,
            spans: [
                Span(\.start, \.end), Span(\.startDay, \.endDay, in: \.extras, \.startDay, \.endDay),
            ] + spans, aliases: aliases,
            lists: StoreLists(on: kind),
            [
                Field(1, "name", \.name, .name, help: "The name."),
                Field(2, "trip", \.trip, .trip, help: "The trip that the item belongs to."),
                Field(3, "start", \.start, help: "When it starts."),
                Field(4, "end", \.end, help: "When it ends."),
                Field(
                    16, "startDay", \.startDay, in: \.extras, \.startDay,
                    help: "The first day, for an item without a time; the start wins."),
                Field(
                    17, "endDay", \.endDay, in: \.extras, \.endDay,
                    help: "The last day, for an item without a time; the end wins."),
                Field(15, "stage", \.stage, help: "How far the plan has come."),
                Field(5, "cost", \.cost, help: "The cost."),
                Field(6, "paid", \.paid, help: "What has been paid."),
                Field(
                    18, "paidAmount", \.paidAmount, in: \.extras, \.paidAmount,
                    help: "The amount that has been paid, where it is not all."),
                Field(19, "category", \.category, in: \.extras, \.category, help: "What it counts as, as food."),
                Field(7, reservation, \.reservation, help: "The number of the \(reservation)."),
                Field(8, "notes", \.notes, help: "Notes."),
                Field(9, "customLocationName", \.customLocationName, help: "A name for the place."),
                Field(10, "hidesLocation", \.hidesLocation, help: "Whether apps leave the place out."),
                Field(11, "address", \.address, help: "The address."),
                Field(12, "organization", \.organization, help: "The organization that runs it."),
            ] + others + [Field(14, "status", \.status, help: "Whether all of it is there.")])
    }

    public init(id: ID, record: borrowing RecordView) throws(WireError) { self = try Kind.item(id, record) }

    public static func append(
        id: UUID, record: borrowing RecordView, to entities: inout [Item<Kind>]
    ) throws(WireError) -> Bool {
        try Kind.append(id: id, record: record, to: &entities)
    }

    /// Compiled for each kind.
    @inline(__always)
    init(reading record: borrowing RecordView, _ id: ID) throws(WireError) {
        self.init(id: id)
        try read(record)
    }

    public mutating func setTimes(created: Date?, updated: Date?) { (createdAt, updatedAt) = (created, updated) }
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

    /// What `reservation` is called on a ticket.
    public var confirmation: String {
        get { reservation }
        set { reservation = newValue }
    }
}
