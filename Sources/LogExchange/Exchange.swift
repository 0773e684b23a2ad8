import EventLog
import Events

/// The course of one exchange.
struct Exchange {
    let session: ExchangeSession
    private let own: Greeting
    /// What was held when the greeting was said.
    private let greeted: Frontier
    private let heldErasures: Bool
    private let tell: @Sendable (ExchangeProgress) -> Void
    private var progress = ExchangeProgress()
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
        for request in ErasureRequest.requests(journal: journal, states: states) {
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
    private static let mostVainBatches = 1024

    // MARK: Receiving

    /// So much came in vain that the stream was broken off.
    private struct Exhausted: Error {}

    /// How many streams in a row are asked for again without some replicas after nothing came of them.
    private static let mostVainStreams = 16

    private mutating func receive(_ plan: ExchangePlan, _ remote: Frontier) async throws {
        var wanted = plan.wanted
        var fault: (any Error)?
        var vainStreams = 0
        while !wanted.isEmpty {
            let before = report.received.commits
            let stream = try await receive(wanted, remote)
            fault = fault ?? stream.fault
            guard stream.isExhausted else { break }
            // The lines of other replicas may have been behind those that cannot be taken in.
            wanted.removeAll { stream.passedOver[$0.replica] != nil }
            vainStreams = report.received.commits > before ? 0 : vainStreams + 1
            if vainStreams == Self.mostVainStreams { break }
        }
        if let fault { throw fault }
        let missing = try log.read { log in
            let journal = try log.journal()
            let membership = try log.membership()
            return try plan.wanted.first {
                try !log.holds($0, in: journal) && membership?.members[$0.replica]?.isRevoked != true
            }
        }
        if let missing {
            throw ExchangeError(
                .withheld,
                "The other announced commit \(missing.sequence) of replica \(missing.replica) with the hash "
                    + "\(missing.hash), and did not send it. What came was kept; try again.")
        }
    }

    /// Asks for what leads to some heads, and stores what comes, up to the end of the stream or until it is broken off.
    private mutating func receive(_ wanted: [CommitID], _ remote: Frontier) async throws -> GatheredSegments {
        let (request, guardian) = try log.read { log in
            let journal = try log.journal()
            var held: [CommitID] = []
            for replica in Set(wanted.map(\.replica)) { held += try log.samples(of: replica, in: journal) }
            let newest = try log.newestCommits(of: journal)
            return (
                SegmentRequest(journal: journal, wanted: wanted, held: held.limited(to: Frontier.mostHeads)),
                StreamGuard(journal: journal, heads: remote.heads, wanted: wanted, held: newest)
            )
        }
        progress.commitsToReceive = guardian.expected
        tell(progress)
        let storedBytes = min(ExchangeSession.storedBytes, session.mostPassedOver)
        var gathered = GatheredSegments(guardian, mostPassedOver: session.mostPassedOver)
        do {
            // The closure may not change what is being changed here, so it works on a copy.
            var (receiving, exchange) = (gathered, self)
            defer { (gathered, self) = (receiving, exchange) }
            try await peer.segments(request) { segment in
                try Task.checkCancellation()
                try receiving.add(segment)
                if receiving.bytes >= storedBytes { try await exchange.store(&receiving) }
                if receiving.isExhausted { throw Exhausted() }
            }
        } catch is Exhausted {
        } catch {
            // What came whole before the failure stays; if it cannot be stored, the first failure counts.
            try? await store(&gathered)
            throw error
        }
        try await store(&gathered)
        return gathered
    }

    private mutating func store(_ gathered: inout GatheredSegments) async throws {
        let segments = gathered.take()
        guard let first = segments.first else { return }
        do {
            return try await store(segments, &gathered)
        } catch  where Self.isTheirs(error) {
            guard segments.count > 1 else { return gathered.refuse(first, error) }
        }
        // One of them is not right. Those before it are, and stay; and so do other replicas'.
        for segment in segments {
            if gathered.isSpoiled(segment.replica) {
                gathered.passOver(segment.roughSize, of: segment.replica)
                continue
            }
            do { try await store([segment], &gathered) } catch  where Self.isTheirs(error) {
                gathered.refuse(segment, error)
            }
        }
    }

    /// Whether what came is at fault, and not the medium.
    private static func isTheirs(_ error: any Error) -> Bool {
        switch error {
        case let error as EventLogError: error.isOfOneReplica || error.code == .otherJournal
        case let error as ExchangeError: [.missingStart, .withheld, .unannounced].contains(error.code)
        default: false
        }
    }

    private mutating func store(_ segments: [LineSegment], _ gathered: inout GatheredSegments) async throws {
        let stored: Stored
        do {
            stored = try await log.store(segments)
        } catch let error as EventLogError where error.code == .missingStart && segments.count == 1 {
            throw ExchangeError(
                .missingStart,
                "\(error.message) If it is a bundle, it was written for somebody who holds more: get one since what is held "
                    + "here, or a complete one.", cause: error)
        }
        for (replica, bytes) in stored.passedOver { gathered.passOver(bytes, of: replica) }
        report.received.commits += stored.commits
        report.received.events += stored.events
        report.received.bytes += stored.bytes
        for fork in stored.forks where !report.forks.contains(fork) { report.forks.append(fork) }
        report.identityChange = stored.identityChange ?? report.identityChange
        if let newest = stored.newest, ahead(newest) > ExchangeSession.toleratedSkew {
            for segment in segments { noteAhead(segment) }
        }
        progress.received = report.received
        tell(progress)
    }

    private func ahead(_ timestamp: Timestamp) -> Int64 {
        let (ahead, overflow) = Int64(clamping: timestamp.milliseconds).subtractingReportingOverflow(log.wallClock)
        return overflow ? .max : ahead
    }

    /// Timestamps that are far ahead of this replica's clock: whoever wrote them has, or saw, a clock that is.
    private mutating func noteAhead(_ segment: LineSegment) {
        let newest = segment.commits.last?.withUnsafeBytes { try? CommitView($0).header.timestamp }
        guard let newest else { return }
        let (ahead, replica) = (ahead(newest), segment.replica)
        guard ahead > ExchangeSession.toleratedSkew else { return }
        if let index = report.clockSkews.firstIndex(where: { $0.replica == replica }) {
            report.clockSkews[index].milliseconds = max(report.clockSkews[index].milliseconds, ahead)
        } else {
            report.clockSkews.append(ExchangeReport.ClockSkew(replica: replica, milliseconds: ahead))
        }
    }

    // MARK: Sending

    /// Answers why the other refused some of it.
    private mutating func send(_ heads: [CommitID], _ remote: Frontier) async throws -> (any Error)? {
        guard !heads.isEmpty else { return nil }
        let (stretches, journal) = try log.read { log in
            let journal = try log.journal()
            return (try log.stretches(towards: heads, lackedBy: remote.heads, in: journal), journal)
        }
        progress.commitsToSend = stretches.reduce(0) { $0 + $1.count }
        var offered = OfferedSegments()
        for stretch in stretches {
            var sequence = stretch.after
            while sequence < stretch.head.sequence && !offered.isRefused(stretch) {
                try Task.checkCancellation()
                let segment = try log.read { try $0.segment(towards: stretch.head, after: sequence, in: journal) }
                guard let segment else { break }
                sequence = segment.last
                offered.add(segment, of: stretch)
                if offered.bytes >= ExchangeSession.batchBytes { try await send(&offered) }
            }
        }
        try await send(&offered)
        return offered.fault
    }

    private mutating func send(_ offered: inout OfferedSegments) async throws {
        let batch = offered.take()
        guard !batch.isEmpty else { return }
        do { report.acknowledged = try await peer.store(batch.map(\.segment)).frontier } catch
            where error.isOfOneReplica
        {
            // The other has stored what else was in the batch, and says so when it is asked.
            report.acknowledged = try await peer.frontier()
            offered.refuse(batch, holding: report.acknowledged, error)
        }
        for (stretch, segment) in batch where !offered.isRefused(stretch) {
            report.sent.commits += segment.commits.count
            report.sent.events += segment.eventCount
            report.sent.bytes += segment.byteCount
        }
        progress.sent = report.sent
        tell(progress)
    }
}

extension [CommitID] {
    /// So many at most: of each replica the newest.
    fileprivate func limited(to most: Int) -> [CommitID] {
        guard count > most else { return self }
        let byReplica = Dictionary(grouping: self, by: \.replica)
        let share = Swift.max(1, most / byReplica.count)
        return Array(byReplica.values.flatMap { $0.sorted { $0.sequence > $1.sequence }.prefix(share) }.prefix(most))
    }
}
