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
    /// The last day, as written; `end` wins over it. See `effectiveEndDay`.
    var endDay: Day? { get set }
    /// The last day, but no earlier than the first.
    var effectiveEndDay: Day? { get }
    /// How far the plan has come.
    var stage: PlanningStage { get set }
    /// What it costs; negative for a refund. See `countedCost` for what sums over a trip count.
    var cost: Money? { get set }
    var paid: PaidStatus { get set }
    /// The amount that is paid, of a deposit for instance; nil if nobody noted it.
    var paidAmount: Money? { get set }
    /// What its cost counts as, in the planner's words: "food", "museums".
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
