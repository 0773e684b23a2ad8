import Events
import LMDB

/// Walks the rows of a view within bounds, and records how far it came: only changes to what a query read can change
/// its result.
///
/// It must not outlive the read that it belongs to, nor do its rows: apps use `ViewSnapshot.forEachRow`.
package final class RowScan {
    private var cursor: Cursor
    private let bounds: KeyBounds
    private let view: String
    private let recorder: ReadRecorder?
    private var hasStarted = false
    private var isExhausted = false
    private var last: UnsafeRawBufferPointer?

    init(_ cursor: consuming Cursor, _ bounds: KeyBounds, view: String, recorder: ReadRecorder?) {
        self.cursor = cursor
        self.bounds = bounds
        self.view = view
        self.recorder = recorder
    }

    deinit { if let recorder, hasStarted { recorder.add(part, of: view) } }

    /// A row, valid as long as the read that it was found in.
    package struct Row {
        package let key: UnsafeRawBufferPointer
        package let value: UnsafeRawBufferPointer
    }

    /// The next row, or nil at the end.
    package func next() throws -> Row? {
        guard !isExhausted else { return nil }
        guard let row = try step(), isWithin(row.key) else {
            isExhausted = true
            return nil
        }
        last = row.key
        recorder?.count(row)
        return Row(key: row.key, value: row.value)
    }

    /// Calls `body` with the next rows until it returns false, with at most `limit` of them. For walking many: a row takes half the time that
    /// it takes with `next`.
    package func forEachRow(atMost limit: Int = .max, _ body: (Row) throws -> Bool) throws {
        guard !bounds.isReversed else {
            var left = limit
            while left > 0, let row = try next(), try body(row) { left -= 1 }
            return
        }
        guard limit > 0, let first = try next(), try body(first), limit > 1 else { return }
        if let end = bounds.end {
            try end.withUnsafeBytes { try forEachNext(before: $0, atMost: limit - 1, body) }
        } else {
            try forEachNext(before: nil, atMost: limit - 1, body)
        }
    }

    private func forEachNext(
        before end: UnsafeRawBufferPointer?, atMost limit: Int, _ body: (Row) throws -> Bool
    ) throws {
        let recorder = recorder
        let (row, isAtEnd) = try cursor.forEachNext(before: end, atMost: limit) { row in
            recorder?.count(row)
            return try body(Row(key: row.key, value: row.value))
        }
        if let row { last = row.key }
        isExhausted = isAtEnd
    }

    /// Whether all rows were visited, as far as it is known.
    package var isAtEnd: Bool { isExhausted }

    /// The number of rows from here to the end of the bounds, which must be walked forwards: nothing is made of the rows. O(rows).
    package func count() throws -> Int {
        guard !bounds.isReversed, !hasStarted, let first = try next() else { return 0 }
        let rows =
            if let end = bounds.end {
                try end.withUnsafeBytes { try cursor.count(before: $0) }
            } else {
                try cursor.count(before: nil)
            }
        isExhausted = true
        last = rows.last?.key ?? first.key
        return rows.rows
    }

    private func isWithin(_ key: UnsafeRawBufferPointer) -> Bool {
        if bounds.isReversed { return bounds.first.withUnsafeBytes { !key.isBelow($0) } }
        return bounds.end.map { $0.withUnsafeBytes { key.isBelow($0) } } ?? true
    }

    private func step() throws -> Cursor.Row? {
        if hasStarted { return bounds.isReversed ? try cursor.previous() : try cursor.next() }
        hasStarted = true
        guard bounds.isReversed else {
            // LMDB accepts no empty key.
            return bounds.first.isEmpty ? try cursor.first() : try cursor.seek(atOrAfter: bounds.first)
        }
        guard let end = bounds.end else { return try cursor.last() }
        return try cursor.seek(before: end)
    }

    /// The visited keys, including missing ones.
    private var part: ReadSet.Part {
        guard !isExhausted, let last else {
            return bounds.wholePrefix.map { .prefix($0) } ?? .range(bounds.first, end: bounds.end)
        }
        return bounds.isReversed
            ? .range([UInt8](last), end: bounds.end)
            : .range(bounds.first, end: [UInt8](last) + [0])
    }
}
