#if Hub
    public import LogExchange
    public import Logging
    public import ServiceLifecycle

    /// Removes, on a hub, the bytes that members erased and whose time has come: also of journals that no client visits.
    public struct HubRemoval: Service {
        private let journals: JournalFolder
        private let log: Logger
        private let repeated: RepeatedCheck

        public init(
            every interval: Duration = .seconds(3600), journals: JournalFolder,
            dependencies: SessionDependencies = .system, log: Logger = Logger(label: "tripstore.hub")
        ) {
            self.journals = journals
            self.log = log
            repeated = RepeatedCheck(every: interval, dependencies: dependencies)
        }

        public func run() async throws {
            await repeated.run { [journals, log] in
                do {
                    let removed = try await journals.removeDue()
                    if removed > 0 { log.info("erased bytes were removed", metadata: ["commits": "\(removed)"]) }
                } catch is CancellationError {
                } catch {
                    log.warning("erased bytes could not be removed", metadata: ["error": "\(error)"])
                }
            }
        }
    }
#endif
