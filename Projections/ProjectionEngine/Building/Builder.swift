import EventLog
import Events
import LMDB
import LMDBFormat

/// Builds the file of a generation from the log: folds the events into final entities, sorts the rows, and loads them in bulk.
///
/// The fold sorts short references to events by entity instead of hashing entities, so that every record is made once
/// and in the order of keys. Two threads fold while another loads. Memory is bounded whatever the size of the log: what
/// does not fit lies in scratch files, in sorted runs. O(n log n) for n events.
struct Builder {
    let projections: [any Projection]
    /// The views to compute from the log, by their places; nil for all. The entities always are.
    let wanted: Set<Int>?
    let progress: @Sendable (BuildProgress) -> Void

    /// Makes the file of a generation, with the newest state or, where views are taken over from another generation, with
    /// the state at which that one stands. Waits.
    func build(
        in folder: GenerationFolder, from log: Log, takingOthersFrom source: Generation?
    ) throws -> ProjectionGroup.RebuildReport {
        guard let source, let wanted else { return try build(in: folder, from: log, upTo: Position(.max)) }
        return try source.environment.read { transaction in
            let checkpoint = try source.checkpoint(transaction)
            return try log.read { snapshot in
                // Of what was erased since the other views may show something.
                if try checkpoint.isOutdated(by: snapshot) {
                    return try Builder(projections: projections, wanted: nil, progress: progress)
                        .build(in: folder, from: snapshot, upTo: Position(.max))
                }
                return try build(in: folder, from: snapshot, upTo: checkpoint.position) { file in
                    for place in projections.indices where !wanted.contains(place) {
                        let part = file.part(Generation.part(ofView: place))
                        var cursor = try transaction.cursor(on: source.views[place])
                        while let row = try cursor.next() { try part.append(row.key, row.value) }
                    }
                }
            }
        }
    }

    /// Makes the file of a generation with the state at a position, of those commits alone that a horizon includes. Waits.
    func build(
        in folder: GenerationFolder, from log: Log, upTo end: Position, within horizon: Horizon? = nil
    ) throws -> ProjectionGroup.RebuildReport {
        try log.read { try build(in: folder, from: $0, upTo: end, within: horizon) }
    }

    /// `addOthers` adds views that are not wanted.
    private func build(
        in folder: GenerationFolder, from log: borrowing LogSnapshot, upTo end: Position,
        within horizon: Horizon? = nil,
        addOthers: (DataFileBuilder) throws -> Void = { _ in }
    ) throws -> ProjectionGroup.RebuildReport {
        var collector = EventCollector(folder: folder.path)
        try collector.collect(log, upTo: end, within: horizon, progress)
        let file = try DataFileBuilder(in: folder.path)
        try fold(collector, into: file, scratch: folder.path)
        try addOthers(file)
        try addState(collector.checkpoint, to: file)
        try file.finish()
        return ProjectionGroup.RebuildReport(
            commits: collector.commits, events: collector.eventCount, position: collector.checkpoint.position)
    }

    /// The engine's own rows.
    private func addState(_ checkpoint: Checkpoint, to file: DataFileBuilder) throws {
        try file.part(Generation.changesPart).append(checkpoint.position.rawValue.bigEndianBytes, Invalidation.nothing)
        var counts = RowCounts(parts: projections.count + 3)
        let parts =
            [Generation.entitiesPart, Generation.changesPart] + projections.indices.map(Generation.part(ofView:))
        for part in parts { counts[part] = file.count(ofPart: part) }
        let meta = file.part(Generation.metaPart)
        try meta.append(Generation.countsKey, counts.encoded)
        try meta.append(Generation.stateKey, checkpoint.encoded())
    }

    private func fold(_ collector: EventCollector, into file: DataFileBuilder, scratch: String) throws {
        let loader = BulkLoader(file) { [progress] rows in
            progress(BuildProgress(stage: .loading, done: rows, total: rows))
        }
        defer { loader.stop() }
        // The runs that the feed goes through belong to the collector.
        try withExtendedLifetime(collector) {
            let feed = ReferenceFeed(try collector.merged(), collector.sources, total: collector.eventCount, progress)
            let folders = try ParallelFold(
                projections: projections, wanted: wanted, sources: collector.sources, scratch: scratch,
                loader: loader
            ).run(feed)
            try drain(folders, loader)
        }
        try loader.finish()
    }

    /// Loads what had to be sorted, several views at a time.
    private func drain(_ shares: [[RowSorter]], _ loader: BulkLoader) throws {
        let places = projections.indices.filter { place in shares[0].contains { $0.place == place } }
        try Parallel.forEach(places.count) { index in
            let number = Generation.part(ofView: places[index])
            var sorters = shares.map { $0[index] }
            try RowSorter.drain(&sorters, chunkSize: BulkLoader.chunkSize) { rows in
                var parts = [BulkLoader.Part(number: number, rows: RowSink())]
                swap(&parts[0].rows, &rows)
                try loader.load(&parts)
                swap(&parts[0].rows, &rows)
            }
        }
    }
}
