import EventLog
import Events
import LMDB

/// A run of commits being merged into a generation, inside one write transaction and the read of the log that the
/// commits come from.
///
/// Everything is computed before the first row is written: until then records are read in place.
struct Batch {
    /// The most events of several commits, and bytes of their payloads: bounds how long readers' pages are kept, and memory, for a
    /// transaction keeps each page that it changes: some twenty, 80 KiB, for each new entity with a random id.
    private static let mostEvents = 4_096
    private static let mostBytes = 256 << 10

    private let generation: Generation
    private var sources = CommitSources(after: .start)
    private let copies = PayloadCopies()
    private var references: [EventReference] = []
    /// The new records, in entity order.
    private var records = RowSink()
    private var changes: [ViewChanges]
    /// Entities that did not exist before.
    private var newEntities = 0
    private var byteCount = 0

    var eventCount: Int { references.count }
    var isFull: Bool { eventCount >= Self.mostEvents || byteCount >= Self.mostBytes }

    init(_ generation: Generation, _ views: [MaintainedView]) {
        self.generation = generation
        changes = views.map(ViewChanges.init)
    }

    /// Adds a commit's events, and the rows of the events themselves.
    mutating func add(_ commit: StoredCommit) throws {
        guard let payload = commit.countingPayload else { return }
        let number = sources.count
        sources.append(commit)
        byteCount += payload.count
        if commit.isCopy {
            sources.move(number, to: copies.copy(payload), without: commit.view.erasedLeaves.map(copies.copy))
        }
        let (stamp, sequence) = (commit.stamp, commit.header.sequence)
        try commit.forEachEvent { event, index in
            references.append(EventReference(event, index: index, commit: number, payload: payload))
            let position = EventPosition(stamp: stamp.moved(to: event.original), sequence: sequence, index: index)
            for view in changes.indices { try changes[view].add(event, at: position) }
        }
    }

    /// Writes the differences of the merged entities' rows, and returns their keys.
    mutating func finish(
        _ transaction: borrowing WriteTransaction, _ counts: inout RowCounts
    ) throws -> ChangedKeys {
        references.sort(by: EventReference.precedes)
        var merger = RecordMerger()
        var start = 0
        while start < references.count {
            var end = start + 1
            while end < references.count, references[end].isOfSameEntity(as: references[start]) { end += 1 }
            try merge(references[start..<end], &merger, transaction)
            start = end
        }
        return try write(transaction, &counts)
    }

    /// Merges the events of one entity into its record, and records how its rows differ.
    private mutating func merge(
        _ references: ArraySlice<EventReference>, _ merger: inout RecordMerger,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard let entity = references.first?.entity else { return }
        let stored = try transaction.reading.get(entity.bytes, in: generation.entities)
        if stored == nil { newEntities += 1 }
        merger.reset()
        if let stored { try merger.reset(to: RecordView(stored)) }
        for reference in references {
            try merger.apply(
                try sources.event(reference), index: Int(reference.index), stamp: sources.stamp(Int(reference.commit)))
        }
        records.put(entity, &merger)
        guard let row = records.rows.last else { return }
        try records.withRow(row) { _, after in
            let after = try RecordView(after)
            if let stored {
                let before = try RecordView(stored)
                for view in changes.indices { try changes[view].replace(before, with: after, of: entity) }
            } else {
                for view in changes.indices { try changes[view].add(after, of: entity) }
            }
        }
    }

    private mutating func write(
        _ transaction: borrowing WriteTransaction, _ counts: inout RowCounts
    ) throws -> ChangedKeys {
        var changed = ChangedKeys()
        for row in records.rows {
            try records.withRow(row) { key, value in
                try transaction.put(key, value, in: generation.entities)
                changed.add(key)
            }
        }
        changed.finish(Generation.entitiesName)
        counts[Generation.entitiesPart] += newEntities
        for index in changes.indices {
            let view = changes[index].view
            let added = try changes[index].write(transaction) { changed.add($0) }
            if let part = view.part { counts[part] += added }
            changed.finish(view.projection.name)
        }
        return changed
    }
}
