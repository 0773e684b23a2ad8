import EventLog
import Events
import LMDB

/// Builds a generation from the log: folds the events into final entities, sorts the rows, and loads them in bulk.
///
/// The fold sorts short references to events by entity instead of hashing entities, so that every record is made once
/// and in the order of keys. One thread folds while another loads. Memory is bounded whatever the size of the log: what
/// does not fit lies in scratch files, in sorted runs. O(n log n) for n events.
struct Builder {
    /// How many references are taken at once: few enough that what they point to stays in the processor's cache.
    private static let blockSize = 256

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
                try generation.copy(source.views[view], transaction, to: generation.views[view])
            }
            return report
        }
    }

    /// Fills an empty generation with the state at a position, of those commits alone that a horizon includes. Waits.
    func build(
        _ generation: Generation, from log: Log, upTo end: Position, within horizon: Horizon? = nil
    ) throws -> ProjectionGroup.RebuildReport {
        try log.read { snapshot in
            var collector = EventCollector(folder: generation.folder.path)
            try collector.collect(snapshot, upTo: end, within: horizon, progress)
            try fold(collector, into: generation)
            let checkpoint = collector.checkpoint
            try generation.environment.write { transaction in
                try generation.setCheckpoint(checkpoint, transaction)
                let first = Invalidation(position: checkpoint.position, keys: [:])
                try transaction.put(first.position.rawValue, first.encoded(), in: generation.changes)
            }
            return ProjectionGroup.RebuildReport(
                commits: collector.commits, events: collector.eventCount, position: checkpoint.position)
        }
    }

    private func fold(_ collector: EventCollector, into generation: Generation) throws {
        let total = UInt64(collector.eventCount)
        let loader = BulkLoader(generation) { [progress] rows in
            progress(BuildProgress(stage: .loading, done: rows, total: rows))
        }
        defer { loader.stop() }
        var folder = EntityFolder(projections, wanted: wanted, collector.sources, generation, loader)
        var merge = try collector.merged()
        var block: [EventReference] = []
        block.reserveCapacity(Self.blockSize)
        var done: UInt64 = 0
        var touched: UInt8 = 0
        // The runs belong to the collector.
        try withExtendedLifetime(collector) {
            while true {
                block.removeAll(keepingCapacity: true)
                merge.take(Self.blockSize, into: &block)
                guard !block.isEmpty else { break }
                // Asked for at once, what lies in distant places of the log comes from memory at once.
                for reference in block { touched &+= collector.sources.bytes(reference).first ?? 0 }
                try folder.fold(block)
                done += UInt64(block.count)
                if done % (256 * UInt64(Self.blockSize)) == 0 {
                    progress(BuildProgress(stage: .folding, done: done, total: total))
                }
            }
            try folder.finish()
        }
        try loader.finish()
        // Without a use of the sum its loop would be left out.
        if touched == 1 && total == .max { progress(BuildProgress(stage: .folding, done: total, total: total)) }
    }
}
