public import EventLog

/// Decides what a server does for which peer.
///
/// A server believes the replica id in a greeting unless its carrier has proved one, by a connection's certificate,
/// say; then it refuses greetings with another id: see `MessageServer.init`.
public protocol ExchangeAuthorizer: Sendable {
    /// Throws `ExchangeError.notAuthorized`, or another error, unless the greeting's peer may perform the action.
    func authorize(_ greeting: Greeting, to action: ExchangeAction) async throws
}

/// An action that a peer requests of a server.
public enum ExchangeAction: String, Sendable, Hashable, CaseIterable {
    /// Greeting, the frontier, and sending commits to the peer.
    case read
    /// Storing the peer's commits, whose members decide whether they count.
    case write
}

/// Serves members, successors of members, and holders of an invitation that has not expired and is not used up. In an
/// open journal it serves every replica that names the journal.
public struct MemberAuthorizer: ExchangeAuthorizer {
    private let log: Log

    /// By the members as the log knows them at each request.
    public init(_ log: Log) { self.log = log }

    public func authorize(_ greeting: Greeting, to action: ExchangeAction) async throws {
        guard try log.standing(of: greeting) != .served else { return }
        throw ExchangeError(
            .notAuthorized,
            "Replica \(greeting.replica) is no member of the journal, and shows no invitation that holds. Ask an admin for one, and "
                + "join with it.")
    }
}

/// Serves every peer: for carriers that admit only authorised ones, as in tests and between the devices of one user.
public struct OpenAuthorizer: ExchangeAuthorizer {
    public init() {}

    public func authorize(_ greeting: Greeting, to action: ExchangeAction) async throws {}
}
