import EventLog
public import Events
import TripProjections
import Trips

/// The end of a page. It names the query, and the last row by its position in the order and not by its number, so that
/// no row is repeated or left out when events arrive between two pages.
public struct PageCursor: Sendable, Hashable, TextCoded {
    /// The list in which it is a place: the first byte.
    private enum Kind: UInt8 {
        /// Commits in the order of the log: the position of the last one (8), and the fingerprint of the filter that they pass.
        case commits = 8
        /// The newest first.
        case reversedCommits = 9
        /// The rows of a `Query` or a search: its fingerprint (8), and the values by which rows are sorted, or what counts, of the last one.
        case rows = 10
        /// The rows of a `Query` that a view has in order: its fingerprint (8), and the position of the last one in the view.
        case view = 11

        func hasSize(_ count: Int) -> Bool {
            switch self {
            case .commits, .reversedCommits: count == 9 + AuditFilter.fingerprintSize
            // The values have at least the row's id.
            case .rows: count >= 9 + 16
            case .view: OrderedView.positionSizes.contains(count - 9)
            }
        }
    }

    private let kind: Kind
    /// The bytes after the kind.
    private let bytes: [UInt8]

    private init(_ kind: Kind, _ bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }

    init<Entity: TripEntity>(_ query: Query<Entity>, _ values: RecordQuery.SortValues) {
        self.init(.rows, query.fingerprint.bigEndianBytes + values.bytes)
    }

    init<Entity: TripEntity>(_ query: Query<Entity>, position: [UInt8]) {
        self.init(.view, query.fingerprint.bigEndianBytes + position)
    }

    init(after hit: SearchCandidate, _ request: SearchRequest) {
        self.init(.rows, request.fingerprint.bigEndianBytes + UInt32(hit.score).bigEndianBytes + hit.entity.bytes)
    }

    init(after position: Position, _ filter: AuditFilter) {
        self.init(
            filter.isReversed ? .reversedCommits : .commits, position.rawValue.bigEndianBytes + filter.fingerprint)
    }

    /// From `description`; nil for anything else.
    public init?(_ description: String) {
        guard let bytes = [UInt8](hexadecimal: description), let kind = bytes.first.flatMap({ Kind(rawValue: $0) }),
            kind.hasSize(bytes.count)
        else { return nil }
        self.init(kind, Array(bytes[1...]))
    }

    /// Text to store or to pass on.
    public var description: String { ([kind.rawValue] + bytes).hexadecimal }

    /// The start of the first page of a query that a view has in order; nil for another query.
    package static func start<Entity: TripEntity>(of query: Query<Entity>) -> PageCursor? {
        query.orderedView.map { PageCursor(query, position: $0.start) }
    }

    /// Whether it belongs to that query.
    package func belongs<Entity: TripEntity>(to query: Query<Entity>) -> Bool { rest(.view, query.fingerprint) != nil }

    /// The position of a row in the view that has a query in order. Throws `TripStoreError.Code.invalidCursor` if the cursor belongs to
    /// another query.
    func position<Entity: TripEntity>(
        in query: Query<Entity>, _ view: OrderedView
    ) throws(TripStoreError) -> [UInt8] {
        guard let place = rest(.view, query.fingerprint), place.count == view.positionSize else {
            throw invalid(in: query.words)
        }
        return place
    }

    /// Throws `TripStoreError.Code.invalidCursor` if the cursor is not one of the commits that pass a filter, in its order.
    func position(in filter: AuditFilter) throws(TripStoreError) -> Position {
        guard kind == (filter.isReversed ? .reversedCommits : .commits),
            bytes.dropFirst(8).elementsEqual(filter.fingerprint)
        else { throw invalid(in: Self.words(filter.isReversed)) }
        return Position(bytes.withUnsafeBytes { $0.bigEndian(UInt64.self) })
    }

    /// Throws `TripStoreError.Code.invalidCursor` if the cursor belongs to another query.
    func sortValues<Entity: TripEntity>(
        in query: Query<Entity>, _ compiled: RecordQuery
    ) throws(TripStoreError) -> RecordQuery.SortValues {
        guard let values = rest(.rows, query.fingerprint).flatMap({ compiled.sortValues($0) }) else {
            throw invalid(in: query.words)
        }
        return values
    }

    /// Throws `TripStoreError.Code.invalidCursor` if the cursor belongs to another search.
    func hit(in request: SearchRequest) throws(TripStoreError) -> SearchCandidate {
        guard let hit = rest(.rows, request.fingerprint), hit.count == 22,
            let entity = hit.withUnsafeBytes({ EntityReference($0.part(from: 4)) })
        else { throw invalid(in: request.words) }
        return SearchCandidate(entity, score: Int(hit.withUnsafeBytes { $0.bigEndian(UInt32.self) }))
    }

    /// The bytes after the fingerprint of a query; nil if the cursor is none of it.
    private func rest(_ kind: Kind, _ fingerprint: UInt64) -> [UInt8]? {
        guard self.kind == kind, bytes.starts(with: fingerprint.bigEndianBytes) else { return nil }
        return Array(bytes.dropFirst(8))
    }

    private func invalid(in words: String) -> TripStoreError {
        let own =
            switch kind {
            case .commits, .reversedCommits:
                Self.words(kind == .reversedCommits) + ", by another filter or in another order"
            case .rows, .view: "rows of another query"
            }
        return TripStoreError(
            .invalidCursor,
            "The cursor \(self) is of the \(own), and this query is for the \(words). Go on with the query that it came from."
        )
    }

    private static func words(_ isReversed: Bool) -> String { isReversed ? "commits, the newest first" : "commits" }
}
