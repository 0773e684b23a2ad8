import EventLog
import Events
import TripProjections
import Trips

/// The end of a page. It names the query, and the last row by its position in the order and not by its number, so that
/// no row is repeated or left out when events arrive between two pages.
public struct PageCursor: Sendable, Hashable, Codable, LosslessStringConvertible {
    private enum Place: Sendable, Hashable {
        case trips(TripQuery, TripsByDate.RowPosition)
        /// A commit, in the order of the log or from the newest back.
        /// `filter` is the fingerprint of the filter that the commits pass.
        case commits(Position, isReversed: Bool, filter: [UInt8])
        /// The last row of a `Query`, by its fingerprint and the values by which rows are sorted.
        case rows(query: UInt64, [UInt8])
    }

    private static let commitsMark: UInt8 = 8
    private static let reversedCommitsMark: UInt8 = 9
    private static let rowsMark: UInt8 = 10

    private let place: Place

    private init(_ place: Place) { self.place = place }

    init(_ query: TripQuery, _ place: TripsByDate.RowPosition) { self.init(.trips(query, place)) }

    init<Entity: TripEntity>(_ query: Query<Entity>, _ values: RecordQuery.SortValues) {
        self.init(.rows(query: query.fingerprint, values.bytes))
    }

    init(after hit: SearchCandidate, _ request: SearchRequest) {
        self.init(.rows(query: request.fingerprint, UInt32(hit.score).bigEndianBytes + hit.entity.bytes))
    }

    init(after position: Position, _ filter: AuditFilter) {
        self.init(.commits(position, isReversed: filter.isReversed, filter: filter.fingerprint))
    }

    /// From `description`; nil for anything else.
    public init?(_ description: String) {
        guard let bytes = [UInt8](hexadecimal: description) else { return nil }
        if let mark = bytes.first, mark == Self.commitsMark || mark == Self.reversedCommitsMark {
            guard bytes.count == 9 + AuditFilter.fingerprintSize else { return nil }
            let position = Position(bytes[1..<9].withUnsafeBytes { $0.bigEndian(UInt64.self) })
            self.init(
                .commits(position, isReversed: mark == Self.reversedCommitsMark, filter: Array(bytes[9...])))
            return
        }
        if bytes.first == Self.rowsMark {
            // The values have at least the row's id.
            guard bytes.count >= 9 + 16 else { return nil }
            self.init(.rows(query: bytes[1..<9].reduce(0) { $0 << 8 | UInt64($1) }, Array(bytes[9...])))
            return
        }
        guard let (query, size) = TripQuery.decoded(bytes), bytes.count == size + query.listing.positionSize else {
            return nil
        }
        self.init(query, TripsByDate.RowPosition(Array(bytes.dropFirst(size))))
    }

    /// Text to store or to pass on.
    public var description: String {
        switch place {
        case .trips(let query, let place): (query.encoded + place.bytes).hexadecimal
        case .commits(let position, let isReversed, let filter):
            ([isReversed ? Self.reversedCommitsMark : Self.commitsMark] + position.rawValue.bigEndianBytes + filter)
                .hexadecimal
        case .rows(let query, let values): ([Self.rowsMark] + query.bigEndianBytes + values).hexadecimal
        }
    }

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

    /// The start of the first page of a query.
    package static func start(of query: TripQuery) -> PageCursor {
        let edge: UInt8 = query.listing.isReversed ? .max : 0
        return PageCursor(
            query, TripsByDate.RowPosition([UInt8](repeating: edge, count: query.listing.positionSize)))
    }

    /// Whether it belongs to that query.
    package func belongs(to query: TripQuery) -> Bool {
        if case .trips(let own, _) = place { own == query } else { false }
    }

    /// Throws `TripStoreError.invalidCursor` if the cursor belongs to another query.
    func place(in query: TripQuery) throws(TripStoreError) -> TripsByDate.RowPosition {
        guard case .trips(let own, let place) = place, own == query else { throw invalid(in: query.words) }
        return place
    }

    /// Throws `TripStoreError.invalidCursor` if the cursor is not one of the commits that pass a filter, in its order.
    func position(in filter: AuditFilter) throws(TripStoreError) -> Position {
        guard case .commits(let position, filter.isReversed, let own) = place, own == filter.fingerprint else {
            throw invalid(in: Self.words(filter.isReversed))
        }
        return position
    }

    /// Throws `TripStoreError.invalidCursor` if the cursor belongs to another query.
    func sortValues<Entity: TripEntity>(
        in query: Query<Entity>, _ compiled: RecordQuery
    ) throws(TripStoreError) -> RecordQuery.SortValues {
        guard case .rows(query.fingerprint, let bytes) = place, let values = compiled.sortValues(bytes) else {
            throw invalid(in: query.words)
        }
        return values
    }

    /// Throws `TripStoreError.invalidCursor` if the cursor belongs to another search.
    func hit(in request: SearchRequest) throws(TripStoreError) -> SearchCandidate {
        guard case .rows(request.fingerprint, let bytes) = place, bytes.count == 22,
            let entity = bytes.withUnsafeBytes({ EntityReference($0.part(from: 4)) })
        else { throw invalid(in: request.words) }
        return SearchCandidate(entity, score: Int(bytes.withUnsafeBytes { $0.bigEndian(UInt32.self) }))
    }

    private func invalid(in words: String) -> TripStoreError {
        let own =
            switch place {
            case .trips(let query, _): query.words
            case .commits(_, let isReversed, _): Self.words(isReversed) + ", by another filter or in another order"
            case .rows: "rows of another query"
            }
        return TripStoreError(
            .invalidCursor,
            "The cursor \(self) is of the \(own), and this query is for the \(words). Go on with the query that it came from."
        )
    }

    private static func words(_ isReversed: Bool) -> String { isReversed ? "commits, the newest first" : "commits" }
}

extension TripQuery {
    private static let reversedFlag: UInt8 = 4

    /// The range (the two lowest bits of a byte) and the direction (the next bit), then for a range of days the first
    /// day and the one after the last, each as days since 1970 (4 bytes, most significant first).
    fileprivate var encoded: [UInt8] {
        let (kind, days): (UInt8, Range<Day>?) =
            switch listing.range {
            case .dated: (0, nil)
            case .undated: (1, nil)
            case .starting(let days): (2, days)
            case .overlapping(let days): (3, days)
            }
        let bounds = days.map { [$0.lowerBound, $0.upperBound] } ?? []
        return [kind | (listing.isReversed ? Self.reversedFlag : 0)]
            + bounds.flatMap { UInt32(truncatingIfNeeded: $0.daysSince1970).bigEndianBytes }
    }

    /// The query at the start of some bytes, and its size; nil if there is none.
    fileprivate static func decoded(_ bytes: [UInt8]) -> (query: TripQuery, size: Int)? {
        guard let first = bytes.first, first < 2 * reversedFlag else { return nil }
        let (kind, isReversed) = (first % reversedFlag, first >= reversedFlag)
        if kind < 2 { return (TripQuery(kind == 0 ? .dated : .undated, isReversed), 1) }
        guard bytes.count >= 9, let lower = day(bytes[1..<5]), let upper = bound(bytes[5..<9]), lower <= upper else {
            return nil
        }
        return (TripQuery(kind == 2 ? .starting(lower..<upper) : .overlapping(lower..<upper), isReversed), 9)
    }

    private static func bound(_ bytes: ArraySlice<UInt8>) -> Day? {
        let days = number(bytes)
        return days == Int32(Day.last.nextBound.daysSince1970) ? Day.last.nextBound : Day(daysSince1970: days)
    }

    private static func day(_ bytes: ArraySlice<UInt8>) -> Day? { Day(daysSince1970: number(bytes)) }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
        Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }
}
