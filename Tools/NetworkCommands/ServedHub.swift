#if Hub
    import Foundation
    import HubCarrier
    import HubDatabase
    import LogExchange
    import Logging
    import Metrics
    import ServiceLifecycle
    import TripStore
    import TripStoreCommands

    /// A server with all that belongs to its operation, which runs as a group of services until the command is interrupted.
    struct ServedHub {
        let listen: ListenArgument
        let certificate: CertificateOptions
        let limits: ServingLimits
        let operation: OperationOptions
        /// Where the journals lie, and the certificate.
        let folder: URL
        /// The journals of a hub; nil for a store.
        let journals: JournalFolder?
        /// The database where they are kept; nil if in the folder.
        var database: HubDatabase?

        /// Metrics can be bootstrapped once in a process.
        private static let prometheus: PrometheusMetrics = {
            let metrics = PrometheusMetrics(help: HubMetrics.help)
            MetricsSystem.bootstrap(metrics)
            return metrics
        }()

        /// What is running, for people.
        struct Running {
            let listener: HubListener
            let status: StatusServer?
        }

        /// Listens, calls `show`, and serves until the command is interrupted; then lets the sessions end.
        func run(_ server: SessionServer, show: (Running) -> Void) async throws {
            let log = operation.logger("tripstore.hub")
            let shown = try certificate.load(in: folder, for: listen.host)
            // Before anything is counted.
            if operation.metrics != nil { _ = Self.prometheus }
            let health = HubHealth()
            let hubLimits = limits.hubLimits
            let memory = SessionMemory(most: limits.memory.bytes)
            let metrics = HubMetrics()
            let webhook = try operation.webhookService()
            let probe = StorageProbe(folder, leastFree: Int64(operation.leastFree), health: health, log: log)
            await probe.check()
            let databaseProbe = database.map { database in
                DatabaseProbe(health: health, log: log) { try await database.probe() }
            }
            await databaseProbe?.check()
            var server = server
            server.useTickets(key: shown.ticketKey)
            server.observe = { event in
                metrics.note(event)
                webhook?.note(event)
                if case .lacking = event { health.note = metrics.lackingNote }
                if case .refused(_, _, SessionEvent.ownFault) = event {
                    probe.look()
                    databaseProbe?.look()
                }
            }
            let listener = try await HubListener.start(
                host: listen.host, port: listen.port, certificate: shown, limits: hubLimits, memory: memory,
                health: health, metrics: metrics, log: log
            ) { [server] in await server.serve($0) }
            let status: StatusServer?
            do {
                status = try await startStatus(health, memory)
            } catch {
                await listener.shutDown()
                throw error
            }
            Console.current.notesSignals()
            show(Running(listener: listener, status: status))
            // They end in the reverse order: the hub first, and what shows its state last.
            var services: [any Service] = [probe]
            if let databaseProbe { services.append(databaseProbe) }
            if let webhook { services.append(webhook) }
            if let journals {
                services.append(HubMemory(most: limits.memory.bytes, journals: journals))
                services.append(HubRemoval(journals: journals, log: log))
            }
            if let status { services.append(status) }
            services.append(CertificateReloading(certificate: certificate, listener: listener, folder: folder))
            services.append(
                HubService(
                    listener, server: server, health: health, limits: hubLimits, notice: .seconds(operation.notice),
                    log: log))
            if database != nil, let journals { services.append(CopyEnding(journals: journals)) }
            try await run(services, log)
        }

        private func run(_ services: [any Service], _ log: Logger) async throws {
            var configurations = services.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) }
            configurations.append(
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: Interruption(), successTerminationBehavior: .gracefullyShutdownGroup))
            var quiet = log
            quiet.logLevel = max(log.logLevel, .warning)
            try await ServiceGroup(configuration: ServiceGroupConfiguration(services: configurations, logger: quiet))
                .run()
        }

        private func startStatus(_ health: HubHealth, _ memory: SessionMemory) async throws -> StatusServer? {
            guard let address = operation.metrics else { return nil }
            var count: (@Sendable () async -> Int)?
            if let journals { count = { await journals.openJournals.count } }
            var connections: (@Sendable () -> (inUse: Int, most: Int))?
            if let database { connections = { database.connections } }
            let gauges = HubGauges(
                folder, health: health, memory: memory, openJournals: count, databaseConnections: connections)
            return try await StatusServer.start(host: address.host, port: address.port, health: health) {
                await gauges.update()
                return Self.prometheus.text
            }
        }
    }

    /// Ends when the command is interrupted. A second signal then has its default action, and ends the process at once.
    private struct Interruption: Service {
        func run() async throws {
            let console = Console.current
            await cancelWhenGracefulShutdown { await console.ended() }
        }
    }

    /// Ends copies of journals that are being made: a client's session is not waited for then.
    private struct CopyEnding: Service {
        let journals: JournalFolder

        func run() async throws {
            // Thrown if the task is cancelled: then copies are not waited for either.
            try? await gracefulShutdown()
            await journals.endCopying()
        }
    }

    /// Reads the certificate again on SIGHUP.
    private struct CertificateReloading: Service {
        let certificate: CertificateOptions
        let listener: HubListener
        let folder: URL

        func run() async throws {
            let console = Console.current
            await cancelWhenGracefulShutdown {
                await Console.$current.withValue(console) { await certificate.reload(listener, in: folder) }
            }
        }
    }
#endif
