import Events
import Synchronization

/// Divides sorted references among those who fold them: block by block, none of which parts the events of an entity.
final class ReferenceFeed: Sendable {
    /// References in a block: few enough that what is made of a block and waits takes little memory.
    private static let blockSize = 1 << 13

    /// `@unchecked Sendable` is sound: the state is read and written under the mutex alone, and the merge points into runs of
    /// references that are not written to after sorting. The owner of the feed keeps them alive until the folding ends.
    private struct State: @unchecked Sendable {
        var merge: ReferenceMerge
        /// The first of the next block.
        var held: [EventReference] = []
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

    /// Puts the next block in the place of another, and answers its number, from 0; nil at the end.
    func next(_ block: inout [EventReference]) -> Int? {
        block.removeAll(keepingCapacity: true)
        let (number, done) = state.withLock { state -> (Int?, Int) in
            guard !state.isStopped else { return (nil, state.done) }
            swap(&block, &state.held)
            state.merge.take(Self.blockSize - block.count, into: &block)
            guard let last = block.last else { return (nil, state.done) }
            // Up to the end of the last entity; the first of the next one is held back.
            while true {
                let before = block.count
                state.merge.take(1, into: &block)
                guard block.count > before else { break }
                if !block[before].isOfSameEntity(as: last) {
                    state.held.append(block.removeLast())
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

    /// From now on there is nothing more.
    func stop() { state.withLock { $0.isStopped = true } }
}
