#if Hub
    public import LogExchange
    public import Logging
    public import ServiceLifecycle

    /// A listener in a group of services.
    ///
    /// When the group shuts down, the hub first says that it does not serve, goes on for `notice`, so that balancers send clients
    /// elsewhere, takes no connections then, and lets sessions end after what they are at, for at most `HubLimits.draining`.
    public struct HubService: Service {
        public let listener: HubListener
        private let server: SessionServer
        private let health: HubHealth
        private let (notice, draining): (Duration, Duration)
        private let log: Logger

        public init(
            _ listener: HubListener, server: SessionServer, health: HubHealth, limits: HubLimits,
            notice: Duration = .zero,
            log: Logger = Logger(label: "tripstore.hub")
        ) {
            self.listener = listener
            self.server = server
            self.health = health
            self.notice = notice
            draining = limits.draining
            self.log = log
        }

        public func run() async throws {
            // Thrown if the task is cancelled: then nothing waits.
            let isGraceful = (try? await gracefulShutdown()) != nil
            health.shutDown()
            guard isGraceful else { return await listener.shutDown(within: .zero) }
            log.notice("the hub shuts down", metadata: ["sessions": "\(server.connections.sessions)"])
            if notice > .zero { try? await Task.sleep(for: notice) }
            await listener.shutDown(within: draining) { server.drain() }
            log.notice("the hub has shut down")
        }
    }
#endif
