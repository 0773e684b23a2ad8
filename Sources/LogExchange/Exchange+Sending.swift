import EventLog
import Events

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
        hasSentErasing = hasSentErasing || batch.contains { $0.segment.hasErasingCommits }
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

    // MARK: Acknowledgement

    /// A peer that does not show a commit this long after it was first sent, in milliseconds: an hour. Members that come and go between the
    /// two frontiers of an exchange make an honest peer leave out a commit once.
    private static let longestUnshown: Int64 = 3_600_000

    /// Notes what the peer was sent and does not show afterwards, by its acknowledgement, and counts what it should have shown long ago.
    ///
    /// An honest peer shows all of it at once. Left out are peers that state the past, frontiers that are full, and replicas that are not in
    /// force by what is held here: others do not list their lines, or list less of them. What is no longer sent to the peer is forgotten.
    mutating func noteUnacknowledged(_ sent: [CommitID]) throws {
        guard session.isFirstHand(report.peer), !log.isReadOnly else { return }
        let (now, shown) = (log.wallClock, report.acknowledged)
        guard shown.heads.count < Frontier.mostHeads else { return }
        guard !sent.isEmpty else {
            report.unacknowledged = [:]
            return
        }
        let before = try PeerBook(log).record(of: report.peer.replica)?.unacknowledged ?? [:]
        (report.unacknowledged, report.notShown) = try log.read { log in
            let journal = try log.journal()
            let membership = try log.membership()
            let heads = shown.byReplica
            var found: [CommitID: Int64] = [:]
            for head in sent {
                if let membership, membership.members[head.replica]?.isRevoked != false { continue }
                let listed = heads[head.replica] ?? []
                // Fast path: what an honest peer shows.
                if listed.contains(head) { continue }
                if try listed.contains(where: { try log.precedes(head, $0, in: journal) }) { continue }
                var isNew = true
                for (commit, since) in before where try log.precedes(commit, head, in: journal) {
                    if try listed.contains(where: { try log.precedes(commit, $0, in: journal) }) { continue }
                    // A clock may have been set back since.
                    found[commit] = min(since, now)
                    isNew = false
                }
                if isNew { found[head] = now }
            }
            let oldest = found.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(PeerBook.mostHeads)
            let kept = Dictionary(uniqueKeysWithValues: oldest.map { ($0.key, $0.value) })
            let overdue = kept.filter { now - $0.value >= Self.longestUnshown }.map(\.key)
            guard !overdue.isEmpty else { return (kept, 0) }
            let count = try log.ranges(towards: overdue, lackedBy: shown.heads, in: journal).reduce(0) { $0 + $1.count }
            return (kept, count)
        }
    }
}

extension LineSegment {
    /// Whether a commit of it erases something or takes an erasure back. O(commits).
    fileprivate var hasErasingCommits: Bool {
        commits.contains { bytes in bytes.withUnsafeBytes { (try? CommitView($0))?.header.isErasing ?? false } }
    }
}
