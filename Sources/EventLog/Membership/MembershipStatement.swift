public import Events

/// One statement about who may write, in a signed commit: a fact that every replica judges alike.
public enum MembershipStatement: Hashable, Sendable {
    /// Makes a replica a member, or gives it a higher role; `invitation` is the key of the one that it redeemed.
    case grant(ReplicaID, MemberRole, invitation: [UInt8]?)
    /// Revokes membership permanently. Of the commits of the replica and its successors, only those named and those
    /// before them on their lines count.
    case revocation(ReplicaID, cut: Set<CommitID>)
    /// The holder of the private key may request membership.
    case invitation(Invitation)
    /// Withdraws an invitation, by its key.
    case withdrawal([UInt8])
    /// Requests membership for the replica that writes it.
    case request(MembershipRequest)
    /// Voids a commit's events, or lifts that.
    case void(CommitID, isVoid: Bool)
    /// The commits of the replica that writes it, or of one that it succeeds, were written with a clock that was ahead, and their content
    /// was written again: the named one and those before it on its line, as far as they are dated over a day after the statement.
    case replacement(CommitID)
}

/// An offer of membership to the holder of its private key.
public struct Invitation: Hashable, Sendable {
    /// Its Ed25519 public key, 32 bytes.
    public let key: [UInt8]
    public let role: MemberRole
    /// When it expires, in milliseconds since 1970, by the clock of the granting replica; nil for never.
    public let expiry: Int64?
    /// How many replicas may use it, 1 or more.
    public let uses: Int

    package init(key: [UInt8], role: MemberRole, expiry: Int64? = nil, uses: Int = 1) {
        self.key = key
        self.role = role
        self.expiry = expiry
        self.uses = max(1, uses)
    }
}

/// The redemption of an invitation.
public struct MembershipRequest: Hashable, Sendable {
    /// The invitation's public key, 32 bytes.
    public let invitation: [UInt8]
    /// The signature by the invitation's key over journal and replica, 64 bytes.
    public let signature: [UInt8]

    public init(invitation: [UInt8], signature: [UInt8]) {
        self.invitation = invitation
        self.signature = signature
    }

    /// The most requests of one replica that are judged: its first.
    static let mostJudged = 16

    /// Domain separation: distinguishes this use of the key from any other.
    private static let domain = Array("TripStore invitation v1\0\0\0\0\0\0\0\0\0".utf8)

    /// The signed message: domain tag ‖ journal ‖ replica.
    static func message(journal: JournalID, replica: ReplicaID) -> [UInt8] {
        domain + journal.bytes + replica.bytes
    }

    /// Whether the requesting replica held the invitation's private key.
    public func isSigned(journal: JournalID, replica: ReplicaID) -> Bool {
        isSigned(journal: journal, replica: replica, SignatureCache())
    }

    func isSigned(journal: JournalID, replica: ReplicaID, _ signatures: SignatureCache) -> Bool {
        signatures.isValid(
            signature, publicKey: invitation, message: Self.message(journal: journal, replica: replica))
    }
}

/// How a replica hands its role to its successor.
enum HandoverSignature {
    /// Domain separation: distinguishes this use of the key from any other.
    private static let domain = Array("TripStore handover v1\0\0\0\0\0\0\0\0\0\0\0".utf8)

    /// The message that the former replica's key signs: domain tag ‖ journal ‖ former replica ‖ key of the new one.
    static func message(journal: JournalID, from former: ReplicaID, to publicKey: [UInt8]) -> [UInt8] {
        domain + journal.bytes + former.bytes + publicKey
    }
}
