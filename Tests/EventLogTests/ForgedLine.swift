import Events
import Foundation
import Testing

@testable import EventLog

/// A writer with a key of its own, which signs anything.
struct ForgedLine {
    let identity: ReplicaIdentity
    let journal: JournalID

    init(_ journal: JournalID, seed: UInt8) throws {
        identity = try #require(ReplicaIdentity(seed: [UInt8](repeating: seed, count: 32)))
        self.journal = journal
    }

    /// An unnoticed copy of a replica.
    init(_ journal: JournalID, copying identity: ReplicaIdentity) {
        (self.identity, self.journal) = (identity, journal)
    }

    /// A commit, and its hash.
    struct Commit {
        let bytes: [UInt8]
        let sequence: SequenceNumber
        let hash: Digest
    }

    func commit(
        _ payload: Payload, after previous: Commit? = nil, milliseconds: UInt64 = 1_700_000_000_000,
        at timestamp: Timestamp? = nil, introducedBy introduction: Payload.Introduction? = nil
    ) throws -> Commit {
        var payload = payload
        if previous == nil {
            payload.introduction =
                introduction ?? Payload.Introduction(publicKey: identity.publicKey, name: "forger")
        }
        let hashed = try HashedPayload(payload.encoded(), salt: [UInt8](repeating: 3, count: 16))
        let sequence = SequenceNumber((previous?.sequence.rawValue ?? 0) + 1)
        let header = CommitHeader(
            journal: journal, replica: identity.id, sequence: sequence,
            timestamp: timestamp ?? Timestamp(milliseconds: milliseconds + sequence.rawValue), wallClock: nil,
            schema: 1,
            payloadHash: hashed.hash, features: payload.features
        ).encoded()
        let before = previous?.hash ?? .zero
        let hash = header.withUnsafeBytes { CommitView.hash($0, after: before) }
        let front = hashed.front(header, hash: hash)
        return Commit(bytes: Array(front.dropFirst(Digest.size)) + hashed.bytes, sequence: sequence, hash: hash)
    }

    /// A commit that requests membership, with an invitation.
    func request(
        _ code: InvitationCode, after previous: Commit, milliseconds: UInt64 = 1_700_000_000_000
    ) throws -> Commit {
        let request = MembershipStatement.request(try code.request(of: identity.id))
        return try commit(Payload(membership: [request.encoded()]), after: previous, milliseconds: milliseconds)
    }

    /// A first commit as the successor of another replica, with its signature.
    func firstCommit(after former: ReplicaIdentity, _ payload: Payload = Payload(), name: String = "successor") throws
        -> Commit
    {
        let message = HandoverSignature.message(journal: journal, from: former.id, to: identity.publicKey)
        let introduction = Payload.Introduction(
            publicKey: identity.publicKey, name: name, previous: former.id, handover: try former.sign(message))
        return try commit(payload, introducedBy: introduction)
    }

    /// The segment of some commits, signed at its end.
    func segment(_ commits: [Commit], after previous: Commit? = nil) throws -> LineSegment {
        let last = try #require(commits.last)
        let message = LineSignature.message(
            journal: journal, replica: identity.id, sequence: last.sequence, hash: last.hash)
        return LineSegment(
            journal: journal, replica: identity.id, first: commits[0].sequence, previous: previous?.hash ?? .zero,
            commits: commits.map(\.bytes), signature: try identity.sign(message))
    }
}
