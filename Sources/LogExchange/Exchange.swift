import EventLog
import Events

/// The course of one exchange.
struct Exchange {
    let session: ExchangeSession
    private let own: Greeting
    /// What was held when the greeting was said.
    private let greeted: Frontier
    private let heldErasures: Bool
    let tell: @Sendable (ExchangeProgress) -> Void
    var progress = ExchangeProgress()
    var report: ExchangeReport

    var log: Log { session.log }
    var peer: any ExchangePeer { session.peer }

    init(
        _ session: ExchangeSession, own: (greeting: Greeting, frontier: Frontier, holdsErasures: Bool),
        greeting: Greeting,
        _ tell: @escaping @Sendable (ExchangeProgress) -> Void
    ) {
        self.session = session
        self.own = own.greeting
        greeted = own.frontier
        heldErasures = own.holdsErasures
        self.tell = tell
        report = ExchangeReport(peer: greeting)
        progress.peer = greeting.replica
        progress.peerName = greeting.name
    }

    mutating func run() async throws {
        report.positionBefore = try log.read { try $0.lastPosition() }
        noteClock()
        var fault: (any Error)?
        if report.peer.digest == own.digest {
            // Of what was said, and not of what is held by now: another exchange may go on beside this one.
            report.acknowledged = greeted
            if report.peer.erasures != own.erasures { try await exchangeErasures() }
        } else {
            // An empty store that cannot use what comes does not join for it.
            if own.journal == nil { try checkRequired() }
            try await join()
            let remote = try await peer.frontier()
            try remote.checkCount()
            // What is wrong with some lines keeps neither the erasures of others nor the acknowledgement.
            fault = try await exchange(remote)
            if try report.peer.erasures != nil || log.read({ try $0.erasureDigest() }) != nil {
                try await exchangeErasures()
            }
            let acknowledgement = try await log.acknowledgement()
            if acknowledgement.replica != own.replica { _ = try await peer.greet(log.greeting().greeting) }
            try await peer.acknowledge(acknowledgement)
        }
        if session.isHealing || heldErasures || report.received.commits > 0 || report.erasures > 0 { try await heal() }
        if let fault { throw fault }
        progress.stage = .done
        tell(progress)
    }

    private mutating func noteClock() {
        guard let theirs = report.peer.clock, let ours = own.clock else { return }
        let (skew, overflow) = theirs.subtractingReportingOverflow(ours)
        if overflow || skew.magnitude > UInt64(ExchangeSession.toleratedSkew) {
            report.clockSkews.append(
                ExchangeReport.ClockSkew(replica: report.peer.replica, milliseconds: overflow ? .max : skew))
        }
    }

    /// An empty store takes on the other's journal.
    private mutating func join() async throws {
        guard own.journal == nil, let journal = report.peer.journal, journal != log.journal else { return }
        guard !log.isReadOnly else { return }
        try await log.join(journal)
        report.joined = journal
    }

    /// Answers what kept some of the lines from being exchanged.
    private mutating func exchange(_ remote: Frontier) async throws -> (any Error)? {
        if let journal = remote.journal, journal != log.journal {
            // What is empty and only read can neither join nor give anything.
            if own.journal == nil && log.isReadOnly {
                report.acknowledged = remote
                return nil
            }
            throw ExchangeError(
                .malformed, "The other said that it belongs to \(log.journal), and then that it does to \(journal).")
        }
        let before = try plan(remote)
        if !before.wanted.isEmpty { try checkRequired() }
        report.acknowledged = remote
        progress.stage = .exchanging
        progress.commitsToSend = try count(before.offered + before.uncertain, remote)
        tell(progress)
        // What is wrong with some of what they have, or with some of what is here, keeps nobody from handing on the rest.
        var fault: (any Error)?
        if !before.wanted.isEmpty && !log.isReadOnly {
            do { try await receive(before, remote) } catch  where Self.isTheirs(error) { fault = error }
        }
        report.admitted += try await log.admitRequests()
        guard report.peer.isWritable else { return fault }
        // All that the other holds is here now, so that what it lacks is exact.
        let after = try plan(remote)
        let refused = try await send(after.offered, remote)
        fault = fault ?? refused
        do { try await receiveAnswer() } catch  where Self.isTheirs(error) { fault = fault ?? error }
        return fault
    }

    /// What was sent may have been answered at once: by grants for who asked to become a member.
    private mutating func receiveAnswer() async throws {
        let newer = report.acknowledged
        guard !log.isReadOnly, newer.journal == log.journal, try log.membership() != nil else { return }
        try newer.checkCount()
        let plan = try plan(newer)
        if !plan.wanted.isEmpty { try await receive(plan, newer) }
    }

    /// What starts in the middle can be used by those alone who hold what comes before.
    private func checkRequired() throws {
        let missing = try log.read { log in
            let journal = try log.journal()
            return try peer.required.heads.first { try !log.holds($0, in: journal) }
        }
        guard let missing else { return }
        throw ExchangeError(
            .missingStart,
            "What the other has goes on from commit \(missing.sequence) of replica \(missing.replica) with the hash "
                + "\(missing.hash), which is not here: it was written for somebody who holds more. Get what lies beyond what "
                + "is held here, or everything. Nothing was stored.")
    }

    private func plan(_ remote: Frontier) throws -> ExchangePlan {
        try log.read { log in
            let journal = try log.journal()
            // What no signature vouches for here cannot be handed on: it is asked for again, with its signature.
            let held = try log.heldSigned(remote.heads, in: journal)
            let finished = try remote.heads.filter { try !held.contains($0) && log.isFinished($0, in: journal) }
            return ExchangePlan(
                local: try Frontier(log), remote: remote, held: held, finished: Set(finished))
        }
    }

    private func count(_ heads: [CommitID], _ remote: Frontier) throws -> Int {
        try log.read { log in
            try log.stretches(towards: heads, lackedBy: remote.heads, in: log.journal()).reduce(0) { $0 + $1.count }
        }
    }

    /// Stretches bring the erasures of their commits along. Of commits that both held before they come now.
    private mutating func exchangeErasures() async throws {
        let journal = log.journal
        let states = try log.read { try $0.erasureStates() }
        // What was asked about is known here; nobody makes this replica look for more.
        let known = Set(states.map(\.commit))
        var wanted: Set<Digest> = []
        var kept = 0
        let (log, isReadOnly) = (log, log.isReadOnly)
        for request in ErasureRequest.requests(
            journal: journal, states: states, atMost: session.mostErasureStates)
        {
            // What is of no use here has an end.
            var vainBatches = 0
            do {
                try await peer.erasures(request) { batch in
                    try Task.checkCancellation()
                    let before = (kept, wanted.count)
                    if !isReadOnly { kept += try await log.keep(batch) }
                    wanted.formUnion(known.intersection(batch.lacking))
                    vainBatches = (kept, wanted.count) == before ? vainBatches + 1 : 0
                    if vainBatches == Self.mostVainBatches { throw Exhausted() }
                }
            } catch is Exhausted {}
        }
        report.erasures += kept
        guard report.peer.isWritable else { return }
        try await log.forEachErasureBatch(of: Array(wanted)) { try await peer.keep($0) }
    }

    /// So many batches of erasures in a row of which none is new, and the rest is not waited for: a peer sends of each commit what it
    /// holds, up to 4,096 in a batch, most of which may be of commits that are not held here.
    static let mostVainBatches = 1024
}
