public import EventLog
public import Events

/// The result of an exchange.
public struct ExchangeReport: Sendable, Hashable {
    /// The amount sent in one direction.
    public struct Amount: Sendable, Hashable {
        public var commits = 0
        public var events = 0
        /// Bytes of the commits.
        public var bytes = 0

        package init(commits: Int = 0, events: Int = 0, bytes: Int = 0) {
            self.commits = commits
            self.events = events
            self.bytes = bytes
        }

        mutating func add(_ other: Amount) {
            commits += other.commits
            events += other.events
            bytes += other.bytes
        }
    }

    /// How far a clock is off, in milliseconds; positive if ahead of this replica's.
    public struct ClockSkew: Sendable, Hashable {
        public var replica: ReplicaID
        public var milliseconds: Int64
    }

    /// The peer's greeting.
    public var peer: Greeting
    public var sent = Amount()
    /// Commits that were not held before.
    public var received = Amount()
    /// Counts of what was erased, and of what is missing for that reason.
    package var erased = Erased()
    /// Commits whose bytes were restored here, and there.
    package var healed = 0
    package var healedThere = 0
    /// The holes that are left here, but for those of bytes that were erased.
    package var missing: [Hole] = []
    /// The holes that the peer has left, as it says, but for those that are here too and of bytes that were erased.
    package var missingThere: [Hole] = []
    /// The commits of which bytes are missing here and, as it says, there.
    package var missingOnBoth: Set<CommitID> = []
    /// Commits that the peer acknowledged in an earlier exchange and did not show in this one, before it was sent them again.
    package var withdrawn: [CommitID] = []
    /// The peer's holes whose bytes are here, and which the peer did not take: it answered as if it had, or each was
    /// sent three times today.
    package var notTaken: [Hole] = []
    /// Commits that the peer was first sent an hour ago or earlier, and again now, and does not show: it did not store them, or hides them.
    package var notShown = 0
    /// Heads that the peer was sent now and does not show, or what it lacked of their lines before, and when each was first sent so.
    package var unacknowledged: [CommitID: Int64]?
    /// The newest position before anything was received: received commits have greater positions.
    package var positionBefore = Position.start
    /// Replicas that requested membership and were granted here, by this admin's replica.
    public var admitted: [ReplicaID] = []
    /// Forks among the received commits: replicas that wrote apart under one id. All their commits count.
    public var forks: [Fork] = []
    /// The journal that this store joined, because it was empty.
    public var joined: JournalID?
    /// The store's change of replica: see `Log.store`.
    public var identityChange: IdentityChange?
    /// The peer's change of replica, where the peer is a folder of this machine.
    package var peerIdentityChange: IdentityChange?
    /// Clocks that are over five minutes off: the peer's, and those of the received commits' authors.
    public var clockSkews: [ClockSkew] = []
    /// The frontier that the peer holds now, by its acknowledgement.
    package var acknowledged = Frontier.empty
    /// The bytes of attachments that were exchanged; nil if there was nothing new, or the peer exchanges none.
    public var attachments: ContentReport?
    /// The faults of the stores of this machine that took part, apart from the exchange: commits that a medium lost.
    package var findings: [Finding] = []
    public var seconds = 0.0

    /// The shortcomings after the exchange, in sentences: bytes that nobody erased and the side that lacks them,
    /// commits that the peer does not show, attachments that wait, and what could not be erased here yet. Empty if nobody
    /// lacks anything.
    public var shortcomings: [String] {
        let peer = peer.words
        let here = Set(missing.map(\.commit))
        let refused = Set(notTaken.map(\.commit))
        let elsewhere = Set(missingThere.map(\.commit)).subtracting(here).subtracting(refused)
        let counts = [
            (missingOnBoth.count, "are missing here that nobody erased, and \(peer), lacks them as well."),
            (
                here.subtracting(missingOnBoth).count,
                "are missing here that nobody erased, and \(peer), did not send them."
            ),
            (elsewhere.count, "are missing at \(peer), and are not here either."),
            (refused.count, "are missing at \(peer), are here, and were not taken."),
        ]
        let commits = { (count: Int) in count.counted("commit") }
        let hidden =
            "\(commits(notShown)) sent to \(peer), an hour ago or earlier, and again now, are not shown there: it did not store them, or hides "
            + "them. Exchange with another peer as well."
        return counts.filter { $0.0 > 0 }.map { "Bytes of \(commits($0.0)) \($0.1)" } + (notShown > 0 ? [hidden] : [])
            + [attachments?.shortcoming(with: peer), erased.failure.map { "Not all could be erased here yet: \($0)" }]
            .compactMap(\.self)
    }

    init(peer: Greeting) { self.peer = peer }

    /// Adds the result of a further exchange with the same peer.
    package mutating func add(_ next: ExchangeReport) {
        sent.add(next.sent)
        received.add(next.received)
        erased.add(next.erased)
        healed += next.healed
        healedThere += next.healedThere
        (missing, missingThere, missingOnBoth) = (next.missing, next.missingThere, next.missingOnBoth)
        (notTaken, notShown, unacknowledged) = (next.notTaken, next.notShown, next.unacknowledged)
        withdrawn += next.withdrawn
        admitted += next.admitted
        for fork in next.forks where !forks.contains(fork) { forks.append(fork) }
        identityChange = next.identityChange ?? identityChange
        acknowledged = next.acknowledged
        seconds += next.seconds
    }
}

/// The progress of a running exchange.
public struct ExchangeProgress: Sendable, Hashable {
    public enum Stage: Sendable { case greeting, exchanging, done }

    public var stage = Stage.greeting
    /// The peer's replica, after its greeting.
    package var peer: ReplicaID?
    /// The name of the peer's device, for people.
    package var peerName = ""
    /// Commits to receive and to send, as far as known; commits that branches share count twice.
    public var commitsToReceive = 0
    public var commitsToSend = 0
    public var received = ExchangeReport.Amount()
    public var sent = ExchangeReport.Amount()

    /// The commits that went either way, and those that are to, of which a peer may claim any number.
    package var done: Int { received.commits.addingUpTo(sent.commits) }
    package var total: Int { commitsToReceive.addingUpTo(commitsToSend) }

    package init() {}
}
