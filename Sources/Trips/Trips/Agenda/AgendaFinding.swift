/// Something in a trip that cannot work as it is planned, or was forgotten.
///
/// Items that are ideas or cancelled have no findings, and neither have trips that are. Items in which different people take part do not
/// meet: two of them overlap, or follow each other, only if one of them has no participants of its own or both have one in common.
public struct AgendaFinding: Hashable, Sendable, Identifiable {
    /// A kind of problem. Later versions may add further ones.
    public enum Problem: Sendable, CaseIterable {
        /// Two activities, or an activity and a journey, at one time; or two stays for the same nights. `items` are the two, the one that
        /// begins first before the other; `from` and `until` bound the time that they share, and are nil for stays.
        case overlap
        /// Nights inside of the trip's days without a stay and not spent on a journey. `days` are those that the nights follow.
        case noBed
        /// An item begins before one can be there from the one before it. `items` are these two, `from` is when the first ends, `until` when
        /// the second begins; see `neededMinutes`.
        case missedConnection
        /// An item is on days outside of its trip's. `items` is that one, `days` are its own.
        case outsideOfTrip
    }

    /// One problem of a trip is found once for the same items and day.
    public struct ID: Hashable, Sendable {
        package let problem: Problem
        package let trip: Trip.ID
        package let items: [TripItem.ID]
        package let day: Day
    }

    public let problem: Problem
    public let trip: Trip.ID
    public let items: [TripItem]
    /// The days on which it matters.
    public let days: ClosedRange<Day>
    /// By the traveller's clocks.
    public let from: Moment?
    public let until: Moment?
    /// The least time that a connection takes, in whole minutes, rounded up: 0 for one that departs before the other arrives, 30 between places of
    /// which only different codes are known, and by distance as long as by road at 130 km/h, or by air at 900 km/h and an hour on the
    /// ground, whichever is shorter. Places less than a kilometre apart are one. Nil for other problems.
    public let neededMinutes: Int?

    init(
        _ problem: Problem, _ trip: Trip.ID, _ items: [TripItem], on days: ClosedRange<Day>, from: Moment? = nil,
        until: Moment? = nil, neededMinutes: Int? = nil
    ) {
        self.problem = problem
        self.trip = trip
        self.items = items
        self.days = days
        self.from = from
        self.until = until
        self.neededMinutes = neededMinutes
    }

    public var id: ID { ID(problem: problem, trip: trip, items: items.map(\.id), day: days.lowerBound) }

    /// By days, then in the order of problems, then by what is concerned.
    static func isBefore(_ a: AgendaFinding, _ b: AgendaFinding) -> Bool { a.key.lexicographicallyPrecedes(b.key) }

    private var key: [String] {
        let number = Problem.allCases.firstIndex(of: problem) ?? 0
        return ["\(days.lowerBound)", "\(number)", "\(trip)"] + items.map { "\($0.id)" }
    }
}
