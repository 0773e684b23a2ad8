import Events
import Foundation

/// The kinds of entities that are items: for conditions that all of them share.
public protocol ItemEntity: TripEntity {}

/// A part of a trip: an activity, a lodging or a transportation.
public struct Item<Kind: ItemKind>: ItemEntity, NumberedEntity {
    public let id: Identifier<Item<Kind>>
    public var name = ""
    /// The trip that the item belongs to; an item without one is unfiled, which only a merge or a peer can cause.
    public var trip: Trip.ID?
    /// When the item starts, in real time, with the zone of the place; nil while it is open.
    public var start: Moment?
    /// When the item ends, as written: a merge of two edits may put it before the start. See `effectiveEnd`.
    public var end: Moment?
    /// The cost; negative for a refund. See `countedCost` for the part that sums over a trip count.
    public var cost: Money?
    public var paid = PaidStatus.none
    /// How far the plan has come.
    public var stage = PlanningStage.planned
    /// The booking number.
    public var reservation = ""
    public var notes = ""
    /// The name of its place, where the address does not say it.
    public var customLocationName = ""
    /// Whether apps hide its place.
    public var hidesLocation = false
    public var address: Address?
    /// The provider.
    public var organization: Organization.ID?
    /// Whether all of it is there.
    public var status = ProcessingStatus.ready
    /// Of transportations alone.
    var storedMode = TransportationMode.other
    var rare = Rare<RareItemValues>()
    var state = StoredState()

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

    init(blank id: ID) { self.id = id }

    /// The end, but no earlier than the start.
    public var effectiveEnd: Moment? {
        guard let end, let start else { return end }
        return end.milliseconds < start.milliseconds ? start : end
    }

    /// The last day, but no earlier than the first.
    public var effectiveEndDay: Day? { endDay.map { max($0, startDay ?? $0) } }

    /// The first day of an item without a clock time; `start` wins over it. Calendar days have no zone.
    public var startDay: Day? {
        get { rare.startDay }
        set { rare.startDay = newValue }
    }

    /// The last day, as written, of a stay that of leaving; `end` wins over it. See `effectiveEndDay`.
    public var endDay: Day? {
        get { rare.endDay }
        set { rare.endDay = newValue }
    }

    /// The amount that is paid, of a deposit for instance; nil if nobody noted it.
    public var paidAmount: Money? {
        get { rare.paidAmount }
        set { rare.paidAmount = newValue }
    }

    /// The category of its cost, in the planner's words: "food", "museums".
    public var category: String {
        get { rare.category }
        set { rare.category = newValue }
    }

    /// Addresses on the web. Setting them writes which were added, removed, moved and replaced: concurrent additions all count.
    public var links: [Link] {
        get { self[OwnList(.links)] }
        set { self[OwnList(.links)] = newValue }
    }

    /// The people to turn to, likewise.
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
    static var builtInSchema: Schema<Item<Kind>> { Kind.schema }

    /// The fields of every kind of items, and `others`; numbers are shared by all kinds. `reservation` is what a kind calls the number of a
    /// booking, `also` a property for it.
    static func schema(
        _ kind: EntityKind, _ name: String, _ reader: EntityReader<Item<Kind>>, reservation: String = "reservation",
        also: [any PartialKeyPath<Item<Kind>> & Sendable] = [],
        spans: [(PartialKeyPath<Item<Kind>>, PartialKeyPath<Item<Kind>>)] = [], and others: [Field<Item<Kind>>] = []
    ) -> Schema<Item<Kind>> {
        Schema(
            kind, name, reader, spans: [(\.start, \.end), (\.startDay, \.endDay)] + spans,
            [
                Field(builtIn: 1, "name", \.name, .name, search: .name, help: .common("The name.")),
                Field(builtIn: 2, "trip", \.trip, .parent, help: .common("The trip that the item belongs to.")),
                Field(builtIn: 3, "start", \.start, help: .common("When it starts.")),
                Field(builtIn: 4, "end", \.end, help: .common("When it ends.")),
                Field(
                    builtIn: 16, "startDay", \.startDay, in: \.rare, \.startDay,
                    help: "The first day, for an item without a time; the start wins."),
                Field(
                    builtIn: 17, "endDay", \.endDay, in: \.rare, \.endDay,
                    help: "The last day, of a stay that of leaving, for an item without a time; the end wins."),
                Field(builtIn: 15, "stage", \.stage, help: "How far the plan has come."),
                Field(builtIn: 5, "cost", \.cost, help: .common("The cost.")),
                Field(builtIn: 6, "paid", \.paid, help: .common("What has been paid.", about: .money)),
                Field(
                    builtIn: 18, "paidAmount", \.paidAmount, in: \.rare, \.paidAmount,
                    help: "The amount that has been paid, where it is not all."),
                Field(
                    builtIn: 19, "category", \.category, in: \.rare, \.category, search: .tag,
                    help: "What it counts as, as food."),
                Field(
                    builtIn: 7, reservation, \.reservation, also: also, search: .code,
                    help: "The number of the \(reservation)."),
                Field(builtIn: 8, "notes", \.notes, search: .notes, help: .common("Notes.")),
                Field(
                    builtIn: 9, "customLocationName", \.customLocationName, search: .place,
                    help: .common("A name for the place.")),
                Field(
                    builtIn: 10, "hidesLocation", \.hidesLocation,
                    help: .about(.place, "Whether apps leave the place out.")),
                Field(builtIn: 11, "address", \.address, search: .address, help: "The address."),
                Field(
                    builtIn: 12, "organization", \.organization,
                    help: .about(.people, "The organization that runs it.")),
            ] + others + [
                Field(builtIn: 14, "status", \.status, help: .about(.more, "Whether all of it is there.")),
                .added(.links, as: [\.links]), .added(.contacts, as: [\.contacts]),
                .added(.participants, as: [\.participants]), .added(.payer, as: [\.payer]), .added(.split),
                .added(.parts), .added(.amounts), .added(.supersedes),
            ])
    }

    /// Compiled for each kind.
    @inline(__always)
    init(reading record: borrowing RecordView, _ id: ID) throws(WireError) {
        self.init(blank: id)
        try read(record)
    }
}
