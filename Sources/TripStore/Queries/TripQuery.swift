import EventLog
import Events
import Foundation
public import TripProjections
public import Trips

/// Which trips to list, and in which order.
public struct TripQuery: Sendable, Hashable {
    let listing: TripsByDate

    init(_ range: TripsByDate.Range, _ isReversed: Bool) {
        listing = TripsByDate(range, isReversed: isReversed)
    }

    /// All that have a date, by their first day.
    public static let dated = TripQuery(.dated, false)

    /// Those without a date, by when they were created.
    public static let undated = TripQuery(.undated, false)

    /// Those whose first day lies in a range.
    public static func starting(in days: Range<Day>) -> TripQuery { TripQuery(.starting(days), false) }

    /// Those whose first day lies in a range that includes its last day: the only way to name the last day of the calendar.
    public static func starting(in days: ClosedRange<Day>) -> TripQuery { starting(in: Range(including: days)) }

    /// Those of which at least one day lies in a range, by their first day.
    public static func overlapping(_ days: Range<Day>) -> TripQuery { TripQuery(.overlapping(days), false) }

    /// Those of which at least one day lies in a range that includes its last day, by their first day.
    public static func overlapping(_ days: ClosedRange<Day>) -> TripQuery { overlapping(Range(including: days)) }

    /// The same trips from the last to the first.
    public var reversed: TripQuery { TripQuery(listing.range, !listing.isReversed) }

    /// Which trips, for messages.
    var words: String {
        let trips =
            switch listing.range {
            case .dated: "trips with a date"
            case .undated: "trips without a date"
            case .starting(let days): "trips that start from \(days.lowerBound) until before \(days.upperBound)"
            case .overlapping(let days): "trips with a day from \(days.lowerBound) until before \(days.upperBound)"
            }
        return listing.isReversed ? "\(trips), the last first" : trips
    }
}

extension Range<Day> {
    fileprivate init(including days: ClosedRange<Day>) { self = days.lowerBound..<days.upperBound.nextBound }
}

/// A trip in a list, with what its items add up to.
public struct TripRow: Sendable, Hashable, Identifiable {
    public let trip: Trip
    public let totals: Totals

    public init(trip: Trip, totals: Totals) {
        self.trip = trip
        self.totals = totals
    }

    public var id: Trip.ID { trip.id }
    public var itemCount: Int { totals.itemCount }
    /// What the items cost, exactly, a sum for each currency.
    public var costs: [CostSum] { totals.costs }
}
