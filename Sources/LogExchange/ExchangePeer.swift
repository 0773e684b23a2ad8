public import EventLog
public import Events

/// The other side of an exchange, with its transport.
///
/// Every call may be repeated: stored data is skipped, so that after an interruption the next exchange continues where
/// this one ended. A carrier may ask another replica, or read a file or a shared database where no replica runs. One
/// conformance suite tests every carrier.
public protocol ExchangePeer: Sendable {
    /// Sends this side's greeting and returns the peer's. Throws why the two cannot exchange.
    func greet(_ greeting: Greeting) async throws -> Greeting

    /// Returns the frontier of what the peer holds durably.
    func frontier() async throws -> Frontier

    /// The frontier that this side must hold already, because the peer does not have those commits: for example for a
    /// bundle that is not complete. `.empty` by default.
    var required: Frontier { get }

    /// Passes the segments between what is held and what is wanted to `body`, one at a time, in an order in which they
    /// can be stored. An error of `body` ends it and is rethrown.
    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws

    /// Stores segments there, all or none, and returns what the peer then holds durably (X2).
    func store(_ segments: [LineSegment]) async throws -> Acknowledgement

    /// Reports what is held durably here, so that the peer can show it.
    func acknowledge(_ acknowledgement: Acknowledgement) async throws

    /// The peer's last log position, if it is a log of this process: it advances with every commit that is stored
    /// there, whether or not the frontier does. Nil by default.
    func lastPosition() async throws -> Position?

    /// The holes among the commits that the peer's frontier lists, by hash, from those after a hash on: at most 4,096, and fewer only if these
    /// are all. Nil, the default, if it cannot tell.
    func holes(after: Digest?) async throws -> [Hole]?

    /// Makes a new copy's replica a member: for a peer of the same user, whose replica is an admin. Returns whether it
    /// did; never over a carrier that others can reach.
    func welcome(_ replica: ReplicaID, as role: MemberRole) async throws -> Bool

    /// The bytes of attachments there; nil, the default, if it exchanges none.
    var contents: (any ContentPeer)? { get }
}

extension ExchangePeer {
    public var required: Frontier { .empty }

    public var contents: (any ContentPeer)? { nil }

    public func lastPosition() async throws -> Position? { nil }

    public func holes(after: Digest?) async throws -> [Hole]? { nil }

    public func welcome(_ replica: ReplicaID, as role: MemberRole) async throws -> Bool { false }
}

/// The first message of each side.
public struct Greeting: Sendable, Hashable {
    /// The newest version of the exchange that is supported here.
    public static let currentVersion: UInt32 = 1

    public var version: UInt32
    /// Nil if nothing is held: then any journal may be joined.
    public var journal: JournalID?
    public var replica: ReplicaID
    /// The device's name, for people.
    public var name: String
    /// Its wall clock, milliseconds since 1970; nil if it has no meaningful one.
    public var clock: Int64?
    /// The digest of its frontier: equal digests end an exchange at once.
    public var digest: Digest
    /// Whether it stores anything.
    public var isWritable: Bool
    /// For a replica that requests membership, or a successor of one: the invitation that it holds, and the proof.
    public var request: MembershipRequest?
    /// The handovers that lead to the replica: the oldest first, each link's successor the former of the next, the last
    /// the replica itself. At most `RoleHandover.longestChain`.
    public var handovers: [RoleHandover]
    /// The digest of its holes, also if there are none; nil if it cannot tell.
    public var holes: Digest?
    /// What a server holds aside of what this peer sent before; nil if it takes no parts.
    var held: HeldParts?

    public init(
        version: UInt32 = currentVersion, journal: JournalID?, replica: ReplicaID, name: String, clock: Int64?,
        digest: Digest, isWritable: Bool = true, request: MembershipRequest? = nil,
        handovers: [RoleHandover] = [], holes: Digest? = nil
    ) {
        self.version = version
        self.journal = journal
        self.replica = replica
        self.name = name
        self.clock = clock
        self.digest = digest
        self.isWritable = isWritable
        self.request = request
        self.handovers = handovers
        self.holes = holes
    }

    /// The device's name, if it has one, and the replica, for people.
    package var words: String { name.isEmpty ? "replica \(replica)" : "\"\(name)\", replica \(replica)" }

    /// The replica and its predecessors, nearest first, as far as the handovers prove it.
    func chain(in journal: JournalID) -> [ReplicaID] {
        var found = [replica]
        for link in handovers.suffix(RoleHandover.longestChain).reversed() {
            guard link.successor == found.last, link.isSigned(in: journal) else { break }
            found.append(link.former)
        }
        return found
    }
}

/// A request: at most `Frontier.mostHeads` wanted commits, and as many held ones.
public struct SegmentRequest: Sendable, Hashable {
    public var journal: JournalID
    /// Wanted heads, with all commits before them.
    public var wanted: [CommitID]
    /// Held commits, with all commits before them. Those that the peer does not hold are ignored.
    public var held: [CommitID]
    /// What is held aside of what this peer, or others, sent before; nil if the segments are to come whole.
    var parts: HeldParts?

    public init(journal: JournalID, wanted: [CommitID], held: [CommitID]) {
        self.journal = journal
        self.wanted = wanted
        self.held = held
    }
}

/// The frontier that a replica holds and will not lose.
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
