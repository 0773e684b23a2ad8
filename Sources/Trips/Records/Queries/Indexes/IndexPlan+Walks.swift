import Events

/// Reading the rows of an index in the order of a query.
extension IndexPlan {
    /// A part of the ranges whose rows follow each other in the query's order.
    package struct Walk: Sendable {
        package enum Reading: Sendable {
            case forwards
            /// From the last row to the first, among those with the same values too.
            case backwards
            /// From the last values to the first, those with the same values in the order of the ids.
            case backwardsByValues
        }

        package let range: Range
        package let reading: Reading
        /// Whether what the query sorts by is cleared in its rows: they come after all others in either direction.
        fileprivate var isCleared = false
    }

    /// The parts of the ranges in the order of a query.
    package var walks: [Walk] {
        if reading == .forwards || orderedKeys.isEmpty { return ranges.map { Walk(range: $0, reading: reading) } }
        let cleared = prefix + [IndexKey.cleared]
        let clearedReading = reading == .backwards ? reading : .forwards
        var (walks, last): ([Walk], [Walk]) = ([], [])
        for range in ranges.reversed() {
            var (present, absent) = (range, range)
            if range.end.map({ cleared.lexicographicallyPrecedes($0) }) ?? true { present.end = cleared }
            if range.first.lexicographicallyPrecedes(cleared) { absent.first = cleared }
            if !present.isEmpty { walks.append(Walk(range: present, reading: reading)) }
            if !absent.isEmpty { last.append(Walk(range: absent, reading: clearedReading, isCleared: true)) }
        }
        return walks + last
    }

    /// Where a row is in the index.
    package struct RowKey {
        /// The bytes with which its key begins, and those of others with the same values.
        package let values: [UInt8]
        /// Read forwards, the first key of those that may come after it.
        package let next: [UInt8]
        /// Read backwards, the end of the keys that may come after it.
        fileprivate let end: [UInt8]?
        fileprivate let isCleared: Bool
    }

    /// Of a row, for reading on from there.
    package func key(_ values: RecordQuery.SortValues, of query: RecordQuery) -> RowKey {
        var key = IndexKey()
        for index in orderedKeys {
            key.append(values.values[index].value, isNatural: query.sortKeys[index].order.isNatural)
        }
        let bytes = prefix + key.bytes
        let row = bytes + values.id.bytes
        // Rows whose text was cut are in no order among themselves.
        return RowKey(
            values: bytes, next: key.isCut ? bytes : row + [0],
            end: reading == .backwards && !key.isCut ? row : bytes.afterPrefix,
            isCleared: orderedKeys.first.map { values.values[$0].value == nil } ?? false)
    }

    /// The keys of a walk that may come after a row; nil if all precede it.
    package func rest(of walk: Walk, after key: RowKey?) -> Range? {
        var range = walk.range
        if let key {
            if walk.reading == .forwards {
                if range.first.lexicographicallyPrecedes(key.next) { range.first = key.next }
            } else if key.isCleared != walk.isCleared {
                return key.isCleared ? nil : range
            } else if let end = key.end, range.end.map({ end.lexicographicallyPrecedes($0) }) ?? true {
                range.end = end
            }
        }
        return range.isEmpty ? nil : range
    }
}
