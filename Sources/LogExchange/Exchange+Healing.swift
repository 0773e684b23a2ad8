import EventLog
import Events

extension Exchange {
    /// All that was wanted has come.
    private struct Healed: Error {}

    /// Asks once more for commits of which bytes are missing that no erasure names, and puts those bytes back. O(commits), and what
    /// lies between them and the signatures after them goes over the wire.
    ///
    /// A stretch of which the other lacks bytes as well is refused as ever, and what it has stays as it is here.
    mutating func heal() async throws {
        guard !log.isReadOnly else { return }
        let journal = log.journal
        let lost = try log.read { try $0.lostBytes(of: journal) }
        guard !lost.isEmpty else { return }
        let remote = try await peer.frontier()
        var left = Set(lost.map(\.commit))
        for head in remote.heads {
            let onLine = try log.read { log in
                try lost.filter { try left.contains($0.commit) && log.precedes($0.commit, head, in: journal) }
            }
            guard let first = onLine.min(by: { $0.commit.sequence < $1.commit.sequence }) else { continue }
            try await heal(Set(onLine.map(\.commit.sequence)), from: first.previous, towards: head, remote)
            left.subtract(onLine.map(\.commit))
        }
        report.lost = try log.read { try $0.lostBytes(of: journal).count }
    }

    /// Gets the stretches of a line on which commits with some numbers lie.
    private mutating func heal(
        _ numbers: Set<SequenceNumber>, from previous: CommitID?, towards head: CommitID, _ remote: Frontier
    ) async throws {
        let journal = log.journal
        let request = SegmentRequest(journal: journal, wanted: [head], held: previous.map { [$0] } ?? [])
        var guardian = StreamGuard(
            journal: journal, heads: remote.heads, wanted: [head],
            held: try log.read { try $0.newestCommits(of: journal) })
        var healed = 0
        let last = numbers.max() ?? .start
        do {
            try await peer.segments(request) { [log] segment in
                try Task.checkCancellation()
                try guardian.check(segment)
                if segment.first <= last, numbers.contains(where: { segment.first <= $0 && $0 <= segment.last }) {
                    // What the other lacks as well is counted in the end.
                    do { healed += try await log.store([segment]).rewritten } catch let error as EventLogError
                        where error.isOfOneReplica
                    {}
                }
                if segment.replica == head.replica && segment.last >= last { throw Healed() }
            }
        } catch is Healed {}
        report.healed += healed
    }
}
