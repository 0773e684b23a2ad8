import Events
import Foundation
import LMDB
import Platform
public import ProjectionEngine
public import Trips

/// Which trips to list, and from which end.
public struct TripsByDate: Sendable, Hashable {
    /// Which trips.
    public enum Range: Sendable, Hashable {
        /// Those with a date, by their first day.
        case dated
        /// Those whose first day lies in a range.
        case starting(Swift.Range<Day>)
        /// Those with at least one day in a range, by their first day.
        case overlapping(Swift.Range<Day>)
        /// Those without a date, by creation time.
        case undated
    }

    /// A row's position in the order: the content of a page's cursor. It stays valid whatever events arrive between two
    /// pages.
    public struct RowPosition: Sendable, Hashable {
        /// Day (4) or creation (8), then id (16).
        public let bytes: [UInt8]

        public init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    public var range: Range
    /// From the last to the first.
    public var isReversed: Bool

    public init(_ range: Range, isReversed: Bool = false) {
        self.range = range
        self.isReversed = isReversed
    }

    /// Bytes of a row position in this listing.
    public var positionSize: Int { range == .undated ? 24 : 20 }

    /// Calls `body` with the next trips after a position, or from the beginning, up to and including another position,
    /// or to the end. Returns the position of the last one if there are more.
    ///
    /// O(log n + results), plus, for overlaps, the trips that start near the range and end before it.
    public func page(
        after position: RowPosition?, through last: RowPosition? = nil, limit: Int, in views: borrowing ViewSnapshot,
        _ body: (consuming Trip) throws -> Void
    ) throws -> RowPosition? {
        switch range {
        case .dated: return try scan(TripsByStart.dated, nil, position, last, limit, views, body)
        case .starting(let days): return try scan(TripsByStart.dated, days, position, last, limit, views, body)
        case .undated: return try scan(TripsByStart.undated, nil, position, last, limit, views, body)
        case .overlapping(let days):
            let positions = try overlapping(days, position, last, limit + 1, views)
            let rows = try views.lookup(in: "trips-by-start")
            for position in positions.prefix(limit) {
                try ([TripsByStart.dated] + position.bytes).withUnsafeBytes { key in
                    guard let value = try rows.value(of: key) else { return }
                    try body(TripsByStart.trip(key, value))
                }
            }
            return positions.count > limit ? positions[limit - 1] : nil
        }
    }

    private func scan(
        _ section: UInt8, _ days: Swift.Range<Day>?, _ position: RowPosition?, _ last: RowPosition?, _ limit: Int,
        _ views: borrowing ViewSnapshot, _ body: (consuming Trip) throws -> Void
    ) throws -> RowPosition? {
        let bounds = KeyBounds(
            prefix: [section], lower: days.map { KeyPart.day($0.lowerBound) },
            upper: days.map { KeyPart.day($0.upperBound) }, after: position?.bytes, through: last?.bytes,
            isReversed: isReversed)
        let scan = try views.scan("trips-by-start", bounds)
        var count = 0
        var current: RowScan.Row?
        repeat {
            var next = try scan.next()
            while let row = next, row.key.count <= positionSize { next = try scan.next() }
            if let current {
                // It comes from memory while this one is decoded.
                next?.value.prefetch()
                try body(TripsByStart.trip(current.key, current.value))
                count += 1
                if count == limit, next != nil { return RowPosition([UInt8](current.key.part(from: 1))) }
            }
            current = next
        } while current != nil
        return nil
    }

    /// Merges the levels, each of which is in order.
    private func overlapping(
        _ days: Swift.Range<Day>, _ position: RowPosition?, _ last: RowPosition?, _ limit: Int,
        _ views: borrowing ViewSnapshot
    ) throws -> [RowPosition] {
        guard !days.isEmpty else { return [] }
        var levels: [(scan: RowScan, head: RowPosition)] = []
        for level in TripsBySpan.levels {
            let earliest = TripsBySpan.earliest(level, reaching: days.lowerBound)
            let bounds = KeyBounds(
                prefix: [UInt8(level)], lower: KeyPart.day(earliest), upper: KeyPart.day(days.upperBound),
                after: position?.bytes, through: last?.bytes, isReversed: isReversed)
            let scan = try views.scan("trips-by-span", bounds)
            if let head = try nextOverlapping(days, scan) { levels.append((scan, head)) }
        }
        var found: [RowPosition] = []
        while found.count < limit, let first = firstLevel(levels.map(\.head)) {
            found.append(levels[first].head)
            if let head = try nextOverlapping(days, levels[first].scan) {
                levels[first].head = head
            } else {
                levels.remove(at: first)
            }
        }
        return found
    }

    private func nextOverlapping(_ days: Swift.Range<Day>, _ scan: RowScan) throws -> RowPosition? {
        while let row = try scan.next() {
            guard let last = KeyPart.day(row.value, at: 0), last >= days.lowerBound else { continue }
            return RowPosition([UInt8](row.key.part(from: 1)))
        }
        return nil
    }

    private func firstLevel(_ heads: [RowPosition]) -> Int? {
        heads.indices.min { a, b in
            let (a, b) = isReversed ? (b, a) : (a, b)
            return heads[a].bytes.lexicographicallyPrecedes(heads[b].bytes)
        }
    }
}
