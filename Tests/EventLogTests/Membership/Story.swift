import Events
import Foundation
import Testing

@testable import EventLog

/// Statements of some replicas about each other, judged without a log: commits have invented hashes, and lines may
/// fork.
final class Story {
    struct Actor: Hashable {
        let name: String
        let identity: ReplicaIdentity
        var id: ReplicaID { identity.id }

        static func == (a: Actor, b: Actor) -> Bool { a.name == b.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    let journal: JournalID
    let founder: Actor
    /// Every commit with the one before it on its line.
    private(set) var commits: [(commit: CommitID, previous: CommitID?, header: CommitHeader, payload: [UInt8])] = []
    /// The time of the newest commit, in milliseconds since 1970: the next one is of the next millisecond.
    var time: UInt64 = 1_800_000_000_000

    init() throws {
        let founder = try Self.actor("founder")
        let nonce = [UInt8](repeating: 9, count: 16)
        journal = JournalID(founder: founder.identity.publicKey, nonce: nonce)
        self.founder = founder
        introduce(founder) { $0.nonce = nonce }
    }

    static func actor(_ name: String) throws -> Actor {
        var builder = DigestBuilder()
        builder.add(Array(name.utf8))
        return Actor(name: name, identity: try #require(ReplicaIdentity(seed: builder.finish().bytes)))
    }

    /// An author with a first commit.
    func newcomer(_ name: String, after former: Actor? = nil, signedBy signer: Actor? = nil) throws -> Actor {
        let actor = try Self.actor(name)
        try introduce(actor) { introduction in
            guard let former else { return }
            introduction.previous = former.id
            introduction.handover = try (signer ?? former).identity.sign(
                HandoverSignature.message(journal: journal, from: former.id, to: actor.identity.publicKey))
        }
        return actor
    }

    /// An author whose first commit has the keys of those that it succeeds, nearest first, each signed for by the next: by
    /// these, unless others sign.
    func heir(
        _ name: String, of formers: [Actor], signers: [Actor]? = nil, isGranted: Bool = false
    ) throws -> Actor {
        let actor = try Self.actor(name)
        let signatures = try zip(zip(formers, signers ?? formers), [actor] + formers).map { pair, successor in
            try pair.1.identity.sign(
                HandoverSignature.message(
                    journal: journal, from: pair.0.id, to: successor.identity.publicKey))
        }
        introduce(actor) { introduction in
            introduction.previous = formers.first?.id
            introduction.handover = signatures.first
            introduction.isGranted = isGranted
            introduction.formerKeys =
                (formers.first?.identity.publicKey ?? [])
                + zip(signatures, formers).dropFirst().flatMap { $0 + $1.identity.publicKey }
        }
        return actor
    }

    private func introduce(_ actor: Actor, _ edit: (inout Payload.Introduction) throws -> Void) rethrows {
        var introduction = Payload.Introduction(publicKey: actor.identity.publicKey, name: actor.name)
        try edit(&introduction)
        add(Payload(introduction: introduction), by: actor, after: nil)
    }

    func last(_ actor: Actor) -> CommitID? { commits.last { $0.commit.replica == actor.id }?.commit }

    /// A commit after the newest of its author's, or after another, on a branch of its own.
    @discardableResult
    func say(_ actor: Actor, _ statements: MembershipStatement..., after previous: CommitID? = nil) -> CommitID {
        add(
            Payload(membership: statements.map { $0.encoded() }), by: actor, after: previous ?? last(actor))
    }

    /// An invitation to write, and its code.
    func invitation(uses: Int = 1) throws -> (code: InvitationCode, invitation: Invitation) {
        let code = InvitationCode(journal: journal, secret: [UInt8](repeating: 4, count: 16))
        return (code, Invitation(key: code.key, role: .write, uses: uses))
    }

    /// A commit of events.
    @discardableResult
    func write(_ actor: Actor, after previous: CommitID? = nil) -> CommitID {
        add(Payload(author: "\(commits.count)"), by: actor, after: previous ?? last(actor))
    }

    @discardableResult
    private func add(_ payload: Payload, by actor: Actor, after previous: CommitID?) -> CommitID {
        time += 1
        let sequence = SequenceNumber((previous?.sequence.rawValue ?? 0) + 1)
        let bytes = payload.encoded()
        var builder = DigestBuilder()
        builder.add(Array("\(actor.name) \(commits.count)".utf8))
        let hash = builder.finish()
        let header = CommitHeader(
            journal: journal, replica: actor.id, sequence: sequence, timestamp: Timestamp(milliseconds: time),
            wallClock: nil, schema: 1, payloadHash: hash,
            features: payload.features)
        let name = CommitID(replica: actor.id, sequence: sequence, hash: hash)
        commits.append((name, previous, header, bytes))
        return name
    }

    /// The members, as a replica resolves them that received the commits in some order; all of them, but for those of
    /// some replicas.
    func membership(
        shuffledBy generator: inout some RandomNumberGenerator, without absent: Set<CommitID> = []
    ) throws -> Membership {
        let held = commits.filter { !absent.contains($0.commit) }
        var facts = MembershipFacts(journal: journal)
        for entry in held.shuffled(using: &generator) where MembershipFacts.concern(entry.header) {
            entry.payload.withUnsafeBytes { facts.add(entry.header, entry.commit.hash, PayloadView($0)) }
        }
        facts.prove()
        let previous = Dictionary(held.map { ($0.commit, $0.previous) }) { first, _ in first }
        return try MembershipResolver.resolve(facts) { commit, later in
            guard previous[later] != nil else { return false }
            var step: CommitID? = later
            while let at = step, at.sequence >= commit.sequence {
                if at == commit { return true }
                step = previous[at] ?? nil
            }
            return false
        }
    }

    func membership(without absent: Set<CommitID> = []) throws -> Membership {
        var generator = SystemRandomNumberGenerator()
        return try membership(shuffledBy: &generator, without: absent)
    }

    /// Whether a commit counts.
    func counts(_ commit: CommitID, _ membership: Membership) -> Bool {
        guard let member = membership.members[commit.replica], member.role >= .write, membership.voids[commit] == nil
        else { return false }
        let previous = Dictionary(commits.map { ($0.commit, $0.previous) }) { first, _ in first }
        func isReached(from named: CommitID) -> Bool {
            var step: CommitID? = named
            while let at = step {
                if at == commit { return true }
                step = previous[at] ?? nil
            }
            return false
        }
        let time = commits.first { $0.commit == commit }?.header.timestamp ?? .zero
        let isReplaced = membership.replacements[commit.replica]?.contains {
            time > $0.after && isReached(from: $0.last)
        }
        return isReplaced != true && member.cuts.allSatisfy { $0.contains(where: isReached) }
    }
}
