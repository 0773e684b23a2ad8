public import Foundation

/// The content of a commit: who, why, and what happened.
public struct Payload: Hashable, Sendable {
    /// The claimed author: stated by the device, not proved.
    public var author: String
    /// The cause of this commit, as the app names it.
    public var causation: UUID?
    /// The unit of work to which this commit belongs, as the app names it.
    public var correlation: UUID?
    public var events: [Event]
    /// In a replica's first commit: its key and the name of its device.
    public var introduction: Introduction?
    /// The caller's id of the append, to recognise another attempt of it.
    public var appendID: AppendID?
    /// Statements about who may write, each a message of its own, which the log reads. A commit with any has no events.
    public var membership: [[UInt8]]
    /// Statements about erasing, each a message of its own, which the log reads. A commit with any has no events.
    package var erasing: [[UInt8]] = []
    /// With deletions, and with events of erased entities: what the author held of each branch, its own included. Shows
    /// which edits the deletions did not know, and which erasures the author had seen.
    public var held: VersionVector

    public init(
        author: String = "", causation: UUID? = nil, correlation: UUID? = nil, events: [Event] = [],
        introduction: Introduction? = nil, appendID: AppendID? = nil,
        membership: [[UInt8]] = [], held: VersionVector = VersionVector()
    ) {
        self.author = author
        self.causation = causation
        self.correlation = correlation
        self.events = events
        self.introduction = introduction
        self.appendID = appendID
        self.membership = membership
        self.held = held
    }

    /// How a replica introduces itself.
    public struct Introduction: Hashable, Sendable {
        /// An Ed25519 public key, 32 bytes.
        public var publicKey: [UInt8]
        /// The device's name, for people.
        public var name: String
        /// The replica that this one succeeds, if any: a claim, not a proof.
        public var previous: ReplicaID?
        /// Why that one stopped writing, in words.
        public var reason: String
        /// 16 bytes, at the replica that founded the journal, or at its successor. The journal's id is a hash of them and of
        /// the founder's key.
        public var nonce: [UInt8]?
        /// The predecessor's signature over this replica's key, 64 bytes; nil if the predecessor's key was not
        /// available.
        public var handover: [UInt8]?
        /// Keys of predecessors that wrote nothing: the nearest one's public key (32 bytes), and for each before it the signature
        /// (64) over the key before and the key (32), nearest first. Empty otherwise.
        public var formerKeys: [UInt8]
        /// Whether the predecessor, as an admin, grants its role rather than handing it over.
        public var isGranted: Bool

        public init(
            publicKey: [UInt8], name: String, previous: ReplicaID? = nil, reason: String = "", nonce: [UInt8]? = nil,
            handover: [UInt8]? = nil, formerKeys: [UInt8] = [], isGranted: Bool = false
        ) {
            self.publicKey = publicKey
            self.name = name
            self.previous = previous
            self.reason = reason
            self.nonce = nonce
            self.handover = handover
            self.formerKeys = formerKeys
            self.isGranted = isGranted
        }
    }

    /// The message's bytes: the same for equal payloads.
    public func encoded() -> [UInt8] {
        var replicas = SeenReplicas()
        for event in events {
            _ = replicas.reference(to: event.seen)
            for change in event.changes { _ = replicas.reference(to: change.seen) }
        }
        replicas.note(held)
        var front = WireWriter(reservingCapacity: author.utf8.count + (introduction == nil ? 64 : 320))
        front.authorship(author, causation, correlation, appendID)
        if let introduction {
            front.message(5) {
                $0.bytes(1, introduction.publicKey)
                if !introduction.name.isEmpty { $0.string(2, introduction.name) }
                if let previous = introduction.previous { $0.bytes(3, previous.bytes) }
                if !introduction.reason.isEmpty { $0.string(4, introduction.reason) }
                if let nonce = introduction.nonce { $0.bytes(5, nonce) }
                if let handover = introduction.handover { $0.bytes(6, handover) }
                if !introduction.formerKeys.isEmpty { $0.bytes(7, introduction.formerKeys) }
                if introduction.isGranted { $0.varint(8, 1) }
            }
        }
        front.seenReplicas(replicas, membership: membership, erasing: erasing)
        return EventEncoder.encode(events, as: Self.eventField, &replicas, after: front.finish())
    }

    /// The field number of events: after all others, also those of later versions.
    package static let eventField: UInt32 = 15
    /// The most events of a commit: each is hashed by itself.
    public static let mostEvents = 1 << 16
    /// The most changes of a commit, over all its events: each may be a register that readers merge.
    public static let mostChanges = 1 << 19
    /// The most replicas to whose writes the events of a commit refer.
    public static let mostSeenReplicas = 1 << 16
    /// The most statements about members in a commit.
    public static let mostStatements = 256
    /// The most bytes of the statements together: twice those of a revocation with the largest cut.
    public static let mostStatementBytes = 128 << 10
    /// The most statements about erasing in a commit.
    package static let mostErasingStatements = 1024
    /// The most bytes of these together.
    package static let mostErasingBytes = 256 << 10
    /// The most bytes of an element's key: readers keep it with each register.
    public static let longestKey = 1024
}

extension WireWriter {
    /// The fields of a payload before its events.
    mutating func authorship(_ author: String, _ causation: UUID?, _ correlation: UUID?, _ appendID: AppendID?) {
        if !author.isEmpty { string(1, author) }
        if let causation { uuid(2, causation) }
        if let correlation { uuid(3, correlation) }
        if let appendID { uuid(4, appendID.uuid) }
    }

    /// The list to which the events refer with what was seen, and how much was held of each replica.
    mutating func seenReplicas(_ list: SeenReplicas, membership: [[UInt8]] = [], erasing: [[UInt8]] = []) {
        for replica in list.replicas { bytes(6, replica.bytes) }
        for statement in membership { bytes(8, statement) }
        if !list.newestHeld.isEmpty {
            bytes(12, list.newestHeld.flatMap { withUnsafeBytes(of: $0.rawValue.littleEndian, [UInt8].init) })
        }
        for statement in erasing { bytes(13, statement) }
    }
}

extension Payload {
    /// Whether its statements about members are within the bounds; otherwise they are ignored.
    package var isMembershipBounded: Bool {
        membership.count <= Self.mostStatements
            && membership.reduce(0) { $0 + $1.count } <= Self.mostStatementBytes
    }

    /// Whether its statements about erasing are within the bounds; otherwise they are ignored.
    package var isErasingBounded: Bool {
        erasing.count <= Self.mostErasingStatements
            && erasing.reduce(0) { $0 + $1.count } <= Self.mostErasingBytes
    }
}
