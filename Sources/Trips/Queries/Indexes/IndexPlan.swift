import Events

/// How an index answers a query: which of its rows can meet the condition, and whether they come in the query's order.
package struct IndexPlan: Sendable {
    package let index: IndexDefinition
    /// Bounds of keys, ascending and apart from each other.
    package let ranges: [Range]
    /// How many fields of the index the conditions bound, one with a range counting half.
    package let strength: Double
    /// Whether the rows come in the query's order.
    package let isOrdered: Bool
    /// Whether all entities in the ranges meet the condition, unless they are hidden.
    package let isDecisive: Bool
    /// The same of what the condition says of their own fields.
    package let decidesFields: Bool
    /// Whether the order is that of the rows from the last to the first; those with a cleared field come last all the same.
    package let isDescending: Bool
    /// In the order of the query: the bytes before the values by which it sorts.
    let prefix: [UInt8]
    /// The indexes, among the query's orders, of those that the rows have after the prefix.
    private let orderedKeys: [Int]

    /// Keys from a first one on, up to before an end; to the last if that is nil.
    package struct Range: Hashable, Sendable {
        package var first: [UInt8]
        package var end: [UInt8]?

        package init(first: [UInt8], end: [UInt8]?) {
            self.first = first
            self.end = end
        }
    }

    /// The most ranges that conditions of several values may make.
    private static let mostRanges = 1_000

    /// Nil if the index is of no use for the query, whose constraints are `constraints`.
    package init?(_ index: IndexDefinition, for query: RecordQuery, _ constraints: FieldConstraints) {
        guard index.kind == query.kind, let first = index.fields.first else { return nil }
        let leading = QueriedField.field(first.number)
        guard constraints.mention(leading) || query.sortKeys.contains(where: { $0.field == leading })
        else { return nil }
        let schema = query.schema
        /// Whether the index has cleared fields under their default, which the query does not know.
        func hasDefault(_ field: IndexedField) -> Bool { query.isDescribed && field.cleared != nil }
        if index.isSparse, !first.isPlace {
            guard let points = constraints.points(leading), !points.contains(nil) else { return nil }
        }
        var prefixes: [[UInt8]] = [[]]
        var ranges: [Range]?
        var strength = 0.0
        var used = 0
        var single: Set<QueriedField> = []
        /// Which fields have the values of the ranges and no others.
        var (decidedByPoints, decidedByRange): ([QueriedField], QueriedField?) = ([], nil)
        for field in index.fields {
            if field.isPlace {
                guard let cells = constraints.cells(.field(field.number)) else { break }
                ranges = prefixes.flatMap { prefix in
                    cells.map { Range(first: prefix + $0.first, end: $0.end.map { prefix + $0 }) }
                }
                strength += 1
                break
            }
            let queried = QueriedField.field(field.number)
            // Some bytes of these are a value for the index and none for the query.
            let readsLess = schema.field(field.number)?.isReadable != nil || field.ownType == .reference
            let clearedValue = field.value(nil)
            if let points = constraints.points(queried), points.count * prefixes.count <= Self.mostRanges,
                !(readsLess && points.contains(clearedValue)), !(hasDefault(field) && points.contains(nil))
            {
                let keys = points.map { IndexKey.of($0, isNatural: field.isNatural) }
                prefixes = prefixes.flatMap { prefix in keys.map { prefix + $0.bytes } }
                strength += 1
                used += 1
                guard !keys.contains(where: \.isCut) else { break }
                if !readsLess, !(hasDefault(field) && points.contains(clearedValue)) { decidedByPoints.append(queried) }
                if keys.count == 1 { single.insert(queried) }
                continue
            }
            let queriedCleared = hasDefault(field) ? nil : clearedValue
            if let bounds = constraints.bounds(queried, isNatural: field.isNatural, cleared: queriedCleared),
                !((readsLess || hasDefault(field)) && bounds.mayHoldCleared),
                bounds.ranges.count * prefixes.count <= Self.mostRanges
            {
                ranges = prefixes.flatMap { prefix in
                    bounds.ranges.map { range in
                        Range(first: prefix + range.first, end: (range.end.map { prefix + $0 }) ?? prefix.afterPrefix)
                    }
                }
                strength += bounds.isNarrow ? 0.75 : 0.5
                if bounds.isExact && !readsLess && !hasDefault(field) { decidedByRange = queried }
            }
            break
        }
        orderedKeys = query.sortKeys.indices.filter { !single.contains(query.sortKeys[$0].field) }
        let sortKeys = orderedKeys.map { query.sortKeys[$0] }
        let rest = index.fields[used...]
        let isUniform = sortKeys.allSatisfy { !$0.order.isDescending } || sortKeys.count == 1
        let isExact = rest.allSatisfy {
            schema.field($0.number)?.isReadable == nil && $0.ownType != .reference && !$0.isPlace && !hasDefault($0)
        }
        isOrdered =
            prefixes.count == 1 && isUniform && isExact && single.count == used
            && rest.count == sortKeys.count
            && zip(rest, sortKeys).allSatisfy { .field($0.number) == $1.field && $0.isNatural == $1.order.isNatural }
        isDescending = isOrdered && sortKeys.first?.order.isDescending == true
        if first.isPlace, ranges == nil { return nil }
        guard strength > 0 || isOrdered && !sortKeys.isEmpty else { return nil }
        // An app may have declared a field otherwise since the index was made.
        let isSame = index.fields.allSatisfy { field in
            guard case .success(let declared) = IndexedField.of(.field(field.number), field.isNatural, schema) else {
                return false
            }
            // What a property has where it is cleared is known to its app alone.
            return declared == field || query.isDescribed && declared.isSameButForDefault(as: field)
        }
        guard isSame else { return nil }
        self.index = index
        self.strength = strength
        decidesFields = constraints.areDecided(byPoints: decidedByPoints, byRange: decidedByRange)
        isDecisive = decidesFields && query.evaluation == nil && !constraints.readOthers
        // A condition of no values leaves none.
        prefix = prefixes.first ?? []
        self.ranges = Self.apart(ranges ?? prefixes.map { Range(first: $0, end: $0.afterPrefix) })
    }

    /// Sorted, and those that meet joined.
    private static func apart(_ ranges: [Range]) -> [Range] {
        var found: [Range] = []
        for range in ranges.sorted(by: { $0.first.lexicographicallyPrecedes($1.first) }) {
            guard let last = found.last, last.end.map({ !$0.lexicographicallyPrecedes(range.first) }) ?? true else {
                found.append(range)
                continue
            }
            guard let end = last.end else { break }
            if range.end.map({ end.lexicographicallyPrecedes($0) }) ?? true { found[found.count - 1].end = range.end }
        }
        return found
    }

    /// The parts of the ranges in the order of a query, each with whether its rows are read from the last to the first.
    package var walks: [(range: Range, isReversed: Bool)] {
        guard isDescending else { return ranges.map { ($0, false) } }
        let cleared = prefix + [IndexKey.cleared]
        var walks: [(Range, Bool)] = []
        for range in ranges.reversed() {
            let isSplit =
                range.first.lexicographicallyPrecedes(cleared)
                && range.end.map { cleared.lexicographicallyPrecedes($0) } ?? true
            if isSplit {
                walks.append((Range(first: range.first, end: cleared), true))
                walks.append((Range(first: cleared, end: range.end), false))
            } else {
                // What begins with the cleared value comes last, and its rows in the order of the ids.
                let isCleared = !range.first.lexicographicallyPrecedes(cleared)
                walks.append((range, !isCleared))
            }
        }
        // Cleared ones were found first, for theirs is the last range.
        return walks.filter(\.1) + walks.filter { !$0.1 }
    }

    /// Where a row is in the index.
    package struct RowKey {
        /// The bytes with which its key begins, and those of others with the same values.
        package let values: [UInt8]
        /// Read forwards, the first key of those that may come after it.
        package let next: [UInt8]
    }

    /// Of a row, for reading on from there.
    package func key(_ values: RecordQuery.SortValues, of query: RecordQuery) -> RowKey {
        var key = IndexKey()
        for index in orderedKeys {
            key.append(values.values[index].value, isNatural: query.sortKeys[index].order.isNatural)
        }
        let bytes = prefix + key.bytes
        // Rows whose text was cut are in no order among themselves.
        return RowKey(values: bytes, next: key.isCut ? bytes : bytes + values.id.bytes + [0])
    }
}
