public import TripStore
import Trips

/// An item as a file of another program describes it. What is nil the file does not say.
public struct ForeignItem: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case activity, lodging, transportation

        var entityKind: EntityKind {
            switch self {
            case .activity: .activity
            case .lodging: .lodging
            case .transportation: .transportation
            }
        }
    }

    public var kind: Kind
    public var name: String
    public var start: Moment??
    public var end: Moment??
    public var startDay: Day??
    public var endDay: Day??
    /// Whether its times are those that a calendar shows, and not the fields: an item that a calendar shows with them stays as it is.
    public var areTimesShown = false
    /// The check-in of a stay; other items have none.
    public var checkIn: Moment??
    /// The check-out of a stay; other items have none.
    public var checkOut: Moment??
    public var stage: PlanningStage?
    public var cost: Money??
    public var paid: PaidStatus?
    public var paidAmount: Money??
    public var reservation: String?
    public var notes: String?
    public var category: String?
    public var customLocationName: String?
    public var hidesLocation: Bool?
    public var address: Address??
    public var links: [Link]?
    public var contacts: [Contact]?
    public var organization: ForeignOrganization?
    public var mode: TransportationMode?
    public var carrier: String?
    public var number: String?
    public var seat: String?
    public var travelClass: String?
    public var departure: TravelPlace?
    public var arrival: TravelPlace?

    /// Why it may be of another kind, for people; nil if nothing says so.
    var doubt: String?

    /// Whether only the stage counts: the file says that the item does not take place, and nothing else of it.
    public private(set) var isCancellation = false

    public init(_ kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    /// Says of an item that it does not take place.
    static var cancelled: ForeignItem {
        var item = ForeignItem(.activity, name: untitled)
        (item.isCancellation, item.stage) = (true, .cancelled)
        return item
    }

    /// The days on which it is, by the clocks of its places; nil without any.
    public var days: ClosedRange<Day>? {
        ItemEnds(
            of: kind.entityKind, start: start ?? nil, end: end ?? nil, startDay: startDay ?? nil, endDay: endDay ?? nil,
            checkIn: checkIn ?? nil, checkOut: checkOut ?? nil
        ).span
    }

    /// The item as one of another kind, on the same days: the last day of a stay is that of leaving.
    func taken(as other: EntityKind) -> ForeignItem {
        guard other != kind.entityKind, let kind = Kind.allCases.first(where: { $0.entityKind == other }) else {
            return self
        }
        var taken = self
        taken.kind = kind
        if let last = endDay ?? nil {
            // A stay may end on its first day.
            let moved = EntityForms.lastDay(last, from: self.kind.entityKind, to: other)
            taken.endDay = .some(last == (startDay ?? nil) ? max(moved, last) : moved)
        }
        return taken
    }

    /// Sets the fields that the file has, except the trip and those of one kind.
    ///
    /// Files have whole seconds and one kind of line break: a time of the same second stays, as does a text with the same lines.
    /// - Parameter keepsLinks: whether links that the file lacks stay.
    public func set<Kind>(on item: inout Item<Kind>, keepsLinks: Bool = false) {
        guard !isCancellation else {
            item.stage = .cancelled
            return
        }
        // A stored item without a name, which only a peer can write, stays without.
        if name != Self.untitled || !item.name.isEmpty || item.createdAt == nil { Self.take(name, &item.name) }
        setTimes(on: &item)
        if let stage { item.stage = stage }
        if let cost { item.cost = cost }
        if let paid { item.paid = paid }
        if let paidAmount { item.paidAmount = paidAmount }
        Self.take(reservation, &item.reservation)
        Self.take(notes, &item.notes)
        Self.take(category, &item.category)
        Self.take(customLocationName, &item.customLocationName)
        if let hidesLocation { item.hidesLocation = hidesLocation }
        if let address { item.address = address }
        if let links {
            let taken = item.links.taking(links, keepsOthers: keepsLinks)
            if taken != item.links { item.links = taken }
        }
        if let contacts, !contacts.elementsEqual(item.contacts, by: Self.isSame) { item.contacts = contacts }
        // One without a name is not there.
        if let organization, !organization.name.isEmpty, organization.id != item.organization {
            item.organization = organization.id
        }
    }

    /// The summary of an event whose item has no name.
    static let untitled = "Untitled"

    private func setTimes<Kind>(on item: inout Item<Kind>) {
        if areTimesShown, let shown = ItemTimes(TimeFields(item)), shown.isSame(as: EventSpan(self)) { return }
        if let start { Self.take(start, item.start) { item.start = $0 } }
        if let end { Self.take(end, item.effectiveEnd) { item.end = $0 } }
        if let startDay { item.startDay = startDay }
        if let endDay, endDay != item.effectiveEndDay { item.endDay = endDay }
    }

    /// Sets the fields that stays alone have.
    public func setStay(on item: inout Lodging) {
        if let checkIn { Self.take(checkIn, item.checkIn) { item.checkIn = $0 } }
        if let checkOut { Self.take(checkOut, item.checkOut) { item.checkOut = $0 } }
    }

    /// A zone that is not known here stays where it is, and comes as UTC elsewhere.
    private static func take(_ new: Moment?, _ held: Moment?, _ set: (Moment?) -> Void) {
        guard !isSame(new, held) else { return }
        set(new.map { $0.timeZone == nil ? Moment(milliseconds: $0.milliseconds, zone: "UTC") : $0 })
    }

    private static func isSame(_ a: Moment?, _ b: Moment?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        // Most files have whole seconds.
        let isSameTime =
            a.milliseconds % 1000 == 0 ? a.wholeSeconds == b.wholeSeconds : a.milliseconds == b.milliseconds
        return a.zone == b.zone && isSameTime
    }

    private static func isSame(_ a: Contact, _ b: Contact) -> Bool {
        [a.name, a.phone, a.email, a.role] == [b.name, b.phone, b.email, b.role]
    }

    /// Takes a text, unless a calendar would write the one that is held the same.
    static func take(_ new: String?, _ held: inout String) {
        guard let new, new != held, CalendarWriter.escaped(new) != CalendarWriter.escaped(held) else { return }
        held = new
    }

    /// Sets the fields that transportations alone have.
    public func setTravel(on item: inout Transportation) {
        if let mode { item.mode = mode }
        if let carrier { item.carrier = carrier }
        if let number { item.number = number }
        if let seat { item.seat = seat }
        if let travelClass { item.travelClass = travelClass }
        if let departure { item.departure.take(departure) }
        if let arrival { item.arrival.take(arrival) }
    }
}

extension TravelPlace {
    /// Takes the name and the code of another place, and the rest where it has any.
    fileprivate mutating func take(_ other: TravelPlace) {
        (name, code) = (other.name, other.code)
        if !other.terminal.isEmpty { terminal = other.terminal }
        if !other.gate.isEmpty { gate = other.gate }
        if let address = other.address { self.address = address }
    }
}

/// An organization that a file names with an item.
public struct ForeignOrganization: Hashable, Sendable {
    public let id: Organization.ID
    /// Empty if the store that wrote the file does not have it.
    public let name: String
    public let phone: String
    public let email: String
    public let website: String
}
