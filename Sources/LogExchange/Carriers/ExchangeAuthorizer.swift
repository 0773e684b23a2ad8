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

/// Serves members, and whoever holds an invitation. In a journal in which everybody may write it serves everybody who names it.
public struct MemberAuthorizer: ExchangeAuthorizer {
    private let log: Log

    /// By the members as the log knows them at each request.
    public init(_ log: Log) { self.log = log }

    public func authorize(_ greeting: Greeting, to action: ExchangeAction) async throws {
        let (membership, journal) = try log.read { (try $0.membership(), try $0.journal()) }
        guard let membership else { return }
        if membership.role(of: greeting.replica) != nil || membership.requests[greeting.replica] != nil { return }
        if let request = greeting.request, membership.invitations[request.invitation] != nil,
            request.isSigned(journal: journal, replica: greeting.replica)
        {
            return
        }
        throw ExchangeError(
            .notAuthorized,
            "Replica \(greeting.replica) is no member of the journal, and shows no invitation that holds. Ask an admin for one, and "
                + "join with it.")
    }
}

/// Serves everybody: where the carrier lets through only those who may, as in tests and between the devices of one user.
public struct OpenAuthorizer: ExchangeAuthorizer {
    public init() {}

    public func authorize(_ greeting: Greeting, to action: ExchangeAction) async throws {}
}
