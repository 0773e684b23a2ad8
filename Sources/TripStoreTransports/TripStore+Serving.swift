public import Events
public import LogExchange
public import TripStore

extension TripStore {
    /// Responds to the requests of another replica's `MessagePeer`: for a transport of an app, one for each
    /// connection. It serves members, and replicas with an invitation, unless an authorizer decides otherwise.
    ///
    /// `proven` is the other replica, if the transport has verified it; otherwise its claim is believed.
    public func exchangeServer(
        authorizer: (any ExchangeAuthorizer)? = nil, proven: ReplicaID? = nil
    ) -> MessageServer {
        MessageServer(log, authorizer: authorizer ?? MemberAuthorizer(log), proven: proven, logger: logger)
    }

    /// The server of this store for other devices, without one in between: a transport calls it with each connection
    /// from one. It serves the members of the journal, and replicas with an invitation, as long as the store is open.
    ///
    /// Commits that devices push are in this store's queries at once, and commits written here are announced to them.
    public func sessionServer(
        limits: SessionLimits = SessionLimits(), dependencies: SessionDependencies = .system
    ) -> SessionServer {
        let host = SingleLogHost(log) { [views] in try TripStoreError.wrap { try views.checkOpen() } }
        return SessionServer(host, limits: limits, dependencies: dependencies, logger: logger)
    }
}
