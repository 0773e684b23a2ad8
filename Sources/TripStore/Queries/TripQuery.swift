import EventLog
import Events
import Foundation
public import TripProjections
public import Trips

/// The trips to list, and their order.
public struct TripQuery: Sendable, Hashable {
    let listing: TripsByDate

    init(_ range: TripsByDate.Range, _ isReversed: Bool) {
        listing = TripsByDate(range, isReversed: isReversed)
    }

    /// All trips with a date, by their first day.
    public static let dated = TripQuery(.dated, false)

    /// Those without a date, by their creation.
    public static let undated = TripQuery(.undated, false)

    /// Those with their first day in a range.
    public static func starting(in days: Range<Day>) -> TripQuery { TripQuery(.starting(days), false) }

    /// Those with their first day in a range that includes its last day: the only way to name the last day of the
    /// calendar.
    public static func starting(in days: ClosedRange<Day>) -> TripQuery { starting(in: Range(including: days)) }

    /// Those with at least one day in a range, by their first day.
    public static func overlapping(_ days: Range<Day>) -> TripQuery { TripQuery(.overlapping(days), false) }

    /// Those with at least one day in a range that includes its last day, by their first day.
    public static func overlapping(_ days: ClosedRange<Day>) -> TripQuery { overlapping(Range(including: days)) }

    /// The same trips from the last to the first.
    public var reversed: TripQuery { TripQuery(listing.range, !listing.isReversed) }

    /// The query in words, for messages.
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

/// A trip in a list, with the totals of its items.
public struct TripRow: Sendable, Hashable, Identifiable {
    public let trip: Trip
    public let totals: Totals

    public init(trip: Trip, totals: Totals) {
        self.trip = trip
        self.totals = totals
    }

    public var id: Trip.ID { trip.id }
    public var itemCount: Int { totals.itemCount }
    /// The exact costs of the items, a sum for each currency.
    public var costs: [CostSum] { totals.costs }
}
