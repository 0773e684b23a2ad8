import EventLog
import Events

/// Stretches that are to be sent together, and what the other refused of those before.
///
/// A refusal is about one replica's commits: what was written by others goes on, or whoever has a wrong clock would keep
/// everybody's edits from those who see that it is wrong.
struct OfferedSegments {
    typealias Batch = [(stretch: LineStretch, segment: LineSegment)]

    private var batch: Batch = []
    private(set) var bytes = 0
    /// The heads of stretches of which a part was refused: what follows it would be as well.
    private var refused: Set<CommitID> = []
    /// Why the first of them was refused.
    private(set) var fault: (any Error)?

    mutating func add(_ segment: LineSegment, of stretch: LineStretch) {
        batch.append((stretch, segment))
        bytes += segment.roughSize
    }

    func isRefused(_ stretch: LineStretch) -> Bool { refused.contains(stretch.head) }

    /// Takes note that a part of a batch was refused: of those stretches that the other does not hold as far as they were
    /// sent. Of a replica whose commits fork another branch may reach as far, so that more may be sent in vain.
    mutating func refuse(_ batch: Batch, holding frontier: Frontier, _ error: any Error) {
        fault = fault ?? error
        for (stretch, segment) in batch {
            let isReached = frontier.heads.contains { $0.replica == segment.replica && $0.sequence >= segment.last }
            if !isReached { refused.insert(stretch.head) }
        }
    }

    mutating func take() -> Batch {
        defer { (batch, bytes) = ([], 0) }
        return batch
    }
}
