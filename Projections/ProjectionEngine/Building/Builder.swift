import EventLog
import Events
import LMDB

/// Builds a generation from the log: folds the events into final entities, sorts the rows, and loads them in bulk.
///
/// The fold sorts short references to events by entity instead of hashing entities, so that every record is made once
/// and in the order of keys. Two threads fold while another loads. Memory is bounded whatever the size of the log: what
/// does not fit lies in scratch files, in sorted runs. O(n log n) for n events.
struct Builder {
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
            let others = projections.indices.filter { !wanted.contains($0) }
            try generation.copy(others.map { (source.views[$0], generation.views[$0]) }, transaction)
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
                try transaction.put(checkpoint.position.rawValue, Invalidation.nothing, in: generation.changes)
            }
            return ProjectionGroup.RebuildReport(
                commits: collector.commits, events: collector.eventCount, position: checkpoint.position)
        }
    }

    private func fold(_ collector: EventCollector, into generation: Generation) throws {
        let loader = try BulkLoader(generation) { [progress] rows in
            progress(BuildProgress(stage: .loading, done: rows, total: rows))
        }
        defer { loader.stop() }
        // The runs that the feed goes through belong to the collector.
        try withExtendedLifetime(collector) {
            let feed = ReferenceFeed(try collector.merged(), collector.sources, total: collector.eventCount, progress)
            let folders = try ParallelFold(
                projections: projections, wanted: wanted, sources: collector.sources, generation: generation,
                loader: loader
            ).run(feed)
            try drain(folders, generation, loader)
        }
        try loader.finish()
    }

    /// Loads what had to be sorted, several views at a time.
    private func drain(_ shares: [[RowSorter]], _ generation: Generation, _ loader: BulkLoader) throws {
        let places = projections.indices.filter { place in shares[0].contains { $0.place == place } }
        try Parallel.forEach(places.count) { index in
            let table = generation.views[places[index]]
            var sorters = shares.map { $0[index] }
            try RowSorter.drain(&sorters, chunkSize: BulkLoader.chunkSize) { rows in
                var parts = [BulkLoader.Part(table: table, rows: RowSink())]
                swap(&parts[0].rows, &rows)
                try loader.load(&parts)
                swap(&parts[0].rows, &rows)
            }
        }
    }
}
