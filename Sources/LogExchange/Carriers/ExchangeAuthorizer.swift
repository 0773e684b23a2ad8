public import EventLog
import Events

/// Decides what a server does for whom.
///
/// A server believes who somebody says they are unless its carrier has proved it, by the certificate of a connection, say, and refuses
/// greetings that name another: see `MessageServer.init`.
public protocol ExchangeAuthorizer: Sendable {
    /// Throws `ExchangeError.notAuthorized`, or anything else, unless whoever greeted may do something.
    func authorize(_ greeting: Greeting, to action: ExchangeAction) async throws
}

/// What somebody asks a server to do.
public enum ExchangeAction: String, Sendable, Hashable, CaseIterable {
    /// To say who it is, and what it holds, and to hand on commits and erasures.
    case read
    /// To take in commits, which decide for themselves whether they count, and erasures.
    case write
}

/// Serves members, replicas that go on in the place of a member, and those who hold an invitation that has not expired and is not used
/// up. In a journal that nobody founded it serves every replica that names it.
public struct MemberAuthorizer: ExchangeAuthorizer {
    private let log: Log

    /// By the members as the log knows them at each request.
    public init(_ log: Log) { self.log = log }

    public func authorize(_ greeting: Greeting, to action: ExchangeAction) async throws {
        let (membership, journal) = try log.read { (try $0.membership(), try $0.journal()) }
        guard let membership, !serves(greeting.replica, greeting, membership, journal) else { return }
        // The nearest that is known decides: who was revoked hands nothing on.
        if membership.members[greeting.replica] == nil {
            for former in greeting.chain(in: journal).dropFirst() {
                if serves(former, greeting, membership, journal) { return }
                if membership.members[former] != nil { break }
            }
        }
        throw ExchangeError(
            .notAuthorized,
            "Replica \(greeting.replica) is no member of the journal, and shows no invitation that holds. Ask an admin for one, and "
                + "join with it.")
    }

    private func serves(
        _ replica: ReplicaID, _ greeting: Greeting, _ membership: Membership, _ journal: JournalID
    ) -> Bool {
        if let member = membership.members[replica] { return !member.isRevoked }
        if let request = membership.requests[replica], holds(request, membership) { return true }
        guard let request = greeting.request, holds(request, membership) else { return false }
        return request.isSigned(journal: journal, replica: replica)
    }

    private func holds(_ request: MembershipRequest, _ membership: Membership) -> Bool {
        guard let (invitation, _, used) = membership.invitations[request.invitation] else { return false }
        return used < invitation.uses && invitation.expiry.map { $0 >= log.wallClock } ?? true
    }
}

/// Serves everybody: where the carrier lets through only those who may, as in tests and between the devices of one user.
public struct OpenAuthorizer: ExchangeAuthorizer {
    public init() {}

    public func authorize(_ greeting: Greeting, to action: ExchangeAction) async throws {}
}
