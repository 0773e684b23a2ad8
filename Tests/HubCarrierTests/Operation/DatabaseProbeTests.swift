#if Hub
    import ServiceLifecycle
    import StoreSupport
    import Synchronization
    import Testing

    @testable import HubCarrier

    @Suite("What finds out whether a hub's database answers", .timeLimit(.minutes(1)))
    struct DatabaseProbeTests {
        private struct Away: Error, CustomStringConvertible {
            let description = "There is no connection to postgresql://hub@db/trips."
        }

        /// A database that can be away.
        private final class Database: Sendable {
            let isAway = Mutex(false)

            func answer() throws { if isAway.withLock({ $0 }) { throw Away() } }
        }

        private let health = HubHealth()
        private let database = Database()

        private func probe(_ time: ManualTime = ManualTime()) -> DatabaseProbe {
            DatabaseProbe(health: health, dependencies: time.dependencies, log: TestHub.quietLog) {
                [database] in try database.answer()
            }
        }

        @Test("A database that is away is a fault, in its own words, until it is back; other faults stay")
        func away() async {
            let probe = probe()
            await probe.check()
            #expect(health.isServing)
            database.isAway.withLock { $0 = true }
            await probe.check()
            #expect(
                health.reason
                    == "The database cannot be used. There is no connection to postgresql://hub@db/trips.")
            health.set("The disk is full.", of: StorageProbe.source)
            database.isAway.withLock { $0 = false }
            await probe.check()
            #expect(health.reason == "The disk is full.")
        }

        @Test("It is asked every ten seconds, and at once when something failed")
        func again() async throws {
            let time = ManualTime()
            let probe = probe(time)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [probe], logger: TestHub.quietLog))
            let running = Task { try await group.run() }
            try await eventually { time.due == [.seconds(10)] }
            database.isAway.withLock { $0 = true }
            time.advance(by: .seconds(10))
            try await eventually { !health.isServing }
            database.isAway.withLock { $0 = false }
            probe.look()
            try await eventually { health.isServing }
            await group.triggerGracefulShutdown()
            try await running.value
        }

        @Test("Connections to the database are shown among the metrics")
        func gauges() async {
            let metrics = PrometheusMetrics(help: HubMetrics.help)
            let place = TemporaryFolder()
            let gauges = HubGauges(
                place.url, health: health, databaseConnections: { (inUse: 3, most: 16) }, factory: metrics)
            await gauges.update()
            let lines = metrics.text.split(separator: "\n")
            #expect(lines.contains("tripstore_hub_database_connections 3"))
            #expect(lines.contains("tripstore_hub_database_connections_limit 16"))
        }
    }
#endif
