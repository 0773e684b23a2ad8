public import Events

/// Which clients may begin a journal in a `JournalFolder`: fill a log that knows no members yet.
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
