import Events

/// The rows of an accumulating view: `AccumulatedParts` reads their values.
extension RowSink {
    /// Sums up rows with one key into one row; the rows are sorted. A row whose sum is zero is dropped.
    ///
    /// The engine has written the rows' values. Throws `ProjectionError.damaged` if one is invalid.
    mutating func sumUp() throws(ProjectionError) {
        var summed = RowSink()
        var sums = SumsByPart()
        let rows = rows
        try bytes.withBytes { all throws(ProjectionError) in
            var start = 0
            while start < rows.count {
                let key = all.part(rows[start].keyRange)
                var end = start + 1
                while end < rows.count, rows[end].prefix == rows[start].prefix, all.part(rows[end].keyRange).equals(key)
                {
                    end += 1
                }
                if end == start + 1 {
                    if rows[start].valueCount > 0 { summed.copy(key, all.part(rows[start].valueRange)) }
                } else {
                    for index in start..<end { try sums.add(all.part(rows[index].valueRange)) }
                    summed.put(key, sums)
                    sums.removeAll()
                }
                start = end
            }
        }
        takeRows(of: summed)
    }

    /// Adds to the last row, which is removed if its sum becomes zero.
    mutating func addToLast(_ value: UnsafeRawBufferPointer) throws(ProjectionError) {
        guard let last = rows.popLast() else { return }
        var summed = RowSink()
        try bytes.withBytes { all throws(ProjectionError) in
            var sums = SumsByPart()
            try sums.add(all.part(last.valueRange))
            try sums.add(value)
            summed.put(all.part(last.keyRange), sums)
        }
        bytes.removeLast(to: last.offset)
        for row in summed.rows { summed.withRow(row) { copy($0, $1) } }
    }

    /// Adds the value of a row, or subtracts it.
    mutating func add(
        _ key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, isTaken: Bool
    ) throws(ProjectionError) {
        guard isTaken else { return copy(key, value) }
        var negated = RowBytes()
        var parts = AccumulatedParts(value)
        while let (part, sum) = try parts.next() { negated.append(-sum) { $0.append(contentsOf: part) } }
        negated.withBytes { copy(key, $0) }
    }

    private mutating func put(_ key: UnsafeRawBufferPointer, _ sums: SumsByPart) {
        guard !sums.isZero else { return }
        put(key: { $0.append(contentsOf: key) }, value: { sums.write(to: &$0) })
    }
}
