import EventLog
public import Events
import LMDB

/// A serving view compared with the same view rebuilt from the log.
public struct ViewComparison: Sendable, Hashable {
    /// The first row, in key order, that differs.
    public struct Difference: Sendable, Hashable {
        public let key: [UInt8]
        /// The value in the serving view; nil if the row is missing there.
        public let serving: [UInt8]?
        /// The rebuilt value; nil if there should be no such row.
        public let rebuilt: [UInt8]?
    }

    public let name: String
    /// The rows of the rebuilt view; 0 for indexes, whose rows are not counted.
    public let rows: Int
    /// The digest of the rebuilt view.
    public let digest: Digest
    /// Nil if the two are the same.
    public let difference: Difference?

    init(
        _ name: String, _ serving: borrowing ViewSnapshot, _ rebuilt: borrowing ReadTransaction,
        _ generation: Generation, _ configuration: GroupConfiguration
    ) throws {
        let position = try generation.checkpoint(rebuilt).position
        let rebuilt = ViewSnapshot(rebuilt.alias(), generation, at: position)
        self.name = name
        rows = try rebuilt.rowCount(of: name)
        digest = try rebuilt.digest(of: name)
        difference = try Self.firstDifference(
            serving.scan(name, KeyBounds(prefix: [])), rebuilt.scan(name, KeyBounds(prefix: [])))
    }

    /// The attached views, if they are not the same: they are no views of the group, whose names everything knows.
    static func ofAttached(
        _ serving: borrowing ViewSnapshot, _ rebuilt: borrowing ReadTransaction, _ generation: Generation
    ) throws -> [ViewComparison] {
        let position = try generation.checkpoint(rebuilt).position
        let rebuilt = ViewSnapshot(rebuilt.alias(), generation, at: position)
        // Rows of views that were dropped stay until their number is needed.
        let attached = try serving.attachedViews
        let numbers = attached.views.map(\.number) + (attached.projection == nil ? [] : [AttachedViews.reservedNumber])
        for number in numbers {
            let difference = try firstDifference(serving.scan(attached: number), rebuilt.scan(attached: number))
            guard let difference else { continue }
            var cursor = try rebuilt.cursorOnAttached()
            let digest = try ViewSnapshot.digest(&cursor)
            return [ViewComparison(name: AttachedViews.name, rows: 0, digest: digest, difference: difference)]
        }
        return []
    }

    private init(name: String, rows: Int, digest: Digest, difference: Difference?) {
        self.name = name
        self.rows = rows
        self.digest = digest
        self.difference = difference
    }

    private static func firstDifference(
        _ serving: RowScan, _ rebuilt: RowScan
    ) throws -> Difference? {
        var left = try serving.next()
        var right = try rebuilt.next()
        while true {
            switch (left, right) {
            case (nil, nil): return nil
            case (let row?, nil): return difference(row, nil)
            case (nil, let row?): return difference(nil, row)
            case (let a?, let b?):
                guard a.key.equals(b.key) else {
                    return a.key.lexicographicallyPrecedes(b.key) ? difference(a, nil) : difference(nil, b)
                }
                guard a.value.equals(b.value) else { return difference(a, b) }
            }
            left = try serving.next()
            right = try rebuilt.next()
        }
    }

    private static func difference(_ serving: RowScan.Row?, _ rebuilt: RowScan.Row?) -> Difference {
        Difference(
            key: [UInt8](serving?.key ?? rebuilt?.key ?? UnsafeRawBufferPointer(start: nil, count: 0)),
            serving: serving.map { [UInt8]($0.value) }, rebuilt: rebuilt.map { [UInt8]($0.value) })
    }
}
