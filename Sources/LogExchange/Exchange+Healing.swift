import EventLog
import Events

extension Exchange {
    /// Everything wanted has arrived, or nothing more of it will.
    private struct Done: Error {}

    /// Requests commits again of which bytes are missing that no counting erasure names, and restores those bytes: when
    /// healing was requested for all of them, O(commits), and otherwise for those received so, with erasures that do
    /// not count, O(erasures). The commits between them and the next signatures are sent as well.
    ///
    /// Each commit is healed by itself: bytes that the peer lacks as well stay missing here.
    mutating func heal() async throws {
        guard !log.isReadOnly else { return }
        let (journal, isAsked) = (log.journal, session.isHealing)
        let lost = try log.read { try isAsked ? $0.lostBytes(of: journal) : $0.wronglyErased(of: journal) }
        guard !lost.isEmpty else { return }
        let remote = try await peer.frontier()
        try remote.checkCount()
        var left = Set(lost.map(\.commit))
        for head in try heads(of: remote, behind: left) {
            let onLine = try log.read { log in
                try lost.filter { try left.contains($0.commit) && log.precedes($0.commit, head, in: journal) }
            }
            guard let first = onLine.min(by: { $0.commit.sequence < $1.commit.sequence }) else { continue }
            try await heal(Set(onLine.map(\.commit)), from: first.previous, towards: head, remote, &left)
        }
        report.lost = try log.read { try (isAsked ? $0.lostBytes(of: journal) : $0.wronglyErased(of: journal)).count }
    }

    /// The peer's heads that are held here, of replicas whose commits are wanted: at most as many as these have
    /// branches.
    private func heads(of remote: Frontier, behind wanted: Set<CommitID>) throws -> [CommitID] {
        let replicas = Set(wanted.map(\.replica))
        return try log.read { log in
            let journal = try log.journal()
            let held = try log.heldSigned(remote.heads.filter { replicas.contains($0.replica) }, in: journal)
            return try log.withoutPredecessors(held, in: journal).sorted()
        }
    }

    /// Requests the segments of a line with some commits on it.
    private mutating func heal(
        _ wanted: Set<CommitID>, from previous: CommitID?, towards head: CommitID, _ remote: Frontier,
        _ left: inout Set<CommitID>
    ) async throws {
        let journal = log.journal
        let request = SegmentRequest(journal: journal, wanted: [head], held: previous.map { [$0] } ?? [])
        var guardian = StreamGuard(
            journal: journal, heads: remote.heads, wanted: [head],
            held: try log.read { try $0.newestCommits(of: journal) })
        var awaited = wanted
        var healed: Set<CommitID> = []
        let last = wanted.map(\.sequence).max() ?? .start
        var reached = SequenceNumber.start
        var passedOver = 0
        do {
            try await peer.segments(request) { [log, session] segment in
                try Task.checkCancellation()
                try guardian.check(segment)
                let names = segment.commitIDs()
                let offered = awaited.intersection(names)
                if !offered.isEmpty { healed.formUnion(try await log.heal(offered, from: segment)) }
                awaited.subtract(offered)
                if awaited.isEmpty { throw Done() }
                // Everything up to the head is held here. So unexpected segments have an end, and so have repeated
                // ones.
                guard let first = names.first, first.sequence > reached,
                    try log.read({ try $0.precedes(first, head, in: journal) })
                else {
                    passedOver = passedOver.addingUpTo(segment.roughSize)
                    if passedOver > session.mostPassedOver { throw Done() }
                    return
                }
                if first.sequence > last { throw Done() }
                reached = names.last?.sequence ?? first.sequence
            }
        } catch is Done {}
        left.subtract(healed)
        report.healed += healed.count
    }
}
