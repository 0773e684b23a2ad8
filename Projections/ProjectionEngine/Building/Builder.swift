import EventLog
import Events
import LMDB
import LMDBFormat

/// Builds the file of a generation from the log: folds the events into final entities, sorts the rows, and loads them in bulk.
///
/// The fold sorts short references to events by entity instead of hashing entities, so that every record is made once
/// and in key order. Two threads fold while another loads. Memory is bounded whatever the size of the log: what does not
/// fit is spilled to scratch files, in sorted runs. O(n log n) for n events.
struct Builder {
    let projections: [any Projection]
    /// The views that are attached to the generation; they are always computed.
    let attached: AttachedViews
    /// The indexes, among the projections, of the views to compute from the log; nil for all. The entities always are.
    let wanted: Set<Int>?
    let progress: @Sendable (BuildProgress) -> Void
    /// Raised to give the build up: it then throws `CancellationError`.
    let cancellation: CancellationFlag

    /// Makes the file of a generation: with the newest state or, if views are copied from another generation, with the
    /// state at that generation's checkpoint. Blocks.
    func build(
        in folder: GenerationFolder, from log: Log, takingOthersFrom source: Generation?
    ) throws -> ProjectionGroup.RebuildReport {
        guard let source, let wanted else { return try build(in: folder, from: log, upTo: Position(.max)) }
        // The log's read begins first, so the source may show later commits: then once more.
        while true {
            let report: ProjectionGroup.RebuildReport? = try log.read { snapshot in
                try source.environment.read { transaction in
                    let checkpoint = try source.checkpoint(transaction)
                    guard try checkpoint.position <= snapshot.lastPosition() else { return nil }
                    // The other views may still show something that was erased since.
                    if try checkpoint.isOutdated(by: snapshot) {
                        return try Builder(
                            projections: projections, attached: attached, wanted: nil, progress: progress,
                            cancellation: cancellation
                        )
                        .build(in: folder, from: snapshot, upTo: Position(.max))
                    }
                    return try build(in: folder, from: snapshot, upTo: checkpoint.position) { file in
                        for view in projections.indices where !wanted.contains(view) {
                            let part = file.part(Generation.part(ofView: view))
                            var cursor = try transaction.cursor(on: source.views[view])
                            while let row = try cursor.next() {
                                try cancellation.check()
                                try part.append(row.key, row.value)
                            }
                        }
                    }
                }
            }
            if let report { return report }
        }
    }

    /// Makes the file of a generation with the state at a position, only from the commits that a horizon includes. Blocks.
    func build(
        in folder: GenerationFolder, from log: Log, upTo end: Position, within horizon: Horizon? = nil
    ) throws -> ProjectionGroup.RebuildReport {
        try log.read { try build(in: folder, from: $0, upTo: end, within: horizon) }
    }

    /// `addOthers` adds the views that are not computed.
    func build(
        in folder: GenerationFolder, from log: borrowing LogSnapshot, upTo end: Position,
        within horizon: Horizon? = nil,
        addOthers: (DataFileBuilder) throws -> Void = { _ in }
    ) throws -> ProjectionGroup.RebuildReport {
        var collector = EventCollector(folder: folder.path)
        try collector.collect(log, upTo: end, within: horizon, cancellation, progress)
        let file = try DataFileBuilder(in: folder.path)
        try fold(collector, into: file, scratch: folder.path)
        try addOthers(file)
        try addState(collector.checkpoint, collector.neededUpdate, to: file)
        try file.finish()
        return ProjectionGroup.RebuildReport(
            commits: collector.commits, events: collector.eventCount, position: collector.checkpoint.position)
    }

    /// The projections, then those of the attached views.
    private var all: [any Projection] { projections + (attached.projection.map { [$0] } ?? []) }

    private func part(ofView index: Int) -> UInt8 {
        index < projections.count ? Generation.part(ofView: index) : Generation.attachedPart
    }

    /// The engine's own rows.
    private func addState(_ checkpoint: Checkpoint, _ needed: NeededUpdate?, to file: DataFileBuilder) throws {
        try file.part(Generation.changesPart).append(checkpoint.position.rawValue.bigEndianBytes, Invalidation.nothing)
        var counts = RowCounts(parts: projections.count + 3)
        let parts =
            [Generation.entitiesPart, Generation.changesPart] + projections.indices.map(Generation.part(ofView:))
        for part in parts { counts[part] = file.count(ofPart: part) }
        let meta = file.part(Generation.metaPart)
        if !attached.views.isEmpty { try meta.append(Generation.attachedKey, attached.encoded(withUnknown: false)) }
        if let needed { try meta.append(Generation.neededUpdateKey, needed.encoded()) }
        try meta.append(Generation.countsKey, counts.encoded)
        try meta.append(Generation.stateKey, checkpoint.encoded())
    }

    private func fold(_ collector: EventCollector, into file: DataFileBuilder, scratch: String) throws {
        let loader = BulkLoader(file) { [progress] rows in
            progress(BuildProgress(stage: .loading, done: rows, total: rows))
        }
        defer { loader.stop() }
        // The collector owns the runs that the feed reads.
        try withExtendedLifetime(collector) {
            let feed = ReferenceFeed(try collector.merged(), collector.sources, total: collector.eventCount, progress)
            let folders = try ParallelFold(
                projections: all, wanted: wanted.map { $0.union(projections.count..<all.count) },
                sources: collector.sources, scratch: scratch,
                loader: loader, cancellation: cancellation
            ).run(feed)
            try drain(folders, loader)
        }
        try loader.finish()
        try cancellation.check()
    }

    /// Loads the rows that had to be sorted, several views at a time.
    private func drain(_ shares: [[RowSorter]], _ loader: BulkLoader) throws {
        let views = all.indices.filter { view in shares[0].contains { $0.view == view } }
        try Parallel.forEach(views.count) { index in
            let number = part(ofView: views[index])
            var sorters = shares.map { $0[index] }
            try RowSorter.drain(&sorters, chunkSize: BulkLoader.chunkSize) { rows in
                try cancellation.check()
                var parts = [BulkLoader.Part(number: number, rows: RowSink())]
                swap(&parts[0].rows, &rows)
                try loader.load(&parts)
                swap(&parts[0].rows, &rows)
            }
        }
    }
}
