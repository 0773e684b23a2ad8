#if Hub
    internal import GRPCCore

    /// The one method of a hub: see `hub.proto`.
    enum HubMethod {
        static let descriptor = MethodDescriptor(fullyQualifiedService: "tripstore.hub.Hub", method: "Sync")
    }
#endif
