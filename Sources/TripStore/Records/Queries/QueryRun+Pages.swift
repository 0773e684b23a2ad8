import Foundation
import Trips

/// Pages of matches.
extension QueryRun {
    /// The ids of all matches, in the query's order.
    mutating func ids(in views: borrowing TripViews) throws -> [UUID] {
        let (query, isOrdered) = (query, isOrdered)
        var ids: [UUID] = []
        if case .view(let view, isWhole: true) = route {
            try view.forEachID(in: views.snapshot) { id in
                ids.append(id)
                return true
            }
            return ids
        }
        var values: [RecordQuery.SortValues] = []
        try forEachMatch(in: views) { match in
            if isOrdered { ids.append(match.id) } else { values.append(query.sortValues(match.values)) }
            return true
        }
        if isOrdered { return ids }
        return values.sorted { query.isBefore($0, $1) }.map(\.id)
    }

    /// Calls `body` with the matches of a page, in the query's order, and before them with all up to `shown`. Returns the values of the last
    /// of them if there are more.
    mutating func forEachOfPage(
        after start: RecordQuery.SortValues?, through shown: RecordQuery.SortValues?, in views: borrowing TripViews,
        _ body: (QueryMatch) throws -> Void
    ) throws -> RecordQuery.SortValues? {
        let query = query
        guard isOrdered else {
            var found = FirstRows(query, through: shown)
            try forEachMatch(after: start, in: views) { match in
                found.add(match)
                return true
            }
            let (matches, last) = found.page()
            for match in matches { try body(match) }
            return last
        }
        var count = 0
        var last: RecordQuery.SortValues?
        var hasMore = false
        try forEachMatch(after: start, in: views) { match in
            hasMore = count == query.limit
            if hasMore { return false }
            try body(match)
            if let shown, !query.isBefore(shown, query.sortValues(match.values)) { return true }
            count += 1
            if count == query.limit { last = query.sortValues(match.values) }
            return true
        }
        return hasMore ? last : nil
    }
}

/// The first rows of a query: those up to `shown`, as many more as its limit, and whether there are further ones.
private struct FirstRows {
    private let query: RecordQuery
    private let shown: RecordQuery.SortValues?
    private var found: [(match: QueryMatch, values: RecordQuery.SortValues)] = []
    /// How many are wanted; nil for all.
    private var limit: Int?

    init(_ query: RecordQuery, through shown: RecordQuery.SortValues?) {
        self.query = query
        self.shown = shown
        limit = query.limit
    }

    mutating func add(_ match: QueryMatch) {
        let values = query.sortValues(match.values)
        if let shown, !query.isBefore(shown, values) { limit = limit.map { $0 + 1 } }
        found.append((match, values))
        // Rows behind the page are dropped now and then, so that a page of a large store takes little memory.
        guard let limit, found.count > 2 * limit + 1_024 else { return }
        sort()
        found.removeSubrange((limit + 1)...)
    }

    private mutating func sort() { found.sort { query.isBefore($0.values, $1.values) } }

    /// The matches of the page, and the values of the last of them if there are more. Only these are decoded.
    mutating func page() -> (matches: [QueryMatch], last: RecordQuery.SortValues?) {
        sort()
        let page = found.prefix(limit ?? .max)
        return (page.map(\.match), page.count < found.count ? page.last?.values : nil)
    }
}
