import Events
import LMDB

/// The bytes of a commit that were restored.
package struct RestoredCommit: Sendable {
    package let commit: CommitID
    package let bytes: [UInt8]

    package init(commit: CommitID, bytes: [UInt8]) {
        self.commit = commit
        self.bytes = bytes
    }
}

extension Log {
    /// Restores bytes of some commits that are missing and that no erasure hides, as far as a segment has them, and
    /// returns the restored commits. Keeps the segment's erasures of these commits, which may explain why the sender
    /// lacks bytes as well. Nothing else of the segment is used: the headers held here prove what is taken from it.
    ///
    /// Throws `EventLogError.readOnly`, or what the medium refuses; nothing is then changed.
    public func heal(_ commits: Set<CommitID>, from segment: LineSegment) async throws -> Set<CommitID> {
        guard let writer else {
            throw EventLogError(.readOnly, "The store was opened for reading. Open it for writing to heal it.")
        }
        let offered = zip(segment.commitIDs(), segment.commits).filter { commits.contains($0.0) }
        let healed = try await writer.heal(offered.map { RestoredCommit(commit: $0.0, bytes: $0.1) })
        try await keep(segment.erasures.compactMap { try? Erasure($0) }.filter { commits.contains($0.commit) })
        return healed
    }
}

extension LogWriter {
    func heal(_ offered: [RestoredCommit]) async throws -> Set<CommitID> {
        try await worker.run { [self] in
            let (healed, last) = try environment.write { transaction in
                // Another attempt starts over.
                let healed = try heal(offered, transaction)
                return (healed, try LogSnapshot(transaction.reading.alias(), tables).lastPosition())
            }
            if !healed.isEmpty {
                changes.raise()
                observer?.received(upTo: last)
            }
            return healed
        }
    }

    /// Restores what is better than what is held, inside a transaction.
    func heal(
        _ offered: [RestoredCommit], _ transaction: borrowing WriteTransaction
    ) throws -> Set<CommitID> {
        guard !offered.isEmpty else { return [] }
        let log = LogSnapshot(transaction.reading.alias(), tables)
        let (journal, last) = (try log.journal(), try log.lastPosition())
        var keeper = ErasureKeeper(tables, newAfter: last)
        var members = MembershipKeeper(log, try log.verdicts(), last: last)
        var erasing = try ErasingKeeper(log, of: journal)
        var healed: Set<CommitID> = []
        for offer in offered {
            guard let position = try log.position(of: offer.commit, in: journal) else { continue }
            let isHealed = try offer.bytes.withUnsafeBytes { raw in
                // The chain's hash is over the header, so this is the held commit's.
                guard let view = try? CommitView(raw), view.payloadMatches else { return false }
                guard try keeper.heal(view, at: position, transaction) else { return false }
                try members.healed(view.header, offer.commit.hash, transaction)
                try erasing.healed(view.header, offer.commit.hash, transaction)
                // What explained the missing bytes is no longer needed.
                try keeper.judge(position, transaction)
                return true
            }
            if isHealed { healed.insert(offer.commit) }
        }
        try keeper.finish(members, erasing, transaction)
        return healed
    }
}
