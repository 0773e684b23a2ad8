import EventLog
import Events

/// Segments that are to be sent together, and what the peer refused of earlier ones.
///
/// A refusal concerns one replica's commits: those of other replicas are still sent. Otherwise one replica with a wrong
/// clock would keep all edits from peers that notice it.
struct OfferedSegments {
    typealias Batch = [(range: LineRange, segment: LineSegment)]

    private var batch: Batch = []
    private(set) var bytes = 0
    /// The heads of ranges of which a part was refused: the peer would refuse what follows it as well.
    private var refused: Set<CommitID> = []
    /// Why the first of them was refused.
    private(set) var fault: (any Error)?

    mutating func add(_ segment: LineSegment, of range: LineRange) {
        batch.append((range, segment))
        bytes += segment.roughSize
    }

    func isRefused(_ range: LineRange) -> Bool { refused.contains(range.head) }

    /// Records that a part of a batch was refused: of those ranges that the peer does not hold as far as they were
    /// sent. For a replica whose commits fork another branch may reach as far, so that more may be sent in vain.
    mutating func refuse(_ batch: Batch, holding frontier: Frontier, _ error: any Error) {
        fault = fault ?? error
        for (range, segment) in batch {
            let isReached = frontier.heads.contains { $0.replica == segment.replica && $0.sequence >= segment.last }
            if !isReached { refused.insert(range.head) }
        }
    }

    mutating func take() -> Batch {
        defer { (batch, bytes) = ([], 0) }
        return batch
    }
}
