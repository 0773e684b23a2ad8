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
    /// How the rows are read to be in the query's order.
    let reading: Walk.Reading
    /// In the order of the query: the bytes before the values by which it sorts.
    let prefix: [UInt8]
    /// The indexes, among the query's orders, of those that the rows have after the prefix.
    let orderedKeys: [Int]

    /// Keys from a first one on, up to before an end; to the last if that is nil.
    package struct Range: Hashable, Sendable {
        package var first: [UInt8]
        package var end: [UInt8]?

        package init(first: [UInt8], end: [UInt8]?) {
            self.first = first
            self.end = end
        }

        package var isEmpty: Bool { end.map { !first.lexicographicallyPrecedes($0) } ?? false }
    }

    /// The most ranges that conditions of several values may make.
    private static let mostRanges = 1_000

    /// Nil if the index is of no use for the query, whose constraints are `constraints`.
    package init?(_ index: IndexDefinition, for query: RecordQuery, _ constraints: FieldConstraints) {
        guard index.kind == query.kind, let first = index.fields.first else { return nil }
        let leading = QueriedField.field(first.number)
        guard constraints.mention(leading) || query.sortKeys.contains(where: { $0.field == leading })
        else { return nil }
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
            let readsLess = query.fields.field(field.number)?.isReadable != nil || field.ownType == .reference
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
        // After all values come the ids, in the index as well.
        let byID = query.sortKeys.last.flatMap { $0.field == .id ? $0.order : nil }
        let keys = byID == nil ? query.sortKeys[...] : query.sortKeys.dropLast()
        orderedKeys = keys.indices.filter { !single.contains(keys[$0].field) }
        let sortKeys = orderedKeys.map { query.sortKeys[$0] }
        let rest = index.fields[used...]
        let isAscending = sortKeys.allSatisfy { !$0.order.isDescending }
        let reading: Walk.Reading? =
            if byID?.isDescending ?? false {
                sortKeys.isEmpty || sortKeys.count == 1 && !isAscending ? .backwards : nil
            } else {
                isAscending ? .forwards : sortKeys.count == 1 ? .backwardsByValues : nil
            }
        let isExact = rest.allSatisfy {
            query.fields.field($0.number)?.isReadable == nil && $0.ownType != .reference && !$0.isPlace
                && !hasDefault($0)
        }
        isOrdered =
            prefixes.count == 1 && reading != nil && isExact && single.count == used
            && rest.count == sortKeys.count
            && zip(rest, sortKeys).allSatisfy { .field($0.number) == $1.field && $0.isNatural == $1.order.isNatural }
        self.reading = isOrdered ? reading ?? .forwards : .forwards
        if first.isPlace, ranges == nil { return nil }
        guard strength > 0 || isOrdered && !sortKeys.isEmpty else { return nil }
        // An app may have declared a field otherwise since the index was made.
        let isSame = index.fields.allSatisfy { field in
            let asked = IndexedField.of(.field(field.number), field.isNatural, query.fields)
            guard case .success(let declared) = asked else { return false }
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
}
