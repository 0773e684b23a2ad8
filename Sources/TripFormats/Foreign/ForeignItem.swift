public import TripStore

/// An item as a file of another program describes it. What is nil the file does not say.
public struct ForeignItem: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable { case activity, lodging, transportation }

    public var kind: Kind
    public var name: String
    public var start: Moment??
    public var end: Moment??
    public var startDay: Day??
    public var endDay: Day??
    public var stage: PlanningStage?
    public var cost: Money??
    public var paid: PaidStatus?
    public var reservation: String?
    public var notes: String?
    public var category: String?
    public var customLocationName: String?
    public var hidesLocation: Bool?
    public var address: Address??
    public var links: [Link]?
    public var mode: TransportationMode?
    public var carrier: String?
    public var number: String?
    public var seat: String?
    public var travelClass: String?
    public var departure: TravelPlace?
    public var arrival: TravelPlace?

    public init(_ kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    /// The days on which it is, by the clocks of its places; nil without any.
    public var days: ClosedRange<Day>? {
        let days = [start??.localDay, end??.localDay, startDay ?? nil, endDay ?? nil].compactMap { $0 }
        guard let first = days.min(), let last = days.max() else { return nil }
        return first...last
    }

    /// Sets the fields that the file has, except the trip and those of one kind. Files have whole seconds: a time of the same second stays,
    /// as do links with the same addresses.
    public func set(on item: inout some ItemEntity) {
        item.name = name
        if let start, !Self.isSame(start, item.start) { item.start = start }
        if let end, !Self.isSame(end, item.end) { item.end = end }
        if let startDay { item.startDay = startDay }
        if let endDay { item.endDay = endDay }
        if let stage { item.stage = stage }
        if let cost { item.cost = cost }
        if let paid { item.paid = paid }
        if let reservation { item.reservation = reservation }
        // Calendars have one kind of line break.
        if let notes, notes != item.notes.replacing("\r\n", with: "\n") { item.notes = notes }
        if let category { item.category = category }
        if let customLocationName { item.customLocationName = customLocationName }
        if let hidesLocation { item.hidesLocation = hidesLocation }
        if let address { item.address = address }
        if let links, links.map(\.url) != item.links.map(\.url).filter(\.isURI) { item.links = links }
    }

    private static func isSame(_ a: Moment?, _ b: Moment?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.zone == b.zone && (a.milliseconds >= 0) == (b.milliseconds >= 0)
            && a.milliseconds / 1000 == b.milliseconds / 1000
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
