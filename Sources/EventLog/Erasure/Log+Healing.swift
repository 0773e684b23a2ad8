import Events
import LMDB

extension Log {
    /// Restores bytes of some commits that are missing without a counting erasure, as far as a segment has them, and
    /// returns the restored commits. Keeps the segment's erasures of these commits, which may explain why the sender
    /// lacks bytes as well. Nothing else of the segment is used: the headers held here prove what is taken from it.
    ///
    /// Throws `EventLogError.readOnly`, or what the medium refuses; nothing is then changed.
    public func heal(_ commits: Set<CommitID>, from segment: LineSegment) async throws -> Set<CommitID> {
        guard let writer else {
            throw EventLogError(.readOnly, "The store was opened for reading. Open it for writing to heal it.")
        }
        let healed = try await writer.heal(zip(segment.commitIDs(), segment.commits).filter { commits.contains($0.0) })
        try await keep(segment.erasures.compactMap { try? Erasure($0) }.filter { commits.contains($0.commit) })
        return healed
    }
}

extension LogWriter {
    func heal(_ offered: [(commit: CommitID, bytes: [UInt8])]) async throws -> Set<CommitID> {
        try await worker.run { [self] in
            var healed: Set<CommitID> = []
            let last = try environment.write { transaction in
                let log = LogSnapshot(transaction.reading.alias(), tables)
                let journal = try log.journal()
                let last = try log.lastPosition()
                var keeper = ErasureKeeper(tables, newAfter: last)
                var members = MembershipKeeper(log, try log.verdicts(), last: try log.lastPosition())
                // Another attempt starts over.
                healed = []
                for (commit, bytes) in offered {
                    guard let position = try log.position(of: commit, in: journal) else { continue }
                    let isHealed = try bytes.withUnsafeBytes { raw in
                        // The chain's hash is over the header, so this is the held commit's.
                        guard let view = try? CommitView(raw), view.payloadMatches else { return false }
                        guard try keeper.heal(view, at: position, transaction) else { return false }
                        try members.healed(view.header, commit.hash, transaction)
                        // The explanation of the missing bytes is no longer needed.
                        try keeper.judge(position, transaction)
                        return true
                    }
                    if isHealed { healed.insert(commit) }
                }
                try keeper.finish(members, transaction)
                return last
            }
            if !healed.isEmpty { observer?.received(upTo: last) }
            return healed
        }
    }
}
