import Events
import LMDB
import Synchronization

extension Generation {
    static let attachedKey = Array("attached".utf8)
    /// The most bytes of rows that are sorted at a time.
    private static let sortedSize = 32 << 20
    private static let rowsDeletedAtOnce = 10_000
    private static let entitiesReportedAtOnce: UInt64 = 4_096

    /// The attached views in a snapshot.
    func attached(_ transaction: borrowing ReadTransaction) throws -> AttachedViews {
        guard let row = try transaction.get(Self.attachedKey, in: meta) else { return AttachedViews(makeAttached) }
        return knownAttached.withLock { known in
            // Mostly the same as last time.
            if let known, known.row.withUnsafeBytes({ $0.equals(row) }) { return known.views }
            let bytes = [UInt8](row)
            let views = AttachedViews(row: bytes, makeAttached)
            known = (bytes, views)
            return views
        }
    }

    /// Whether a view with that definition was attached when last looked.
    func has(_ definition: [UInt8]) -> Bool {
        knownAttached.withLock { $0?.views.views.contains { $0.definition == definition } ?? false }
    }

    /// All views that a change of the generation keeps up to date, and whether some were dropped: attached ones that this version does
    /// not know would be out of date, and so would results that other processes have read from them.
    func maintainedViews(
        _ transaction: borrowing WriteTransaction
    ) throws -> (views: [MaintainedView], haveDropped: Bool) {
        let attached = try attached(transaction.reading)
        if !attached.unknown.isEmpty {
            try transaction.put(Self.attachedKey, attached.encoded(withUnknown: false), in: meta)
        }
        let indexes = attached.projection.map { MaintainedView($0, attachedRows, part: nil) }
        return (maintained + (indexes.map { [$0] } ?? []), !attached.unknown.isEmpty)
    }

    /// Makes the wanted views that the generation lacks, from its entities, in one transaction. O(entities). Blocks.
    func attach(_ wanted: [[UInt8]], _ progress: (BuildProgress) -> Void = { _ in }) throws {
        let isComplete = try environment.read { transaction in
            let definitions = try attached(transaction).views.map(\.definition)
            return wanted.allSatisfy(definitions.contains)
        }
        if isComplete { return }
        try environment.write { transaction in
            var attached = try attached(transaction.reading)
            let hadNone = attached.projection == nil
            let added = attached.add(wanted)
            // The rows of views that were dropped, and what was not kept up to date without any.
            for view in added { try removeRows(of: view.number, transaction) }
            if hadNone { try removeRows(of: AttachedViews.reservedNumber, transaction) }
            if !added.isEmpty { try makeRows(makeAttached(added).projection, transaction, progress) }
            // The next batch drops those that are unknown, and says so.
            try transaction.put(Self.attachedKey, attached.encoded(withUnknown: true), in: meta)
        }
    }

    private func removeRows(of number: UInt8, _ transaction: borrowing WriteTransaction) throws {
        while true {
            var keys: [[UInt8]] = []
            do {
                var cursor = try transaction.reading.cursor(on: attachedRows)
                var row = try cursor.seek(atOrAfter: [number])
                while keys.count < Self.rowsDeletedAtOnce, let found = row, found.key.first == number {
                    keys.append([UInt8](found.key))
                    row = try cursor.next()
                }
            }
            if keys.isEmpty { return }
            for key in keys { try transaction.delete(key, in: attachedRows) }
        }
    }

    private func makeRows(
        _ projection: any Projection, _ transaction: borrowing WriteTransaction, _ progress: (BuildProgress) -> Void
    ) throws {
        var sink = RowSink()
        var last: [UInt8]?
        var done: UInt64 = 0
        let total = UInt64(try rowCounts(transaction.reading)[Self.entitiesPart])
        repeat {
            last = try collectRows(projection, after: last, into: &sink, transaction) {
                if done.isMultiple(of: Self.entitiesReportedAtOnce) {
                    progress(BuildProgress(stage: .indexing, done: done, total: total))
                }
                done += 1
            }
            sink.sort()
            for row in sink.rows { try sink.withRow(row) { try transaction.put($0, $1, in: attachedRows) } }
            sink.removeAll()
        } while last != nil
    }

    /// Collects as many rows as fit; returns the last entity if there are more.
    private func collectRows(
        _ projection: any Projection, after last: [UInt8]?, into sink: inout RowSink,
        _ transaction: borrowing WriteTransaction, didRead: () -> Void
    ) throws -> [UInt8]? {
        var cursor = try transaction.reading.cursor(on: entities)
        var next = try last.map { try cursor.seek(atOrAfter: $0 + [0]) } ?? cursor.first()
        while let row = next {
            didRead()
            if let entity = EntityReference(row.key) {
                try projection.collect(entity, RecordView(row: row.value), into: &sink, isAccumulating: false)
            }
            if sink.size > Self.sortedSize { return [UInt8](row.key) }
            next = try cursor.next()
        }
        return nil
    }
}

/// A view that batches of commits change, with the properties of its projection that are read once.
final class MaintainedView: Sendable {
    let projection: any Projection
    let isAccumulating: Bool
    let source: RowSource
    let table: Table
    /// Under which its rows are counted; nil if they are not.
    let part: UInt8?

    init(_ projection: any Projection, _ table: Table, part: UInt8?) {
        self.projection = projection
        isAccumulating = projection.rowKind == .accumulating
        source = projection.source
        self.table = table
        self.part = part
    }
}
