public import EventLog
public import Events

/// The other side of an exchange, and what carries it there and back.
///
/// Every call may be made again: what was stored is passed over, so that after a cut the next exchange goes on where this
/// one ended. A carrier may ask another replica, or look into a file or a shared database where no replica runs.
/// One suite of tests holds every carrier to the same rules.
public protocol ExchangePeer: Sendable {
    /// Tells who asks, and answers who is asked. Throws what keeps the two from speaking.
    func greet(_ greeting: Greeting) async throws -> Greeting

    /// What the other holds, durably.
    func frontier() async throws -> Frontier

    /// What whoever asks must hold already, for the other does not have it: a bundle that is not complete, say. `.empty`
    /// unless the carrier says otherwise.
    var required: Frontier { get }

    /// Hands the stretches that lie between what is held and what is wanted to `body`, one at a time, in an order in which
    /// they can be stored. What `body` throws ends it and is thrown on.
    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws

    /// Stores stretches there, all or none, and answers what the other then holds durably (X2).
    func store(_ segments: [LineSegment]) async throws -> Acknowledgement

    /// Tells what is held durably here, so that the other can show it.
    func acknowledge(_ acknowledgement: Acknowledgement) async throws

    /// Hands to `body` the erasures that the other knows and whoever asks may not, and which it wants of them in return.
    func erasures(_ request: ErasureRequest, _ body: (ErasureBatch) async throws -> Void) async throws

    /// Where the other's log ends, if it is one of this process: it moves with every commit that is stored there, whether or not the
    /// frontier does. Nil unless the carrier says otherwise.
    func lastPosition() async throws -> Position?

    /// Keeps erasures there: those that count, of commits that are held there.
    func keep(_ erasures: ErasureBatch) async throws

    /// Makes a replica a member that was just made from the other: where its user is the other's as well, and the other's replica is an
    /// admin. Answers whether it did; never over anything that others can reach.
    func welcome(_ replica: ReplicaID, as role: MemberRole) async throws -> Bool
}

extension ExchangePeer {
    public var required: Frontier { .empty }

    public func lastPosition() async throws -> Position? { nil }

    public func welcome(_ replica: ReplicaID, as role: MemberRole) async throws -> Bool { false }
}

/// What each says of itself first.
public struct Greeting: Sendable, Hashable {
    /// The newest version of the exchange that is spoken here.
    public static let currentVersion: UInt32 = 1

    public var version: UInt32
    /// Nil if nothing is held, and any journal may be joined.
    public var journal: JournalID?
    public var replica: ReplicaID
    /// The device's name, for people.
    public var name: String
    /// Its wall clock, milliseconds since 1970; nil if that is of no meaning.
    public var clock: Int64?
    /// That of its frontier: equal digests end an exchange that has just begun.
    public var digest: Digest
    /// Whether it takes anything in.
    public var isWritable: Bool
    /// That of what is erased; nil if nothing is.
    public var erasures: Digest?
    /// Of a replica that asks to become a member, or writes in the place of one: the invitation that it holds, and the proof.
    public var request: MembershipRequest?
    /// In whose place the replica writes: the oldest first, each link's successor the former of the next, the last the replica itself.
    /// At most `RoleHandover.longestChain`.
    public var handovers: [RoleHandover]

    public init(
        version: UInt32 = currentVersion, journal: JournalID?, replica: ReplicaID, name: String, clock: Int64?,
        digest: Digest, isWritable: Bool = true, erasures: Digest? = nil, request: MembershipRequest? = nil,
        handovers: [RoleHandover] = []
    ) {
        self.version = version
        self.journal = journal
        self.replica = replica
        self.name = name
        self.clock = clock
        self.digest = digest
        self.isWritable = isWritable
        self.erasures = erasures
        self.request = request
        self.handovers = handovers
    }

    /// The replica, and those in whose place it writes, the nearest first, as far as the handovers prove it.
    func chain(in journal: JournalID) -> [ReplicaID] {
        var found = [replica]
        for link in handovers.suffix(RoleHandover.longestChain).reversed() {
            guard link.successor == found.last, link.isSigned(in: journal) else { break }
            found.append(link.former)
        }
        return found
    }
}

/// What somebody asks for: at most `Frontier.mostHeads` commits that are wanted, and as many that are held.
public struct SegmentRequest: Sendable, Hashable {
    public var journal: JournalID
    /// Heads that are wanted, with all that comes before them.
    public var wanted: [CommitID]
    /// Commits that are held already, with all that comes before them. Those that the other does not hold say nothing.
    public var held: [CommitID]

    public init(journal: JournalID, wanted: [CommitID], held: [CommitID]) {
        self.journal = journal
        self.wanted = wanted
        self.held = held
    }
}

/// What a replica holds and will not lose.
public struct Acknowledgement: Sendable, Hashable {
    public var replica: ReplicaID
    /// The device's name, for people.
    public var name: String
    public var frontier: Frontier

    public init(replica: ReplicaID, name: String, frontier: Frontier) {
        self.replica = replica
        self.name = name
        self.frontier = frontier
    }
}
