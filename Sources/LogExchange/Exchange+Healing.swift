import EventLog
import Events

/// Filling holes, here and at the peer: the last thing in an exchange, because commits and erasures decide what is one.
extension Exchange {
    /// Fills the holes here that the peer does not have, and those of the peer's that are none here.
    ///
    /// With healing the whole log is searched for holes before, O(commits), and otherwise those are known that O(erasures) shows. Of a peer
    /// that cannot tell its holes every hole's bytes are requested.
    mutating func fillHoles() async throws {
        if session.isHealing, !log.isReadOnly { try await log.searchForHoles() }
        let own = try log.read { try $0.holes() }
        var theirs: [Hole]?
        if let told = report.peer.holes {
            // Without erasures on either side nothing that was sent has opened holes there.
            let mayHaveMore = try hasSent && (report.peer.erasures != nil || log.read { try $0.hasErasures() })
            theirs = told == own.digest && !mayHaveMore ? own : try await peer.holes()
        }
        guard !own.isEmpty || theirs?.isEmpty == false else { return }
        let remote = try await peer.frontier()
        try remote.checkCount()
        let shared = Set(theirs ?? [])
        let wanted = own.filter { !shared.contains($0) }
        if !wanted.isEmpty, !log.isReadOnly { try await heal(wanted.map(\.commit), remote) }
        report.missing = try log.read { try $0.holes() }
        guard let theirs, report.peer.isWritable else { return }
        report.missingThere = theirs.isEmpty ? [] : try await fill(theirs, remote)
    }

    // MARK: There

    /// Sends the commits of the peer's holes that are none here, and returns the holes that the peer has left.
    ///
    /// A peer could claim holes for ever, to be sent the same again and again: only what its frontier names is sent, the next batch only if
    /// the last one has filled something, and each commit three times a day.
    private mutating func fill(_ holes: [Hole], _ remote: Frontier) async throws -> [Hole] {
        var left = holes
        var tried: Set<CommitID> = []
        let allowance = FillingAllowance(log, report.peer.replica)
        while true {
            let fillable = try fillable(left.filter { !tried.contains($0.commit) }, remote)
            let allowed = try allowance.allowed(fillable.map(\.commit))
            let batch = try batch(of: fillable.filter { allowed.contains($0.hole.commit) })
            guard !batch.segments.isEmpty else { break }
            try await allowance.note(batch.commits)
            tried.formUnion(batch.commits)
            _ = try await peer.store(batch.segments)
            left = try await peer.holes() ?? []
            let remaining = Set(left.map(\.commit))
            let filled = batch.commits.filter { !remaining.contains($0) }.count
            report.healedThere += filled
            if filled == 0 { break }
        }
        let unfilled = try fillable(left, remote)
        report.notTaken = unfilled.map(\.hole)
        return left
    }

    /// A hole of the peer's, and the head on whose line its commit is sent.
    private struct Fillable {
        let hole: Hole
        let head: CommitID
        var commit: CommitID { hole.commit }
    }

    /// Those whose commits the peer's frontier names, and of which more is held here.
    private func fillable(_ holes: [Hole], _ remote: Frontier) throws -> [Fillable] {
        try log.read { log in
            let journal = try log.journal()
            let own = Dictionary(try log.holes().map { ($0.commit, $0) }) { first, _ in first }
            let heads = Dictionary(grouping: try log.heldSigned(remote.heads, in: journal), by: \.replica)
            return try holes.compactMap { hole in
                let commit = hole.commit
                guard own[commit] != hole, let position = try log.position(of: commit, in: journal),
                    try log.commit(at: position)?.view.erased != .all,
                    let head = try heads[commit.replica]?.sorted().first(where: {
                        try log.precedes(commit, $0, in: journal)
                    })
                else { return nil }
                return Fillable(hole: hole, head: head)
            }
        }
    }

    /// The segments with the first of them, about 1 MiB, and all of them that are in these.
    private func batch(of fillable: [Fillable]) throws -> (segments: [LineSegment], commits: [CommitID]) {
        var segments: [LineSegment] = []
        var held: Set<CommitID> = []
        var bytes = 0
        for hole in fillable.sorted(by: { $0.commit < $1.commit }) where !held.contains(hole.commit) {
            if bytes >= ExchangeSession.batchBytes { break }
            let segment = try log.read { log in
                let before = SequenceNumber(hole.commit.sequence.rawValue - 1)
                return try log.segment(towards: hole.head, after: before, in: log.journal())
            }
            guard let segment else { continue }
            segments.append(segment)
            held.formUnion(segment.commitIDs())
            bytes += segment.byteCount
        }
        return (segments, fillable.map(\.commit).filter(held.contains))
    }

    // MARK: Here

    /// Everything wanted has arrived, or nothing more of it will.
    private struct Done: Error {}

    /// Requests commits again, and restores their bytes as far as the peer has them. The commits between them and the next signatures are
    /// sent as well.
    private mutating func heal(_ commits: [CommitID], _ remote: Frontier) async throws {
        let journal = log.journal
        var left = Set(commits)
        for head in try heads(of: remote, behind: left) {
            let (onLine, previous) = try log.read { log in
                let onLine = try left.filter { try log.precedes($0, head, in: journal) }
                let first = onLine.min { $0.sequence < $1.sequence }
                return (onLine, try first.flatMap { try log.predecessor(of: $0) })
            }
            guard !onLine.isEmpty else { continue }
            try await heal(onLine, from: previous, towards: head, remote, &left)
        }
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
