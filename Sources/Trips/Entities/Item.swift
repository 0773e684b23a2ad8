public import Events
public import Foundation

/// The common fields of all items, of any kind: for code that takes any of them.
public protocol ItemEntity: TripEntity {
    var name: String { get set }
    /// The trip that it belongs to; an item without one is unfiled, which only a merge or a peer can cause.
    var trip: Trip.ID? { get set }
    /// When it starts, in real time, with the zone of the place; nil while it is open.
    var start: Moment? { get set }
    /// When it ends, as written: a merge of two edits may put it before the start. See `effectiveEnd`.
    var end: Moment? { get set }
    /// The end, but no earlier than the start.
    var effectiveEnd: Moment? { get }
    /// The first day of an item without a clock time; `start` wins over it. Calendar days have no zone.
    var startDay: Day? { get set }
    /// The last day, as written, of a stay that of leaving; `end` wins over it. See `effectiveEndDay`.
    var endDay: Day? { get set }
    /// The last day, but no earlier than the first.
    var effectiveEndDay: Day? { get }
    /// How far the plan has come.
    var stage: PlanningStage { get set }
    /// The cost; negative for a refund. See `countedCost` for what sums over a trip count.
    var cost: Money? { get set }
    var paid: PaidStatus { get set }
    /// The amount that is paid, of a deposit for instance; nil if nobody noted it.
    var paidAmount: Money? { get set }
    /// The category of its cost, in the planner's words: "food", "museums".
    var category: String { get set }
    /// The booking number.
    var reservation: String { get set }
    var notes: String { get set }
    /// The name of its place, where the address does not say it.
    var customLocationName: String { get set }
    /// Whether apps hide its place.
    var hidesLocation: Bool { get set }
    var address: Address? { get set }
    /// The provider.
    var organization: Organization.ID? { get set }
    /// Whether all of it is there.
    var status: ProcessingStatus { get set }
    /// Addresses on the web. Setting them writes which were added, removed, moved and replaced: concurrent additions all count.
    var links: [Link] { get set }
    /// Whom to turn to, likewise.
    var contacts: [Contact] { get set }
}

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
    var rare = Rare<RareItemValues>()
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

    public var startDay: Day? {
        get { rare.startDay }
        set { rare.startDay = newValue }
    }

    public var endDay: Day? {
        get { rare.endDay }
        set { rare.endDay = newValue }
    }

    public var paidAmount: Money? {
        get { rare.paidAmount }
        set { rare.paidAmount = newValue }
    }

    public var category: String {
        get { rare.category }
        set { rare.category = newValue }
    }

    public var links: [Link] {
        get { self[OwnList(.links)] }
        set { self[OwnList(.links)] = newValue }
    }

    public var contacts: [Contact] {
        get { self[OwnList(.contacts)] }
        set { self[OwnList(.contacts)] = newValue }
    }
}

/// The values that few items have. Which kinds have which says their schema.
struct RareItemValues: RareValues {
    static let blank = RareItemValues()

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
    public static var schema: Schema<Item<Kind>> { Kind.schema }

    public static var kind: EntityKind { Kind.entityKind }

    /// The fields of every kind of items, and `others`; numbers are shared by all kinds. `reservation` is what a kind calls the number of a
    /// booking, `also` a property for it.
    static func schema(
        _ name: String, reservation: String = "reservation", also: [any PartialKeyPath<Item<Kind>> & Sendable] = [],
        spans: [(PartialKeyPath<Item<Kind>>, PartialKeyPath<Item<Kind>>)] = [], and others: [Field<Item<Kind>>] = []
    ) -> Schema<Item<Kind>> {
        Schema(
            kind, name, spans: [(\.start, \.end), (\.startDay, \.endDay)] + spans,
            [
                Field(1, "name", \.name, .name, search: .name, help: "The name."),
                Field(2, "trip", \.trip, .parent, help: "The trip that the item belongs to."),
                Field(3, "start", \.start, help: "When it starts."),
                Field(4, "end", \.end, help: "When it ends."),
                Field(
                    16, "startDay", \.startDay, in: \.rare, \.startDay,
                    help: "The first day, for an item without a time; the start wins."),
                Field(
                    17, "endDay", \.endDay, in: \.rare, \.endDay,
                    help: "The last day, of a stay that of leaving, for an item without a time; the end wins."),
                Field(15, "stage", \.stage, help: "How far the plan has come."),
                Field(5, "cost", \.cost, help: "The cost."),
                Field(6, "paid", \.paid, help: "What has been paid."),
                Field(
                    18, "paidAmount", \.paidAmount, in: \.rare, \.paidAmount,
                    help: "The amount that has been paid, where it is not all."),
                Field(
                    19, "category", \.category, in: \.rare, \.category, search: .tag,
                    help: "What it counts as, as food."),
                Field(
                    7, reservation, \.reservation, also: also, search: .code, help: "The number of the \(reservation)."),
                Field(8, "notes", \.notes, search: .notes, help: "Notes."),
                Field(
                    9, "customLocationName", \.customLocationName, search: .place, help: "A name for the place."),
                Field(10, "hidesLocation", \.hidesLocation, help: "Whether apps leave the place out."),
                Field(11, "address", \.address, search: .address, help: "The address."),
                Field(12, "organization", \.organization, help: "The organization that runs it."),
            ] + others + [
                Field(14, "status", \.status, help: "Whether all of it is there."),
                .added(.links, as: [\.links]), .added(.contacts, as: [\.contacts]), .added(.participants),
                .added(.payer),
                .added(.split),
                .added(.parts), .added(.amounts),
            ])
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
