import EventLog
import Events
import LMDB

/// The changes of a batch in one view.
struct ViewChanges {
    /// What happens to a unique row. A change is kept as a row whose value begins with it.
    private enum Kind: UInt8 {
        case remove
        /// The entity had no row with that key before.
        case add
        case replace
    }

    let view: MaintainedView
    /// Unique: each row's value is a kind (1 byte), the entity's bytes (18), then the value. Accumulating: the
    /// contribution.
    private var changes = RowSink()
    private var before = RowSink()
    private var after = RowSink()
    /// The increase of the row count before this batch was written.
    private var added = 0

    private static let headSize = 19

    init(_ view: MaintainedView) { self.view = view }

    /// Adds the rows of an event.
    mutating func add(_ event: borrowing EventView, at position: EventPosition) throws {
        guard view.source != .entities else { return }
        try view.projection.collect(event, at: position, into: &after, isAccumulating: view.isAccumulating)
        if !after.isEmpty { try noteDifference(of: event.entity) }
    }

    /// Replaces the rows of an entity by those of its new record.
    mutating func replace(
        _ old: borrowing RecordView, with new: borrowing RecordView, of entity: EntityReference
    ) throws {
        guard view.source != .events, try !view.projection.haveSameRows(old, new, of: entity) else { return }
        try view.projection.collect(entity, old, into: &before, isAccumulating: view.isAccumulating)
        try add(new, of: entity)
    }

    /// Adds the rows of a new entity.
    mutating func add(_ new: borrowing RecordView, of entity: EntityReference) throws {
        guard view.source != .events else { return }
        try view.projection.collect(entity, new, into: &after, isAccumulating: view.isAccumulating)
        if !before.isEmpty || !after.isEmpty { try noteDifference(of: entity) }
    }

    /// O(rows · log rows).
    private mutating func noteDifference(of entity: EntityReference) throws {
        if view.isAccumulating {
            for row in before.rows { try before.withRow(row) { try changes.add($0, value: $1, isTaken: true) } }
            for row in after.rows { try after.withRow(row) { try changes.add($0, value: $1, isTaken: false) } }
        } else {
            let (old, new) = (RowLookup(before), RowLookup(after))
            for row in before.rows where new.row(of: after, at: before, row) == nil {
                before.withRow(row) { key, _ in note(.remove, key, nil, entity) }
            }
            for row in after.rows {
                let old = old.row(of: before, at: after, row)
                after.withRow(row) { key, value in
                    if let old, before.withRow(old, { $1.equals(value) }) { return }
                    note(old == nil ? .add : .replace, key, value, entity)
                }
            }
        }
        before.removeAll()
        after.removeAll()
    }

    private mutating func note(
        _ kind: Kind, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ entity: EntityReference
    ) {
        changes.put(
            key: { $0.append(contentsOf: key) },
            value: { bytes in
                bytes.append(kind.rawValue)
                bytes.append(entity)
                if let value { bytes.append(contentsOf: value) }
            })
    }

    /// Writes the rows in key order, and calls `didChange` with the key of each. Returns the increase of the row count.
    mutating func write(
        _ transaction: borrowing WriteTransaction, _ didChange: (UnsafeRawBufferPointer) -> Void
    ) throws -> Int {
        guard !changes.isEmpty else { return 0 }
        changes.sort()
        added = 0
        if view.isAccumulating {
            try writeSums(transaction, didChange)
        } else {
            try writeUnique(transaction, didChange)
        }
        changes.removeAll()
        return added
    }

    // MARK: Unique rows

    private mutating func writeUnique(
        _ transaction: borrowing WriteTransaction, _ didChange: (UnsafeRawBufferPointer) -> Void
    ) throws {
        let changes = changes
        try changes.bytes.withBytes { bytes in
            let rows = changes.rows
            var start = 0
            while start < rows.count {
                let key = bytes.part(rows[start].keyRange)
                var end = start + 1
                while end < rows.count, rows[end].prefix == rows[start].prefix,
                    bytes.part(rows[end].keyRange).equals(key)
                { end += 1 }
                try write(rows[start..<end], key, bytes, transaction)
                didChange(key)
                start = end
            }
        }
    }

    /// Writes the result of one key's changes: one entity may take a key that another entity stops using.
    private mutating func write(
        _ rows: ArraySlice<RowSink.Row>, _ key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer,
        _ transaction: borrowing WriteTransaction
    ) throws {
        var isRemoved = false
        var last: UnsafeRawBufferPointer?
        for row in rows {
            let value = bytes.part(row.valueRange)
            guard value[0] != Kind.remove.rawValue else {
                isRemoved = true
                continue
            }
            if let last, !last.part(1..<Self.headSize).equals(value.part(1..<Self.headSize)) {
                throw sharedKey(key, value)
            }
            last = value
        }
        guard let last else {
            if try transaction.delete(key, in: view.table) { added -= 1 }
            return
        }
        let value = last.part(from: Self.headSize)
        if isRemoved || last[0] == Kind.replace.rawValue {
            try transaction.put(key, value, in: view.table)
        } else {
            guard try transaction.putIfAbsent(key, value, in: view.table) else { throw sharedKey(key, last) }
            added += 1
        }
    }

    private func sharedKey(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> ProjectionFault {
        .sharedKey([UInt8](key), view: view.projection.name, EntityReference(value.part(1..<Self.headSize)))
    }

    // MARK: Accumulating rows

    /// The changes of two entities to one row may cancel out.
    private mutating func writeSums(
        _ transaction: borrowing WriteTransaction, _ didChange: (UnsafeRawBufferPointer) -> Void
    ) throws {
        try changes.sumUp()
        let changes = changes
        for row in changes.rows {
            try changes.withRow(row) { key, difference in
                try accumulate(difference, at: key, transaction)
                didChange(key)
            }
        }
    }

    private mutating func accumulate(
        _ difference: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard let stored = try transaction.reading.get(key, in: view.table) else {
            try transaction.put(key, difference, in: view.table)
            added += 1
            return
        }
        var sums = SumsByPart()
        try sums.add(stored)
        try sums.add(difference)
        guard !sums.isZero else {
            if try transaction.delete(key, in: view.table) { added -= 1 }
            return
        }
        // Written to other memory first: the stored value moves with the write.
        var value = RowBytes()
        sums.write(to: &value)
        try value.withBytes { try transaction.put(key, $0, in: view.table) }
    }
}
