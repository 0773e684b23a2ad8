import Events
import Foundation
import ProjectionEngine
import Trips

/// Walking an index in the order of a query.
extension QueryRun {
    /// More rows with the same values are not collected.
    private static var mostInGroup: Int { 64 }

    /// Rows with the same values, in which some text was cut, are put in order. Returns whether to go on.
    mutating func forEachForwards(
        _ range: IndexPlan.Range, _ path: IndexPath, _ start: RecordQuery.SortValues?,
        _ key: IndexPlan.RowKey?,
        _ views: borrowing TripViews, _ body: (QueryMatch) throws -> Bool
    ) throws -> Bool {
        guard let bounds = range.bounds(after: key) else { return true }
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
    mutating func forEachBackwards(
        _ range: IndexPlan.Range, _ path: IndexPath, _ start: RecordQuery.SortValues?,
        _ key: IndexPlan.RowKey?,
        _ views: borrowing TripViews, _ body: (QueryMatch) throws -> Bool
    ) throws -> Bool {
        // A row that has none of the values comes after all of these.
        if let key, let end = range.end, !key.values.lexicographicallyPrecedes(end) { return true }
        var range = range
        groups: while let bounds = range.bounds(before: key) {
            let rows = try views.snapshot.scan(path.view, bounds)
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
                let same = IndexPlan.Range(first: values, end: values.afterPrefix)
                let after = values == key?.values ? key : nil
                if try !forEachForwards(same, path, start, after, views, body) { return false }
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

    /// The keys that follow a row, read forwards; nil if all precede it.
    fileprivate func bounds(after key: IndexPlan.RowKey?) -> KeyBounds? {
        var range = self
        if let key, first.lexicographicallyPrecedes(key.next) { range.first = key.next }
        return range.isEmpty ? nil : range.bounds()
    }

    /// The keys with the row's values and those that follow them, read backwards; nil if there are none.
    fileprivate func bounds(before key: IndexPlan.RowKey?) -> KeyBounds? {
        var range = self
        if let last = key?.values.afterPrefix, range.end.map({ last.lexicographicallyPrecedes($0) }) ?? true {
            range.end = last
        }
        return range.isEmpty ? nil : range.bounds(isReversed: true)
    }

    private var isEmpty: Bool { end.map { !first.lexicographicallyPrecedes($0) } ?? false }
}

extension TripStoreError {
    static func needsIndex(_ query: RecordQuery, _ limit: Int) -> TripStoreError {
        TripStoreError(
            .needsIndex,
            "No index narrows down the query for \(query.words), and there are more than \(limit) entities to look at. Declare an index in "
                + "'Options.indexes', or allow more with 'scanning(atMost:)'.")
    }
}
