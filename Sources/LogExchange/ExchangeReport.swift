public import EventLog
public import Events

/// What an exchange came to.
public struct ExchangeReport: Sendable, Hashable {
    /// What went one way.
    public struct Amount: Sendable, Hashable {
        public var commits = 0
        public var events = 0
        /// Bytes of the commits.
        public var bytes = 0

        public init(commits: Int = 0, events: Int = 0, bytes: Int = 0) {
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

    /// How far a clock is off, in milliseconds; ahead of this replica's if positive.
    public struct ClockSkew: Sendable, Hashable {
        public var replica: ReplicaID
        public var milliseconds: Int64
    }

    /// Whom it was with.
    public var peer: Greeting
    public var sent = Amount()
    /// Commits that were not held before.
    public var received = Amount()
    /// Erasures that were not known here.
    public var erasures = 0
    /// Commits whose bytes were put back: see `ExchangeSession.init`.
    public var healed = 0
    /// Commits of which bytes are missing all the same, if it was to heal: the other lacks them as well.
    public var lost = 0
    /// The newest position before anything was received: what came lies behind it.
    public var positionBefore = Position.start
    /// Replicas that asked to become members and were granted here, for this one is an admin's.
    public var admitted: [ReplicaID] = []
    /// Forks among what came: replicas that wrote apart under one id. All their commits count.
    public var forks: [Fork] = []
    /// The journal that this store joined, for it was empty.
    public var joined: JournalID?
    /// That this store goes on as another replica: see `Log.store`.
    public var identityChange: Log.IdentityChange?
    /// Clocks that are over five minutes off: the other's, and those of whoever wrote what came.
    public var clockSkews: [ClockSkew] = []
    /// What the other holds now, as it acknowledged.
    public var acknowledged = Frontier.empty
    public var seconds = 0.0

    init(peer: Greeting) { self.peer = peer }

    /// Adds what a further exchange with the same peer came to.
    package mutating func add(_ next: ExchangeReport) {
        sent.add(next.sent)
        received.add(next.received)
        erasures += next.erasures
        healed += next.healed
        admitted += next.admitted
        for fork in next.forks where !forks.contains(fork) { forks.append(fork) }
        identityChange = next.identityChange ?? identityChange
        acknowledged = next.acknowledged
        seconds += next.seconds
    }
}

/// How far an exchange that goes on has come.
public struct ExchangeProgress: Sendable, Hashable {
    public enum Stage: String, Sendable, Hashable { case greeting, exchanging, done }

    public var stage = Stage.greeting
    /// Whom it is with, once the other has said so.
    public var peer: ReplicaID?
    /// The name of the other's device, for people.
    public var peerName = ""
    /// Commits to receive and to send, as far as that is known; what branches share counts twice.
    public var commitsToReceive = 0
    public var commitsToSend = 0
    public var received = ExchangeReport.Amount()
    public var sent = ExchangeReport.Amount()

    public init() {}
}
