import Events
import LMDB

/// A stretch of keys with a common prefix, walked from either end, perhaps from the middle.
struct KeyBounds {
    /// The smallest key within.
    let first: [UInt8]
    /// The smallest key beyond; nil if there is none.
    let end: [UInt8]?
    let isReversed: Bool

    /// `lower` and `upper` bound what follows the prefix; `after` is what was shown last.
    init(prefix: [UInt8], lower: [UInt8]?, upper: [UInt8]?, after: [UInt8]?, isReversed: Bool) {
        var first = prefix + (lower ?? [])
        var end = upper.map { prefix + $0 } ?? prefix.afterPrefix
        if let after {
            let shown = prefix + after
            if isReversed {
                if end.map({ shown.lexicographicallyPrecedes($0) }) ?? true { end = shown }
            } else if first.lexicographicallyPrecedes(shown + [0]) {
                first = shown + [0]
            }
        }
        self.first = first
        self.end = end
        self.isReversed = isReversed
    }
}

/// Walks the rows of a table within bounds. It must not outlive the read that its cursor belongs to.
final class RowScan {
    private var cursor: Cursor
    private let bounds: KeyBounds
    private var hasStarted = false

    init(_ cursor: consuming Cursor, _ bounds: KeyBounds) {
        self.cursor = cursor
        self.bounds = bounds
    }

    /// The next row, or nil at the end.
    func next() throws -> Cursor.Row? {
        let row = try step()
        guard let row else { return nil }
        let isWithin =
            bounds.isReversed
            ? !row.key.lexicographicallyPrecedes(bounds.first)
            : bounds.end.map { row.key.lexicographicallyPrecedes($0) } ?? true
        return isWithin ? row : nil
    }

    private func step() throws -> Cursor.Row? {
        defer { hasStarted = true }
        if hasStarted { return bounds.isReversed ? try cursor.previous() : try cursor.next() }
        guard bounds.isReversed else { return try cursor.seek(atOrAfter: bounds.first) }
        guard let end = bounds.end else { return try cursor.last() }
        return try cursor.seek(before: end)
    }
}
