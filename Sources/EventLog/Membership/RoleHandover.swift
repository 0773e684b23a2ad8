public import Events

/// How a replica handed its role to its successor: the claim of the successor's first commit, for a reader that does
/// not hold that commit.
public struct RoleHandover: Hashable, Sendable {
    /// The most links of a chain that are judged: those of replicas that wrote nothing, and some before them.
    public static let longestChain = FormerKeys.most + commonChain
    /// The most that are carried, unless more replicas wrote nothing: nobody else can show those.
    static let commonChain = 16

    /// The Ed25519 public key of the former replica, 32 bytes.
    public let formerKey: [UInt8]
    /// That of its successor, 32 bytes.
    public let successorKey: [UInt8]
    /// The former replica's signature, 64 bytes: see `HandoverSignature`.
    public let signature: [UInt8]

    public init(formerKey: [UInt8], successorKey: [UInt8], signature: [UInt8]) {
        self.formerKey = formerKey
        self.successorKey = successorKey
        self.signature = signature
    }

    public var former: ReplicaID { ReplicaID(publicKey: formerKey) }
    public var successor: ReplicaID { ReplicaID(publicKey: successorKey) }

    /// Whether the former replica signed it for a journal.
    public func isSigned(in journal: JournalID) -> Bool { isSigned(in: journal, SignatureCache()) }

    func isSigned(in journal: JournalID, _ signatures: SignatureCache) -> Bool {
        signatures.isValid(
            signature, publicKey: formerKey,
            message: HandoverSignature.message(journal: journal, from: former, to: successorKey))
    }
}

extension Log {
    /// The handovers that lead to this log's own replica, oldest first, as far back as the log holds them: at most 16, or those to the
    /// last replica whose key other replicas need not hold.
    ///
    /// They include that of a replica which has not written yet, unless the log was opened for reading.
    public func handovers() throws -> [RoleHandover] { try read { try handovers(in: $0) } }

    /// The same in an existing read. If there was no previous replica it takes one look-up: every exchange begins with
    /// it.
    package func handovers(in log: borrowing LogSnapshot) throws -> [RoleHandover] {
        guard try log.meta(MetaKey.former) != nil else { return [] }
        let (journal, replica) = try log.authorship()
        guard journal.isFounded else { return [] }
        var introduction = try log.introduction(of: replica, in: journal)
        if introduction == nil, let writer {
            introduction = try log.nextIntroduction(of: writer.author.author(in: log))
        }
        var found: [RoleHandover] = []
        var most = RoleHandover.commonChain
        while found.count < most, let successor = introduction {
            let links = try successor.handovers { try log.publicKey(of: $0, in: journal) }
            if found.isEmpty { most = max(most, links.count) }
            found += links
            introduction = try links.last.flatMap { try log.introduction(of: $0.former, in: journal) }
        }
        return found.prefix(most).reversed()
    }
}

extension LogSnapshot {
    /// The introduction with which an author that has not written begins its line.
    func nextIntroduction(of author: LogAuthor) throws -> Payload.Introduction {
        let former = try meta(MetaKey.former).flatMap { IdentityChange($0) }
        var introduction = Payload.Introduction(
            publicKey: author.identity.publicKey, name: try deviceName(), previous: former?.previous,
            reason: former?.reason ?? "", nonce: try meta(MetaKey.nonce),
            handover: former == nil ? nil : try meta(MetaKey.handover))
        if introduction.handover != nil {
            introduction.formerKeys = try meta(MetaKey.formerKeys) ?? []
            introduction.isGranted = try meta(MetaKey.granted) != nil
        }
        // A nonce without the founder's key shows nothing.
        if !introduction.founds(author.journal) { introduction.nonce = nil }
        return introduction
    }
}
