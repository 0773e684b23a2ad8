#if Hub
    public import LogExchange
    public import Logging
    public import ServiceLifecycle

    /// Finds out whether the database of a hub answers, again and again, and sets the hub's health by that.
    public final class DatabaseProbe: Service {
        /// The name under which faults are set.
        static let source = "database"

        private let ask: @Sendable () async throws -> Void
        private let health: HubHealth
        private let log: Logger
        private let repeated: RepeatedCheck

        /// `ask` asks the database for nothing, and throws if it does not answer within a time of its own. What it throws is shown to the
        /// hub's operator.
        public init(
            every interval: Duration = .seconds(10), health: HubHealth, dependencies: SessionDependencies = .system,
            log: Logger = Logger(label: "tripstore.hub"), ask: @escaping @Sendable () async throws -> Void
        ) {
            self.ask = ask
            self.health = health
            repeated = RepeatedCheck(every: interval, dependencies: dependencies)
            self.log = log
        }

        /// Something could not be stored or read: asks the database soon. Returns at once.
        public func look() { repeated.soon() }

        /// Asks the database now.
        public func check() async {
            var fault: String?
            do { try await ask() } catch { fault = "The database cannot be used. \(error)" }
            guard health.set(fault, of: Self.source) else { return }
            if let fault {
                log.error("the hub cannot use its database", metadata: ["reason": "\(fault)"])
            } else {
                log.notice("the hub can use its database again")
            }
        }

        public func run() async throws { await repeated.run { await self.check() } }
    }
#endif
