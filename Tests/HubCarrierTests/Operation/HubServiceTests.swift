#if Hub
    import Foundation
    import LogExchange
    import ServiceLifecycle
    import StoreSupport
    import Testing
    import TripStore
    import TripStoreTestSupport
    import TripStoreTransports

    @testable import HubCarrier

    @Suite("A hub as a service", .timeLimit(.minutes(10)))
    struct HubServiceTests {
        @Test("A group that shuts down ends the hub's sessions in order, and devices find it gone")
        func drains() async throws {
            let stores = try await Devices.make()
            let server = stores[0].sessionServer(limits: SessionLimits(refusal: .zero))
            let health = HubHealth()
            let hub = try await TestHub(health: health) { await server.serve($0) }
            let service = HubService(
                hub.listener, server: server, health: health, limits: hub.limits, log: TestHub.quietLog)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [service], logger: TestHub.quietLog))
            let running = Task { try await group.run() }
            let sync = stores[1].stayInSync(with: hub.connector(), options: Devices.options)
            await sync.connected()
            #expect(server.connections.sessions == 1)
            await group.triggerGracefulShutdown()
            try await running.value
            #expect(server.connections.sessions == 0 && !health.isServing)
            await sync.reach { if case .offline = $0 { true } else { false } }
            await sync.stop()
            for store in stores { try await store.expectInvariants() }
        }

        @Test("A cancelled group cuts what is there")
        func cancelled() async throws {
            let health = HubHealth()
            let hub = try await TestHub(health: health) { _ in
                for await _ in AsyncStream<Never>.makeStream().stream {}
            }
            let store = try await TripStore.founded(clock: ManualClock(seed: 1))
            let service = HubService(
                hub.listener, server: store.sessionServer(), health: health, limits: hub.limits, log: TestHub.quietLog)
            let port = try await hub.connect()
            let running = Task { try await service.run() }
            running.cancel()
            try await running.value
            #expect(!health.isServing)
            port.close()
            try await store.expectInvariants()
        }
    }
#endif
