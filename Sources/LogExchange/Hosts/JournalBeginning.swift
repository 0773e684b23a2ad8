import EventLog
public import Events

/// How a log that holds nothing yet is filled by a replica that is not known here: with the founder's line and those of
/// admins, which the journal's id vouches for, until the replica is found among the members.
///
/// It is over, for good, as soon as a member is served: from then on strangers get nothing. The note of that is written
/// before the member's first request is carried out, and read after what a stranger is to be told was read: so a stranger
/// learns nothing that came later.
struct JournalBeginning: Sendable {
    private static let note = "sessions/begun"

    private let log: Log
    /// Where it is noted, if not in the log.
    private let backed: (any BackedJournal)?
    /// Whether the session's client may fill the log without being known here.
    private let admitsStrangers: Bool

    init(_ log: Log, backed: (any BackedJournal)? = nil, admitsStrangers: Bool) {
        self.log = log
        self.backed = backed
        self.admitsStrangers = admitsStrangers
    }

    /// Whether a client that is not known may fill the log.
    func admits() async throws -> Bool {
        guard admitsStrangers else { return false }
        return try await !isOver()
    }

    /// Whether a member was served.
    func isOver() async throws -> Bool {
        guard let backed else { return try log.note(Self.note) != nil }
        // Where the founder's line was lost, as it can be with rows of a database, its members bring it back.
        guard try log.read({ try $0.membership()?.founder != nil }) else { return false }
        return try await backed.isBegun()
    }

    /// A member is served.
    func end() async throws {
        if let backed { return try await backed.noteBegun() }
        guard try log.note(Self.note) == nil else { return }
        try await log.worker.run { [log] in try log.setNote(Self.note, [1]) }
    }

    /// Whether a segment may be stored for a replica that is no member: it belongs to a line that decides who is one.
    func takes(_ segment: LineSegment) throws -> Bool {
        try log.read { log in
            guard let membership = try log.membership() else { return true }
            if let member = membership.members[segment.replica] { return member.role == .admin }
            guard segment.first.rawValue == 1, let introduction = segment.introduction else { return false }
            // The log judges whether the founder's introduction, or the predecessor's handover, holds.
            if membership.founder == nil { return introduction.founds(segment.journal) }
            return introduction.formerReplicas.contains { membership.members[$0]?.role == .admin }
        }
    }
}

/// The clients that may begin a journal in a `JournalFolder`: fill a log that knows no members yet.
///
/// Such a client can store nothing but the lines of the journal's founder and of its admins, which the journal's id vouches for,
/// until these lines name it a member. In an unfounded journal, which has no members, it is all that there is to decide.
public enum Beginners: Sendable, Hashable {
    /// Every client that has the address can use the server for journals of its own.
    case anyone
    /// No client: the folder serves the journals that are in it.
    case nobody
    /// Every client for some journals; and some replicas, by their ids or public keys (32 bytes), for every journal.
    case listed(journals: Set<JournalID> = [], replicas: Set<ReplicaID> = [], publicKeys: Set<[UInt8]> = [])

    /// Whether a client may begin a journal.
    public func include(_ peer: SessionPeerKey, for journal: JournalID) -> Bool {
        switch self {
        case .anyone: true
        case .nobody: false
        case .listed(let journals, let replicas, let publicKeys):
            journals.contains(journal) || replicas.contains(peer.replica) || publicKeys.contains(peer.publicKey)
        }
    }
}
