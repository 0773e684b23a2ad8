import Events
import LMDB

extension Log {
    /// Puts bytes of some commits back that are missing for no reason, as far as a segment has them, and returns the commits for
    /// which it did. Nothing else of the segment is looked at: the headers that are held prove what is taken from it.
    ///
    /// Throws `EventLogError.readOnly`, or what the medium refuses; nothing is then changed.
    public func heal(_ commits: Set<CommitID>, from segment: LineSegment) async throws -> Set<CommitID> {
        guard let writer else {
            throw EventLogError(.readOnly, "The store was opened for reading. Open it for writing to heal it.")
        }
        return try await writer.heal(zip(segment.commitIDs(), segment.commits).filter { commits.contains($0.0) })
    }
}

extension LogWriter {
    func heal(_ offered: [(commit: CommitID, bytes: [UInt8])]) async throws -> Set<CommitID> {
        try await worker.run { [self] in
            var healed: Set<CommitID> = []
            let last = try environment.write { transaction in
                let log = LogSnapshot(transaction.reading.alias(), tables)
                let journal = try log.journal()
                var keeper = ErasureKeeper(tables)
                // Another attempt begins anew.
                healed = []
                for (commit, bytes) in offered {
                    guard let position = try log.position(of: commit, in: journal) else { continue }
                    let isHealed = try bytes.withUnsafeBytes { raw in
                        // The chain's hash is over the header, so this one is that of the commit that is held.
                        guard let view = try? CommitView(raw), view.payloadMatches else { return false }
                        return try keeper.heal(view, at: position, transaction)
                    }
                    if isHealed { healed.insert(commit) }
                }
                try keeper.finish(transaction)
                return try log.lastPosition()
            }
            if !healed.isEmpty { observer?.received(upTo: last) }
            return healed
        }
    }
}
