import EventLog
import Events
import Synchronization

/// Folds references on several threads; each takes block after block.
struct ParallelFold: Sendable {
    let projections: [any Projection]
    let wanted: Set<Int>?
    let sources: CommitSources
    /// The folder for rows that must be sorted.
    let scratch: String
    let loader: BulkLoader
    let cancellation: CancellationFlag

    private struct Shares {
        var sorters: [[RowSorter]] = []
        var failure: (any Error)?
        var prefetched: UInt8 = 0
    }

    /// Folds everything, passes ordered rows to the loader, and returns the sorters of each thread with the other rows.
    func run(_ feed: ReferenceFeed) throws -> [[RowSorter]] {
        let shares = Mutex(Shares())
        try Parallel.forEach(Parallel.width) { _ in
            var folder = EntityFolder(projections, wanted: wanted, sources, scratch: scratch)
            do {
                var block: [EventReference] = []
                while let number = feed.next(&block) {
                    try cancellation.check()
                    try folder.fold(block)
                    try loader.load(&folder.ordered, number: number)
                }
            } catch {
                shares.withLock { $0.failure = $0.failure ?? error }
                feed.stop()
                // Another thread may wait for its turn, which will not come any more.
                loader.skip()
            }
            let (sorters, prefetched) = (folder.sorters, folder.prefetched)
            shares.withLock {
                $0.sorters.append(sorters)
                $0.prefetched &+= prefetched
            }
        }
        if let failure = shares.withLock({ $0.failure }) { throw failure }
        return shares.withLock { $0.sorters }
    }
}
