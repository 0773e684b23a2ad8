public import EventLog
import Events
import Foundation
public import TripProjections
public import Trips

/// Which trips to list, and in which order.
public struct TripQuery: Sendable, Hashable {
    let listing: TripsByDate

    private init(_ range: TripsByDate.Range, _ isReversed: Bool) {
        listing = TripsByDate(range, isReversed: isReversed)
    }

    /// All that have a date, by their first day.
    public static let dated = TripQuery(.dated, false)

    /// Those without a date, by when they were created.
    public static let undated = TripQuery(.undated, false)

    /// Those whose first day lies in a range.
    public static func starting(in days: Range<Day>) -> TripQuery { TripQuery(.starting(days), false) }

    /// Those of which at least one day lies in a range, by their first day.
    public static func overlapping(_ days: Range<Day>) -> TripQuery { TripQuery(.overlapping(days), false) }

    /// The same trips from the last to the first.
    public var reversed: TripQuery { TripQuery(listing.range, !listing.isReversed) }
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

/// Some rows of a longer answer.
public struct Page<Row: Sendable>: Sendable {
    public let rows: [Row]
    /// Where the next page begins; nil if this is the last.
    public let next: PageCursor?
    /// Up to which commit of the log the page holds.
    public let position: Position
}

extension Page: Equatable where Row: Equatable {}

/// All rows of an answer.
public struct Rows<Row: Sendable>: Sendable, RandomAccessCollection {
    private let rows: [Row]
    /// Up to which commit of the log the answer holds.
    public let position: Position

    init(_ rows: [Row], _ position: Position) {
        self.rows = rows
        self.position = position
    }

    public var startIndex: Int { rows.startIndex }
    public var endIndex: Int { rows.endIndex }
    public subscript(index: Int) -> Row { rows[index] }
}

/// Where a page ended. It names the last row by its place in the order and not by its number, so that no row is shown
/// twice or left out when events arrive between two pages.
public struct PageCursor: Sendable, Hashable, Codable, LosslessStringConvertible {
    private let kind: UInt8
    private let bytes: [UInt8]

    init(_ query: TripQuery, _ place: TripsByDate.Place) {
        kind = Self.kind(of: query)
        bytes = place.bytes
    }

    /// From `description`; nil for anything else.
    public init?(_ description: String) {
        guard let decoded = [UInt8](hexadecimal: description), let kind = decoded.first, kind <= 1,
            decoded.count == (kind == 1 ? 25 : 21)
        else { return nil }
        self.kind = kind
        bytes = Array(decoded.dropFirst())
    }

    /// Text to keep or to pass on.
    public var description: String { ([kind] + bytes).hexadecimal }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let cursor = PageCursor(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is no cursor of a page")
        }
        self = cursor
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    private static func kind(of query: TripQuery) -> UInt8 { query.listing.range == .undated ? 1 : 0 }

    func place(in query: TripQuery) throws(TripStoreError) -> TripsByDate.Place {
        guard kind == Self.kind(of: query) else {
            throw TripStoreError(
                .invalidCursor,
                "The cursor \(self) is of a list of \(kind == 1 ? "undated" : "dated") trips. "
                    + "Go on with the query that it came from.")
        }
        return TripsByDate.Place(bytes)
    }
}
