import Events
import Synchronization

/// Divides sorted references among the folding threads, in blocks. A block has all events of its entities.
final class ReferenceFeed: Sendable {
    /// The references of a block and the bytes of their events: few enough that the waiting rows of a block take little memory.
    private static let blockSize = 1 << 13
    private static let blockBytes = 1 << 20

    /// `@unchecked Sendable` is sound: the state is accessed only under the mutex, and the merge points into runs of
    /// references that are not written to after sorting. The owner of the feed keeps them alive until the fold ends.
    private struct State: @unchecked Sendable {
        var merge: ReferenceMerge
        /// The first reference of the next block.
        var carried: [EventReference] = []
        var count = 0
        var done = 0
        var isStopped = false
    }

    private let state: Mutex<State>
    private let sources: CommitSources
    private let total: Int
    private let progress: @Sendable (BuildProgress) -> Void

    init(
        _ merge: ReferenceMerge, _ sources: CommitSources, total: Int,
        _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) {
        state = Mutex(State(merge: merge))
        self.sources = sources
        self.total = total
        self.progress = progress
    }

    /// Replaces a block with the next one, and returns its number, from 0; nil at the end.
    func next(_ block: inout [EventReference]) -> Int? {
        block.removeAll(keepingCapacity: true)
        let (number, done) = state.withLock { state -> (Int?, Int) in
            guard !state.isStopped else { return (nil, state.done) }
            swap(&block, &state.carried)
            state.merge.take(Self.blockSize - block.count, bytes: Self.blockBytes, into: &block)
            guard let last = block.last else { return (nil, state.done) }
            // Up to the end of the last entity; the first reference of the next entity goes into the next block.
            while true {
                let before = block.count
                state.merge.take(1, bytes: 1, into: &block)
                guard block.count > before else { break }
                if !block[before].isOfSameEntity(as: last) {
                    state.carried.append(block.removeLast())
                    break
                }
            }
            defer { state.count += 1 }
            state.done += block.count
            return (state.count, state.done)
        }
        if number != nil { progress(BuildProgress(stage: .folding, done: UInt64(done), total: UInt64(total))) }
        return number
    }

    /// Ends the feed: `next` returns nil from now on.
    func stop() { state.withLock { $0.isStopped = true } }
}
