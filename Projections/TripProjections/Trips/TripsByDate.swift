import Events
package import Foundation
import LMDB
import Platform
package import ProjectionEngine
package import Trips

/// Reading the views of trips by date.
///
/// The position of a row, which is the content of a page's cursor, is its day (4) or creation (8), then its id (16): it stays valid whatever
/// events arrive between two pages.
extension OrderedView {
    /// The view that has the rows in order.
    package var viewName: String { if case .overlapping = range { "trips-by-span" } else { "trips-by-start" } }

    /// Bytes of a row's position.
    package var positionSize: Int { range == .undated ? 24 : 20 }
    package static let positionSizes = [20, 24]

    /// The position before all rows.
    package var start: [UInt8] { Array(repeating: isReversed ? .max : 0, count: positionSize) }

    /// Calls `body` with the next trips after a position, or from the beginning, up to and including another position,
    /// or to the end. Returns the position of the last one if there are more.
    ///
    /// O(log n + results), plus, for overlaps, the trips that start near the range and end before it.
    package func page(
        after position: [UInt8]?, through last: [UInt8]? = nil, limit: Int, in views: borrowing ViewSnapshot,
        _ body: (consuming Trip) throws -> Void
    ) throws -> [UInt8]? {
        var count = 0
        var end: [UInt8]?
        try forEachRow(after: position, through: last, in: views) { key, value, hasMore in
            try body(TripsByStart.trip(key, value))
            count += 1
            if count == limit, hasMore { end = [UInt8](key.part(from: 1)) }
            return count < limit
        }
        return end
    }

    /// Calls `body` with the ids of the trips after a position, in order, until it returns false.
    package func forEachID(
        after position: [UInt8]? = nil, in views: borrowing ViewSnapshot, _ body: (UUID) throws -> Bool
    ) throws {
        try forEachRow(after: position, through: nil, in: views) { key, _, _ in try body(key.uuid(at: key.count - 16)) }
    }

    /// The position of the row of a dated trip; nil if its values have no day.
    package func position(of values: RecordQuery.SortValues) -> [UInt8]? {
        firstDay(of: values).map { KeyPart.day($0) + values.id.bytes }
    }

    private func forEachRow(
        after position: [UInt8]?, through last: [UInt8]?, in views: borrowing ViewSnapshot,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ hasMore: Bool) throws -> Bool
    ) throws {
        let days: Swift.Range<Day>?
        switch range {
        case .dated, .undated: days = nil
        case .starting(let range): days = range
        case .overlapping(let range): return try forEachOverlapping(range, position, last, views, body)
        }
        let bounds = KeyBounds(
            prefix: [range == .undated ? TripsByStart.undated : TripsByStart.dated],
            lower: days.map { KeyPart.day($0.lowerBound) }, upper: days.map { KeyPart.day($0.upperBound) },
            after: position, through: last, isReversed: isReversed)
        let scan = try views.scan("trips-by-start", bounds)
        var current: RowScan.Row?
        repeat {
            var next = try scan.next()
            while let row = next, row.key.count <= positionSize { next = try scan.next() }
            if let current {
                // It comes from memory while this one is decoded.
                next?.value.prefetch()
                guard try body(current.key, current.value, next != nil) else { return }
            }
            current = next
        } while current != nil
    }

    /// Merges the levels, each of which is in order.
    private func forEachOverlapping(
        _ days: Swift.Range<Day>, _ position: [UInt8]?, _ last: [UInt8]?, _ views: borrowing ViewSnapshot,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ hasMore: Bool) throws -> Bool
    ) throws {
        var levels: [(scan: RowScan, head: [UInt8])] = []
        for level in TripsBySpan.levels {
            let earliest = TripsBySpan.earliest(level, reaching: days.lowerBound)
            let bounds = KeyBounds(
                prefix: [UInt8(level)], lower: KeyPart.day(earliest), upper: KeyPart.day(days.upperBound),
                after: position, through: last, isReversed: isReversed)
            let scan = try views.scan("trips-by-span", bounds)
            if let head = try nextOverlapping(days, scan) { levels.append((scan, head)) }
        }
        let rows = try views.lookup(in: "trips-by-start")
        while let first = firstLevel(levels.map(\.head)) {
            let key = [TripsByStart.dated] + levels[first].head
            if let head = try nextOverlapping(days, levels[first].scan) {
                levels[first].head = head
            } else {
                levels.remove(at: first)
            }
            let goesOn = try key.withUnsafeBytes { key in
                try rows.value(of: key).map { try body(key, $0, !levels.isEmpty) } ?? true
            }
            guard goesOn else { return }
        }
    }

    private func nextOverlapping(_ days: Swift.Range<Day>, _ scan: RowScan) throws -> [UInt8]? {
        while let row = try scan.next() {
            guard let last = KeyPart.day(row.value, at: 0), last >= days.lowerBound else { continue }
            return [UInt8](row.key.part(from: 1))
        }
        return nil
    }

    private func firstLevel(_ heads: [[UInt8]]) -> Int? {
        heads.indices.min { a, b in
            let (a, b) = isReversed ? (b, a) : (a, b)
            return heads[a].lexicographicallyPrecedes(heads[b])
        }
    }
}
