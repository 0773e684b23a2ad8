public import Events
public import Foundation

/// The state of a store's continuous sync with a server.
///
/// In every state, local writes stay in the store, and are sent when that is possible.
public enum SyncState: Sendable, Hashable {
    /// The first attempt, or the first after a connection was lost.
    case connecting
    /// Connected, and both sides hold the same: what changes on one is on the other at once.
    case connected
    /// Many commits are under way: `done` of those known so far have been received or sent.
    case catchingUp(done: Int, of: Int)
    /// Connected, and not everything could be exchanged, for example because the clock of a replica is wrong, or the disk of the server full
    /// and attachments wait. The rest is tried again
    /// then, and with the next change.
    case impeded(reason: String, nextTry: Date)
    /// An admin must grant this replica membership; until then its commits count here alone. Commits of others are received if the
    /// server serves it already.
    case needsGrant
    /// There is no connection, since then and for that reason.
    case offline(since: Date, reason: String, nextTry: Date)
    /// That replica revoked this one's membership. Nothing is tried again until the store joins again or `StoreSync.retryNow()` is called.
    case revoked(by: ReplicaID)
    /// The server, or the address, is of another journal.
    case otherJournal(reason: String, nextTry: Date)
    /// The server does not prove to be the right one: a person must look at its address or certificate.
    case notTrusted(reason: String, nextTry: Date)
    /// It has ended: it was stopped, or the store was closed or is open for reading alone.
    case stopped(reason: String)

    /// Whether a connection stands and its requests are served.
    public var isConnected: Bool {
        switch self {
        case .connected, .catchingUp, .impeded: true
        case .connecting, .needsGrant, .offline, .revoked, .otherJournal, .notTrusted, .stopped: false
        }
    }
}
