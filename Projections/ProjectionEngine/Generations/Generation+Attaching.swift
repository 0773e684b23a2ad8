import Events
import LMDB
import Synchronization

extension Generation {
    private static let attachedKey = Array("attached".utf8)
    /// The most bytes of rows that are sorted at a time.
    private static let sortedSize = 32 << 20
    private static let rowsDeletedAtOnce = 10_000

    /// The attached views in a snapshot.
    func attached(_ transaction: borrowing ReadTransaction) throws -> AttachedViews {
        guard let row = try transaction.get(Self.attachedKey, in: meta) else { return AttachedViews() }
        return knownAttached.withLock { known in
            // Mostly the same as last time.
            if let known, known.row.withUnsafeBytes({ $0.equals(row) }) { return known.views }
            let bytes = [UInt8](row)
            let views = AttachedViews(bytes, makeAttached)
            known = (bytes, views)
            return views
        }
    }

    /// All views that a change of the generation keeps up to date. Attached ones that this version does not know are dropped from it:
    /// they would be out of date.
    func maintainedViews(
        _ projections: [any Projection], _ transaction: borrowing WriteTransaction
    ) throws -> [MaintainedView] {
        var attached = try attached(transaction.reading)
        if attached.removeUnknown() { try transaction.put(Self.attachedKey, attached.encoded, in: meta) }
        let own = projections.indices.map { index in
            MaintainedView(projections[index], views[index], part: Self.part(ofView: index))
        }
        return own
            + attached.views.compactMap { view in
                view.projection.map { MaintainedView($0, table(ofAttached: view), part: nil) }
            }
    }

    func table(ofAttached view: AttachedView) -> Table { attachedTables[Int(view.part - AttachedView.firstPart)] }

    /// Makes the wanted views that the generation lacks, from its entities, in one transaction. O(entities). Blocks.
    func attach(_ wanted: [[UInt8]]) throws {
        let isComplete = try environment.read { transaction in
            let attached = try attached(transaction)
            return wanted.allSatisfy { attached[$0] != nil }
        }
        if isComplete { return }
        try environment.write { transaction in
            var attached = try attached(transaction.reading)
            var added: [AttachedView] = []
            for definition in wanted where attached[definition] == nil {
                if let view = attached.add(definition, makeAttached(definition)) { added.append(view) }
            }
            // The rows of a view that was dropped.
            for view in added { try removeRows(of: view, transaction) }
            try makeRows(of: added, transaction)
            try transaction.put(Self.attachedKey, attached.encoded, in: meta)
        }
    }

    /// What another generation has attached.
    func attachedDefinitions() throws -> [[UInt8]] {
        try environment.read { try attached($0).views.map(\.definition) }
    }

    private func removeRows(of view: AttachedView, _ transaction: borrowing WriteTransaction) throws {
        let table = table(ofAttached: view)
        while true {
            var keys: [[UInt8]] = []
            do {
                var cursor = try transaction.reading.cursor(on: table)
                while keys.count < Self.rowsDeletedAtOnce, let row = try cursor.next() { keys.append([UInt8](row.key)) }
            }
            if keys.isEmpty { return }
            for key in keys { try transaction.delete(key, in: table) }
        }
    }

    private func makeRows(of views: [AttachedView], _ transaction: borrowing WriteTransaction) throws {
        var sinks = views.map { _ in RowSink() }
        var last: [UInt8]?
        repeat {
            last = try collectRows(of: views, after: last, into: &sinks, transaction)
            for (index, view) in views.enumerated() {
                sinks[index].sort()
                let rows = sinks[index]
                for row in rows.rows {
                    try rows.withRow(row) { try transaction.put($0, $1, in: table(ofAttached: view)) }
                }
                sinks[index].removeAll()
            }
        } while last != nil
    }

    /// Collects as many rows as fit; returns the last entity if there are more.
    private func collectRows(
        of views: [AttachedView], after last: [UInt8]?, into sinks: inout [RowSink],
        _ transaction: borrowing WriteTransaction
    ) throws -> [UInt8]? {
        var cursor = try transaction.reading.cursor(on: entities)
        var next = try last.map { try cursor.seek(atOrAfter: $0 + [0]) } ?? cursor.first()
        while let row = next {
            let entity = EntityReference(row.key)
            if let entity {
                let record = try RecordView(row: row.value)
                for (index, view) in views.enumerated() {
                    try view.projection?.collect(entity, record, into: &sinks[index], isAccumulating: false)
                }
            }
            if sinks.contains(where: { $0.size > Self.sortedSize }) { return [UInt8](row.key) }
            next = try cursor.next()
        }
        return nil
    }
}

/// A view that a batch of commits changes.
struct MaintainedView {
    let projection: any Projection
    let table: Table
    /// Under which its rows are counted; nil if they are not.
    let part: UInt8?

    init(_ projection: any Projection, _ table: Table, part: UInt8?) {
        self.projection = projection
        self.table = table
        self.part = part
    }
}
