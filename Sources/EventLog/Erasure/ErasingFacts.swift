import Events

/// A statement about erasing with everything that decides what it means.
struct ErasingFact: Hashable, Sendable {
    let statement: ErasingStatement
    /// The commit that holds it.
    let commit: CommitID
    let index: Int
    let timestamp: Timestamp
    /// When this log stored it, in milliseconds since 1970: a fact of this log alone.
    let arrival: Int64
    /// Whether this log wrote the commit, and did not receive it: another holder of the same key is not this replica.
    let isWrittenHere: Bool

    /// The replica that states it.
    var author: ReplicaID { commit.replica }

    /// The later of its own time and of its arrival, in milliseconds since 1970.
    var start: Int64 { max(Int64(clamping: timestamp.milliseconds), arrival) }

    /// The commits that state the erasures for which it erases what arrived late; empty for one that stands by itself.
    var causes: [CommitID] { if case .erasure(_, _, let causes) = statement { causes } else { [] } }

    /// Whether it is later in the order of the merge.
    func isLater(than other: ErasingFact) -> Bool {
        stamp == other.stamp ? index > other.index : stamp > other.stamp
    }

    private var stamp: Stamp { Stamp(timestamp: timestamp, replica: commit.replica, hash: commit.hash) }

    /// The commit that it is about; nil for a period.
    var target: CommitID? {
        switch statement {
        case .erasure(let erasure, _, _): erasure.commit
        case .takeBack(let commit, _): commit
        case .period: nil
        }
    }

    /// The statements of a commit, before it is judged whether they count. An unreadable payload states nothing.
    static func all(
        in header: CommitHeader, _ hash: Digest, _ payload: PayloadView?, arrival: Int64,
        isWrittenHere: Bool = false
    ) -> [ErasingFact] {
        guard header.isErasing, let payload = try? payload?.copy(), payload.isErasingBounded else { return [] }
        let commit = CommitID(replica: header.replica, sequence: header.sequence, hash: hash)
        return payload.erasing.enumerated().compactMap { index, bytes in
            guard let statement = try? bytes.withUnsafeBytes({ try ErasingStatement($0) }) else { return nil }
            // Signed by itself as well: it goes with a commit that lacks the bytes.
            if case .erasure(let erasure, _, _) = statement,
                erasure.eraser != header.replica || erasure.journal != header.journal || !erasure.isSigned
            {
                return nil
            }
            return ErasingFact(
                statement: statement, commit: commit, index: index, timestamp: header.timestamp, arrival: arrival,
                isWrittenHere: isWrittenHere)
        }
    }
}
