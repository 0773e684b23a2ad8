import EventLog

/// Sending what the peer lacks.
extension Exchange {
    /// Returns why the peer refused some of it.
    mutating func send(_ heads: [CommitID], _ remote: Frontier) async throws -> (any Error)? {
        guard !heads.isEmpty else { return nil }
        let (ranges, journal) = try log.read { log in
            let journal = try log.journal()
            return (try log.ranges(towards: heads, lackedBy: remote.heads, in: journal), journal)
        }
        progress.commitsToSend = ranges.reduce(0) { $0 + $1.count }
        var offered = OfferedSegments()
        for range in ranges {
            var sequence = range.after
            while sequence < range.head.sequence && !offered.isRefused(range) {
                try Task.checkCancellation()
                let segment = try log.read { try $0.segment(towards: range.head, after: sequence, in: journal) }
                guard let segment else { break }
                sequence = segment.last
                offered.add(segment, of: range)
                if offered.bytes >= ExchangeSession.batchBytes { try await send(&offered) }
            }
        }
        try await send(&offered)
        return offered.fault
    }

    private mutating func send(_ offered: inout OfferedSegments) async throws {
        let batch = offered.take()
        guard !batch.isEmpty else { return }
        hasSent = true
        do { report.acknowledged = try await peer.store(batch.map(\.segment)).frontier } catch
            where error.isOfOneReplica
        {
            // The peer has stored the rest of the batch, and says so when asked.
            report.acknowledged = try await peer.frontier()
            offered.refuse(batch, holding: report.acknowledged, error)
        }
        for (range, segment) in batch where !offered.isRefused(range) {
            report.sent.commits += segment.commits.count
            report.sent.events += segment.eventCount
            report.sent.bytes += segment.byteCount
        }
        progress.sent = report.sent
        tell(progress)
    }
}
