import EventLog
import Events
import LMDB

/// A run of commits being merged into a generation, inside one write transaction.
struct Batch {
    private struct Touched {
        let before: [UInt8]?
        var record: EntityRecord
    }

    private struct Addition {
        let value: [UInt8]
        let entity: EntityReference
        /// Whether the entity had a row of that key before.
        let replaces: Bool
    }

    private let generation: Generation
    private let projections: [any Projection]
    private var entities: [EntityReference: Touched] = [:]
    private var changed: [Int?: Set<[UInt8]>] = [:]
    /// Unique rows that are to go and to come, by view: all go first, for one entity may take the key that another gives
    /// up.
    private var removed: [Int: Set<[UInt8]>] = [:]
    private var added: [Int: [[UInt8]: Addition]] = [:]
    /// What the batch adds to accumulating rows, by view and key: what two entities do to one row may cancel out.
    private var differences: [Int: [[UInt8]: Accumulation]] = [:]
    private(set) var eventCount = 0

    init(_ generation: Generation, _ projections: [any Projection]) {
        self.generation = generation
        self.projections = projections
    }

    /// Merges a commit's events into the records they touch, and writes the rows of the events themselves.
    mutating func merge(_ commit: StoredCommit, _ transaction: borrowing WriteTransaction) throws {
        var sink = RowSink()
        let stamp = commit.stamp
        try commit.forEachEvent { event, index in
            try merge(event, index, stamp, transaction)
            let place = EventPlace(stamp: stamp, sequence: commit.header.sequence, index: index)
            for (view, projection) in projections.enumerated() {
                try projection.collect(event, at: place, into: &sink)
                try write(from: RowSink(), to: sink.take(), view, event.entity)
            }
            eventCount += 1
        }
    }

    private mutating func merge(
        _ event: EventView, _ index: Int, _ stamp: Stamp, _ transaction: borrowing WriteTransaction
    ) throws {
        let entity = event.entity
        // Taken out and put back, so that the record is changed in place and not copied.
        var touched = try entities.removeValue(forKey: entity) ?? load(entity, transaction)
        try touched.record.apply(event, index: index, stamp: stamp)
        entities[entity] = touched
    }

    private func load(_ entity: EntityReference, _ transaction: borrowing WriteTransaction) throws -> Touched {
        guard let bytes = try transaction.reading.get(entity.bytes, in: generation.entities) else {
            return Touched(before: nil, record: EntityRecord())
        }
        return Touched(before: [UInt8](bytes), record: try EntityRecord(bytes))
    }

    /// Writes what the merged entities' rows differ by, and answers which keys those were.
    mutating func finish(at position: Position, _ transaction: borrowing WriteTransaction) throws -> Invalidation {
        var before = RowSink()
        var after = RowSink()
        for (entity, touched) in entities {
            let encoded = touched.record.encoded()
            for (view, projection) in projections.enumerated() {
                if let old = touched.before {
                    try old.withUnsafeBytes { try projection.collect(entity, RecordView($0), into: &before) }
                }
                try encoded.withUnsafeBytes { try projection.collect(entity, RecordView($0), into: &after) }
                try write(from: before.take(), to: after.take(), view, entity)
            }
            let key = entity.bytes
            try transaction.put(key, encoded, in: generation.entities)
            changed[nil, default: []].insert(key)
        }
        try writeUnique(transaction)
        for (view, sums) in differences {
            for (key, difference) in sums where difference != .zero {
                try accumulate(key, difference, view, transaction)
            }
        }
        var keys: [String: [[UInt8]]] = [:]
        for (view, set) in changed {
            let name = view.map { projections[$0].name } ?? Generation.entitiesName
            keys[name] = set.sorted { $0.lexicographicallyPrecedes($1) }
        }
        return Invalidation(position: position, keys: keys)
    }

    /// Takes note of how the rows that something contributed before become those that it contributes now.
    private mutating func write(
        from before: RowSink, to after: RowSink, _ view: Int, _ entity: EntityReference
    ) throws(ProjectionFault) {
        for row in before.unique where !after.unique.contains(where: { $0.key == row.key }) {
            removed[view, default: []].insert(row.key)
        }
        for row in after.unique {
            let replaces = before.unique.contains { $0.key == row.key }
            if replaces && before.unique.contains(where: { $0.key == row.key && $0.value == row.value }) { continue }
            let addition = Addition(value: row.value, entity: entity, replaces: replaces)
            if let other = added[view, default: [:]].updateValue(addition, forKey: row.key), other.entity != entity {
                throw .sharedKey(row.key, view: projections[view].name, entity)
            }
        }
        for row in before.contributions { differences[view, default: [:]][row.key, default: .zero] += -row.amount }
        for row in after.contributions { differences[view, default: [:]][row.key, default: .zero] += row.amount }
    }

    private mutating func writeUnique(_ transaction: borrowing WriteTransaction) throws {
        for (view, keys) in removed {
            for key in keys {
                // What another entity takes over below counts as changed there.
                try transaction.delete(key, in: generation.views[view])
                changed[view, default: []].insert(key)
            }
        }
        for (view, rows) in added {
            for (key, row) in rows {
                if row.replaces {
                    try transaction.put(key, row.value, in: generation.views[view])
                } else if try !transaction.putIfAbsent(key, row.value, in: generation.views[view]) {
                    throw ProjectionFault.sharedKey(key, view: projections[view].name, row.entity)
                }
                changed[view, default: []].insert(key)
            }
        }
    }

    private mutating func accumulate(
        _ key: [UInt8], _ difference: Accumulation, _ view: Int, _ transaction: borrowing WriteTransaction
    ) throws {
        let table = generation.views[view]
        var sum = Accumulation.zero
        if let bytes = try transaction.reading.get(key, in: table) {
            guard let stored = Accumulation(bytes) else { throw ProjectionError.damaged("a sum") }
            sum = stored
        }
        sum += difference
        if sum == .zero {
            try transaction.delete(key, in: table)
        } else {
            try transaction.put(key, sum.encoded(), in: table)
        }
        changed[view, default: []].insert(key)
    }
}

extension Accumulation {
    static let zero = Accumulation(count: 0, amount: 0)
}
