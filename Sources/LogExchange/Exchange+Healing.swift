import EventLog
import Events

/// Filling holes, here and at the peer: the last thing in an exchange, because commits decide what is one.
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
            // A sent commit may lack bytes, or take an erasure back that the peer had obeyed. Nothing else that was sent opens holes there.
            let mayHaveMore = try hasSent && (hasSentErasing || log.read { try $0.hasErasures() })
            theirs = told == own.digest && !mayHaveMore ? own : try await holesThere()
        }
        guard !own.isEmpty || theirs?.isEmpty == false else { return }
        let remote = try await peer.frontier()
        try remote.checkCount()
        let shared = Set(theirs ?? [])
        let wanted = own.filter { !shared.contains($0) }
        if !wanted.isEmpty, !log.isReadOnly { try await heal(wanted.map(\.commit), remote) }
        let left = try log.read { try $0.holes() }
        // What was erased is not missing: a report says so apart.
        let erased = Set(left.filter(\.isExplained).map(\.commit))
        report.erased.unstated = erased.count
        report.missing = left.filter { !$0.isExplained }
        if let theirs {
            let leftThere = theirs.isEmpty || !report.peer.isWritable ? theirs : try await fill(theirs, remote)
            report.missingThere = leftThere.filter { !erased.contains($0.commit) }
            report.missingOnBoth = Set(report.missing.map(\.commit)).intersection(report.missingThere.map(\.commit))
        }
    }

    /// The most lists of holes that are asked for: a peer could have no end of them.
    private static let mostLists = 64

    /// All holes of the peer.
    private func holesThere() async throws -> [Hole] {
        var found: [Hole] = []
        for _ in 0..<Self.mostLists {
            let holes = try await peer.holes(after: found.last?.commit.hash) ?? []
            // A peer that ignores where the list goes on would repeat itself.
            guard let first = holes.first, found.last.map({ $0.commit.hash < first.commit.hash }) ?? true else { break }
            found += holes
            if holes.count < Hole.mostNamed { break }
        }
        return found
    }

    // MARK: There

    /// Sends the commits of the peer's holes that are none here, and returns the holes that the peer has left.
    ///
    /// A peer could claim holes for ever, to be sent the same again and again: only what its frontier names is sent, the next batch only if
    /// the last one has filled something, each segment once in an exchange, and each commit as often as `FillingAllowance` has it.
    private mutating func fill(_ holes: [Hole], _ remote: Frontier) async throws -> [Hole] {
        var allowance = try FillingAllowance(log, report.peer.replica)
        let outcome: Result<[Hole], any Error>
        do { outcome = .success(try await fill(holes, remote, &allowance)) } catch { outcome = .failure(error) }
        // Sent commits count, however the exchange ended.
        try await allowance.save()
        return try outcome.get()
    }

    private mutating func fill(
        _ holes: [Hole], _ remote: Frontier, _ allowance: inout FillingAllowance
    ) async throws -> [Hole] {
        var left = holes
        var sent: Set<CommitID> = []
        while true {
            let fillable = try fillable(left.filter { !sent.contains($0.commit) }, remote)
            let segments = try segments(of: fillable, allowance)
            guard !segments.isEmpty else { break }
            let commits = Set(segments.flatMap { $0.commitIDs() })
            let tried = Set(fillable.map(\.hole).filter { commits.contains($0.commit) })
            allowance.note(commits)
            sent.formUnion(commits)
            _ = try await peer.store(segments)
            left = try await holesThere()
            report.healedThere += Set(tried.map(\.commit)).subtracting(left.map(\.commit)).count
            // A hole of which a part was filled has another state.
            if tried.isSubset(of: left) { break }
        }
        let own = Set(try log.read { try $0.holes().map(\.commit) })
        report.notTaken = try fillable(left.filter { !own.contains($0.commit) }, remote).map(\.hole)
        return left
    }

    /// A hole of the peer's, and the head on whose line its commit is sent.
    private struct Fillable {
        let hole: Hole
        let head: CommitID
        var commit: CommitID { hole.commit }
    }

    /// The holes whose commits the peer's frontier names, and of which more is held here.
    private func fillable(_ holes: [Hole], _ remote: Frontier) throws -> [Fillable] {
        try log.read { log in
            let journal = try log.journal()
            let own = Dictionary(try log.holes().map { ($0.commit, $0) }) { first, _ in first }
            let heads = Dictionary(grouping: try log.heldSigned(remote.heads, in: journal), by: \.replica)
            return try holes.compactMap { hole in
                let commit = hole.commit
                guard own[commit] != hole, let position = try log.position(of: commit, in: journal),
                    try log.storedCommit(at: position)?.view.erased != .all,
                    let head = try heads[commit.replica]?.sorted().first(where: {
                        try log.precedes(commit, $0, in: journal)
                    })
                else { return nil }
                return Fillable(hole: hole, head: head)
            }
        }
    }

    /// The segments with the first of them, about 1 MiB. A segment goes up to a signature, so all of its commits must be allowed: each of many
    /// would be sent once more for every claimed hole before it.
    private func segments(of fillable: [Fillable], _ allowance: FillingAllowance) throws -> [LineSegment] {
        var segments: [LineSegment] = []
        var held: Set<CommitID> = []
        var bytes = 0
        for hole in fillable.sorted(by: { $0.commit < $1.commit })
        where !held.contains(hole.commit) && allowance.allows(hole.commit) {
            if bytes >= ExchangeSession.batchBytes { break }
            let segment = try log.read { log in
                let before = SequenceNumber(hole.commit.sequence.rawValue - 1)
                return try log.segment(towards: hole.head, after: before, in: log.journal())
            }
            guard let segment else { continue }
            held.formUnion(segment.commitIDs())
            guard segment.commitIDs().allSatisfy(allowance.allows) else { continue }
            segments.append(segment)
            bytes += segment.byteCount
        }
        return segments
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
