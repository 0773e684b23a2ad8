import Events
import Foundation
import ProjectionEngine
import Trips

/// Walking an index in the order of a query.
extension QueryRun {
    /// More rows with the same values are not collected.
    private static var mostInGroup: Int { 64 }

    /// Calls `body` with the matches of an index in the query's order, only with those after a row, until it returns false.
    mutating func walk(
        _ path: IndexPath, after start: RecordQuery.SortValues?, _ views: borrowing TripViews,
        _ body: (QueryMatch) throws -> Bool
    ) throws {
        let key = start.map { path.plan.key($0, of: query) }
        for walk in path.plan.walks {
            guard let range = path.plan.rest(of: walk, after: key) else { continue }
            let goesOn =
                switch walk.reading {
                case .forwards: try forEach(in: range.bounds(), path, start, views, body)
                case .backwards: try forEach(in: range.bounds(isReversed: true), path, start, views, body)
                case .backwardsByValues: try forEachByValues(range, path, start, key, views, body)
                }
            if !goesOn { return }
        }
    }

    /// Rows with the same values, in which some text was cut, are put in order. Returns whether to go on.
    private mutating func forEach(
        in bounds: KeyBounds, _ path: IndexPath, _ start: RecordQuery.SortValues?, _ views: borrowing TripViews,
        _ body: (QueryMatch) throws -> Bool
    ) throws -> Bool {
        let rows = try views.snapshot.scan(path.view, bounds)
        var group: [RowScan.Row] = []
        while let row = try rows.next() {
            if let first = group.first, !first.hasValues(of: row) {
                if try !forEach(of: group, start, views, body) { return false }
                group.removeAll(keepingCapacity: true)
            }
            guard !row.isCut else {
                group.append(row)
                continue
            }
            guard let match = try match(row, views) else { continue }
            if let start, !query.isBefore(start, query.sortValues(match.values)) { continue }
            if try !body(match) { return false }
        }
        return try forEach(of: group, start, views, body)
    }

    /// Groups of rows with the same values from the last to the first, each in the order of the ids.
    private mutating func forEachByValues(
        _ range: IndexPlan.Range, _ path: IndexPath, _ start: RecordQuery.SortValues?, _ key: IndexPlan.RowKey?,
        _ views: borrowing TripViews, _ body: (QueryMatch) throws -> Bool
    ) throws -> Bool {
        var range = range
        groups: while !range.isEmpty {
            let rows = try views.snapshot.scan(path.view, range.bounds(isReversed: true))
            var group: [RowScan.Row] = []
            while let row = try rows.next() {
                if let first = group.first, !first.hasValues(of: row) {
                    if try !forEach(of: group, start, views, body) { return false }
                    group.removeAll(keepingCapacity: true)
                }
                group.append(row)
                // Many with the same values: forwards, so that a page need not read all of them.
                guard group.count == Self.mostInGroup, !row.isCut else { continue }
                let values = [UInt8](row.key.part(1..<row.key.count - 16))
                let first = values == key?.values ? key?.next ?? values : values
                let same = IndexPlan.Range(first: first, end: values.afterPrefix)
                if try !forEach(in: same.bounds(), path, start, views, body) { return false }
                range.end = values
                continue groups
            }
            return try forEach(of: group, start, views, body)
        }
        return true
    }

    private mutating func forEach(
        of group: [RowScan.Row], _ start: RecordQuery.SortValues?, _ views: borrowing TripViews,
        _ body: (QueryMatch) throws -> Bool
    ) throws -> Bool {
        var matches: [(match: QueryMatch, values: RecordQuery.SortValues)] = []
        for row in group {
            guard let match = try match(row, views) else { continue }
            let values = query.sortValues(match.values)
            if let start, !query.isBefore(start, values) { continue }
            matches.append((match, values))
        }
        if matches.count > 1 { matches.sort { query.isBefore($0.values, $1.values) } }
        for (match, _) in matches { if try !body(match) { return false } }
        return true
    }
}

extension RowScan.Row {
    /// Whether some text in the key was cut.
    var isCut: Bool { value.first == 1 }

    /// The parent, of a kind whose parents are of one kind.
    var parent: UUID? { value.count == 17 ? value.uuid(at: 1) : nil }

    /// Whether another row of an index has the same values.
    fileprivate func hasValues(of other: RowScan.Row) -> Bool {
        key.count == other.key.count && key.part(0..<key.count - 16).equals(other.key.part(0..<key.count - 16))
    }
}

extension IndexPlan.Range {
    func bounds(isReversed: Bool = false) -> KeyBounds {
        KeyBounds(prefix: [], lower: first, upper: end, isReversed: isReversed)
    }
}

extension TripStoreError {
    static func needsIndex(_ query: RecordQuery, _ limit: Int) -> TripStoreError {
        TripStoreError(
            .needsIndex,
            "No index narrows down the query for \(query.words), and there are more than \(limit) entities to look at. Declare an index in "
                + "'Options.indexes', or allow more with 'scanning(atMost:)'.")
    }
}
