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
    /// What it costs; negative for a refund.
    var cost: Money? { get set }
    var paid: PaidStatus { get set }
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
}
