/// What all items have, whatever their kind: for code that takes any of them.
public protocol ItemEntity: TripEntity where Field == ItemField {
    var name: String { get set }
    /// The trip that it belongs to; an item without one is unfiled, which only a merge or a peer brings about.
    var trip: Trip.ID? { get set }
    /// When it starts, in real time, with the zone of the place; nil while it is open.
    var start: Moment? { get set }
    /// When it ends, as written: a merge of two edits may put it before the start. See `effectiveEnd`.
    var end: Moment? { get set }
    /// The end, taken as no earlier than the start.
    var effectiveEnd: Moment? { get }
    /// What it costs; negative for a refund.
    var cost: Money? { get set }
    var paid: PaidStatus { get set }
    /// The number under which it is booked.
    var reservation: String { get set }
    var notes: String { get set }
    /// What to call its place, where the address does not say it.
    var customLocationName: String { get set }
    /// Whether apps leave its place out.
    var hidesLocation: Bool { get set }
    var address: Address? { get set }
    /// Who runs it.
    var organization: Organization.ID? { get set }
}
