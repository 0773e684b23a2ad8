import EventLog
import Events
import LMDB

/// Builds a generation from the log: folds the events into final entities, sorts the rows, and loads them in bulk.
///
/// The fold sorts short references to events by entity instead of hashing entities, so that every record is made once
/// and in the order of keys.
struct Builder {
    /// Where an event lies in the log, and whose it is.
    private struct Reference {
        /// The id's bytes as two numbers: their order is the order of the keys.
        let high: UInt64
        let low: UInt64
        let kind: UInt16
        /// Its commit's place in `commits`.
        let commit: UInt32
        let index: UInt32
        let offset: UInt32
        let length: UInt32

        var entity: EntityReference {
            let bytes = high.bigEndianBytes + low.bigEndianBytes
            return EntityReference(kind: EntityKind(rawValue: kind), id: bytes.withUnsafeBytes { $0.uuid() })
        }

        func isOfSameEntity(as other: Reference) -> Bool {
            high == other.high && low == other.low && kind == other.kind
        }

        static func precedes(_ a: Reference, _ b: Reference) -> Bool {
            if a.high != b.high { return a.high < b.high }
            if a.low != b.low { return a.low < b.low }
            if a.kind != b.kind { return a.kind < b.kind }
            return (a.commit, a.index) < (b.commit, b.index)
        }
    }

    /// A commit whose events are referred to. Its bytes lie in the log's map for as long as the read goes on.
    private struct Source {
        let stamp: Stamp
        let sequence: SequenceNumber
        let position: Position
        let payload: UnsafeRawBufferPointer

        func event(_ reference: Reference) throws(WireError) -> EventView {
            let offset = Int(reference.offset)
            return try EventView(payload.part(offset..<offset + Int(reference.length)))
        }
    }

    let projections: [any Projection]
    /// The views to compute from the log, by their places; nil for all. The entities always are.
    let wanted: Set<Int>?
    let progress: @Sendable (BuildProgress) -> Void

    /// Fills an empty generation with the newest state, or, where views are taken over from another generation, with
    /// the state at which that one stands. Waits.
    func build(
        _ generation: Generation, from log: Log, takingOthersFrom source: Generation?
    ) throws -> ProjectionGroup.RebuildReport {
        guard let source, let wanted else { return try build(generation, from: log, upTo: Position(.max)) }
        return try source.environment.read { transaction in
            let end = try source.checkpoint(transaction).position
            let report = try build(generation, from: log, upTo: end)
            for view in projections.indices where !wanted.contains(view) {
                try RowCollector.copy(source.views[view], transaction, to: generation.views[view], generation)
            }
            return report
        }
    }

    /// Fills an empty generation with the state at a position, of those commits alone that a horizon includes. Waits.
    func build(
        _ generation: Generation, from log: Log, upTo end: Position, within horizon: Horizon? = nil
    ) throws -> ProjectionGroup.RebuildReport {
        try log.read { snapshot in
            var collected = try collect(snapshot, upTo: end, within: horizon)
            collected.references.sort(by: Reference.precedes)
            var rows = RowCollector(projections: projections, wanted: wanted)
            try fold(collected.references, collected.sources, into: &rows)
            let report = ProjectionGroup.RebuildReport(
                commits: collected.commits, events: collected.references.count,
                position: collected.checkpoint.position)
            let checkpoint = collected.checkpoint
            collected = Collected()
            try rows.load(into: generation, progress)
            try generation.environment.write { transaction in
                try generation.setCheckpoint(checkpoint, transaction)
                let first = Invalidation(position: checkpoint.position, keys: [:])
                try transaction.put(first.position.rawValue, first.encoded(), in: generation.changes)
            }
            return report
        }
    }

    /// What the log holds, by reference.
    private struct Collected {
        var sources: [Source] = []
        var references: [Reference] = []
        var commits = 0
        var checkpoint = Checkpoint.start
    }

    private func collect(
        _ log: borrowing LogSnapshot, upTo end: Position, within horizon: Horizon?
    ) throws -> Collected {
        let total = try min(log.lastPosition(), end)
        var collected = Collected()
        try log.forEachCommit(after: .start, upTo: end) { commit in
            collected.checkpoint = Checkpoint(position: commit.position, hash: commit.hash)
            guard horizon?.includes(commit.position, commit.header.timestamp) ?? true else { return true }
            collected.commits += 1
            if collected.commits % 4096 == 0 {
                progress(BuildProgress(stage: .reading, done: commit.position.rawValue, total: total.rawValue))
            }
            guard let payload = commit.view.payloadBytes else { return true }
            let number = UInt32(collected.sources.count)
            let countBefore = collected.references.count
            commit.forEachEvent { event, index in
                collected.references.append(
                    Self.reference(to: event, index: index, commit: number, payload: payload))
            }
            if collected.references.count > countBefore {
                collected.sources.append(
                    Source(
                        stamp: commit.stamp, sequence: commit.header.sequence, position: commit.position,
                        payload: payload))
            }
            return true
        }
        return collected
    }

    private static func reference(
        to event: EventView, index: Int, commit: UInt32, payload: UnsafeRawBufferPointer
    ) -> Reference {
        let id = event.entity.id.bytes
        let place = event.range(in: payload)
        return id.withUnsafeBytes { id in
            Reference(
                high: id.bigEndian(UInt64.self), low: id.bigEndian(UInt64.self, at: 8),
                kind: event.entity.kind.rawValue, commit: commit, index: UInt32(index),
                offset: UInt32(place.lowerBound), length: UInt32(place.count))
        }
    }

    private func fold(_ references: [Reference], _ sources: [Source], into rows: inout RowCollector) throws {
        var start = 0
        while start < references.count {
            var record = EntityRecord()
            let entity = references[start].entity
            var end = start
            while end < references.count, references[end].isOfSameEntity(as: references[start]) {
                let reference = references[end]
                let source = sources[Int(reference.commit)]
                let event = try source.event(reference)
                let index = Int(reference.index)
                try record.apply(event, index: index, stamp: source.stamp)
                let place = EventPlace(stamp: source.stamp, sequence: source.sequence, index: index)
                do { try rows.add(event, at: place) } catch let fault as ProjectionFault {
                    throw fault.found(at: source.position)
                }
                end += 1
            }
            do { try rows.add(entity, record) } catch let fault as ProjectionFault {
                throw try located(fault, references[start..<end], sources)
            }
            start = end
            if rows.entityCount % 4096 == 0 {
                progress(BuildProgress(stage: .folding, done: UInt64(start), total: UInt64(references.count)))
            }
        }
    }

    /// Finds the first commit that left the entity in a state at which the projection fails.
    private func located(
        _ fault: ProjectionFault, _ references: ArraySlice<Reference>, _ sources: [Source]
    ) throws -> ProjectionFault {
        guard let projection = projections.first(where: { $0.name == fault.view }), let entity = fault.entity else {
            return fault
        }
        var record = EntityRecord()
        // In the order of arrival, which is that of the references of one entity.
        for reference in references {
            let source = sources[Int(reference.commit)]
            try record.apply(source.event(reference), index: Int(reference.index), stamp: source.stamp)
            var sink = RowSink()
            do {
                try record.encoded().withUnsafeBytes { bytes in
                    try projection.collect(entity, RecordView(bytes), into: &sink)
                }
            } catch let found as ProjectionFault {
                return found.found(at: source.position)
            }
        }
        return fault
    }
}
