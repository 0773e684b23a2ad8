import EventLog
import Events

/// The course of one exchange.
struct Exchange {
    let session: ExchangeSession
    private let own: Greeting
    /// What was held at the time of the greeting.
    private let greeted: Frontier
    let tell: @Sendable (ExchangeProgress) -> Void
    var progress = ExchangeProgress()
    var report: ExchangeReport
    /// Whether the peer was sent anything, and commits among it that erase or take erasures back.
    var hasSent = false
    var hasSentErasing = false
    /// Why some lines were not exchanged: it kept nothing else from being exchanged.
    private(set) var fault: (any Error)?
    /// The erasures that stood when the exchange began.
    private var standing: StandingErasures?

    var log: Log { session.log }
    var peer: any ExchangePeer { session.peer }

    init(
        _ session: ExchangeSession, own: (greeting: Greeting, frontier: Frontier),
        greeting: Greeting,
        _ tell: @escaping @Sendable (ExchangeProgress) -> Void
    ) {
        self.session = session
        self.own = own.greeting
        greeted = own.frontier
        self.tell = tell
        report = ExchangeReport(peer: greeting)
        progress.peer = greeting.replica
        progress.peerName = greeting.name
    }

    mutating func run() async throws {
        let now = log.wallClock
        (report.positionBefore, standing) = try log.read { (try $0.lastPosition(), try StandingErasures($0, at: now)) }
        noteClock()
        if report.peer.digest == own.digest {
            // The greeted frontier, and not what is held by now: another exchange may run in parallel.
            report.acknowledged = greeted
            try noteUnacknowledged([])
        } else {
            // An empty store does not join for data that it cannot use.
            if own.journal == nil { try checkRequired() }
            try await join()
            let remote = try await peer.frontier()
            try remote.checkCount()
            // A fault in some lines does not stop the acknowledgement.
            fault = try await exchange(remote)
            let acknowledgement = try await log.acknowledgement()
            if acknowledgement.replica != own.replica { _ = try await peer.greet(log.greeting().greeting) }
            try await peer.acknowledge(acknowledgement)
        }
        try await fillHoles()
        try await noteErased()
        guard fault == nil else { return }
        progress.stage = .done
        tell(progress)
    }

    /// Erases what arrived late, removes the bytes whose time has come, and counts what is erased now and was not before,
    /// or the other way round. A failure to erase, on a full disk for example, makes nothing of the exchange undone.
    private mutating func noteErased() async throws {
        var (removed, failure): (Int, (any Error)?) = (0, nil)
        do { try await log.sweep() } catch { failure = error }
        if !log.isReadOnly {
            do { removed = try await log.removeDue() } catch { failure = failure ?? error }
        }
        if let failure, failure is CancellationError { throw failure }
        let (now, before, unstated) = (log.wallClock, report.positionBefore, report.erased.unstated)
        let missing = report.missing.map(\.commit)
        guard let standing else { return }
        report.erased = try log.read { log in
            var erased = try StandingErasures(log, at: now).compared(with: standing, log)
            erased.receivedInPart = try log.commitsInPart(after: before).subtracting(missing).count
            return erased
        }
        (report.erased.removed, report.erased.unstated) = (removed, unstated)
        report.erased.failure = failure.map { "\($0)" }
    }

    private mutating func noteClock() {
        guard let theirs = report.peer.clock, let ours = own.clock else { return }
        let (skew, overflow) = theirs.subtractingReportingOverflow(ours)
        if overflow || skew.magnitude > UInt64(ExchangeSession.toleratedSkew) {
            report.clockSkews.append(
                ExchangeReport.ClockSkew(replica: report.peer.replica, milliseconds: overflow ? .max : skew))
        }
    }

    /// An empty store joins the peer's journal.
    private mutating func join() async throws {
        guard own.journal == nil, let journal = report.peer.journal, journal != log.journal else { return }
        guard !log.isReadOnly else { return }
        try await log.join(journal)
        report.joined = journal
    }

    /// Returns the fault that kept some of the lines from being exchanged.
    private mutating func exchange(_ remote: Frontier) async throws -> (any Error)? {
        if let journal = remote.journal, journal != log.journal {
            // An empty, read-only log can neither join nor send anything.
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
        // A fault in some of the peer's lines, or in some of those here, does not stop the others.
        var fault: (any Error)?
        if !before.wanted.isEmpty && !log.isReadOnly {
            do { try await receive(before, remote) } catch  where Self.isTheirs(error) { fault = error }
        }
        let admitted = try await log.admitRequests()
        report.admitted += admitted
        // Grants are sent in this exchange, and only signed commits are sent.
        if !admitted.isEmpty { try await log.signHead() }
        report.withdrawn = try withdrawn(remote)
        guard report.peer.isWritable else { return fault }
        // Everything that the peer holds is here now, so what it lacks is exact.
        let after = try plan(remote)
        let refused = try await send(after.offered, remote)
        fault = fault ?? refused
        do { try await receiveResponse() } catch  where Self.isTheirs(error) { fault = fault ?? error }
        if fault == nil { try noteUnacknowledged(after.offered) }
        return fault
    }

    /// Commits that the peer acknowledged before and does not list now, though both should: it lost them, or hides them.
    private func withdrawn(_ remote: Frontier) throws -> [CommitID] {
        guard session.isFirstHand(report.peer), let record = try PeerBook(log).record(of: report.peer.replica) else {
            return []
        }
        return try log.read { log in
            let journal = try log.journal()
            let (own, shown) = (try Frontier(log).byReplica, remote.byReplica)
            var found: [CommitID] = []
            for head in record.acknowledged.heads where try log.holds(head, in: journal) {
                let isListed = try own[head.replica]?.contains { try log.precedes(head, $0, in: journal) }
                // One that did not come may be further on its line.
                let isShown = try shown[head.replica]?.contains {
                    try log.precedes(head, $0, in: journal) || !log.holds($0, in: journal)
                }
                if isListed == true, isShown != true { found.append(head) }
            }
            return found
        }
    }

    /// The peer may have responded to sent commits at once: by grants for replicas that requested membership.
    private mutating func receiveResponse() async throws {
        let newer = report.acknowledged
        guard !log.isReadOnly, newer.journal == log.journal, try log.membership() != nil else { return }
        try newer.checkCount()
        let plan = try plan(newer)
        if !plan.wanted.isEmpty { try await receive(plan, newer) }
    }

    /// A range that starts in the middle is usable only with the commits before it.
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
            // Commits that no signature vouches for here cannot be forwarded: they are requested again, with their
            // signature.
            let held = try log.heldSigned(remote.heads, in: journal, forForwarding: true)
            let finished = try remote.heads.filter { try !held.contains($0) && log.isFinished($0, in: journal) }
            return ExchangePlan(
                local: try Frontier(log), remote: remote, held: held, finished: Set(finished))
        }
    }

    private func count(_ heads: [CommitID], _ remote: Frontier) throws -> Int {
        try log.read { log in
            try log.ranges(towards: heads, lackedBy: remote.heads, in: log.journal()).reduce(0) { $0 + $1.count }
        }
    }
}
