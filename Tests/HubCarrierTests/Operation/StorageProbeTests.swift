#if Hub
    import Foundation
    import ServiceLifecycle
    import StoreSupport
    import Testing

    @testable import HubCarrier

    @Suite("What finds out whether a hub can store", .timeLimit(.minutes(1)))
    struct StorageProbeTests {
        private let place = TemporaryFolder()
        private let health = HubHealth()

        private func probe(leastFree: Int64 = 0, time: ManualTime = ManualTime()) throws -> StorageProbe {
            try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
            return StorageProbe(
                place.url, leastFree: leastFree, health: health, dependencies: time.dependencies, log: TestHub.quietLog)
        }

        @Test("A folder that can be written is well, and nothing is left in it")
        func well() async throws {
            try await probe().check()
            #expect(health.isServing)
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.url.path).isEmpty)
        }

        @Test("A folder that is gone is a fault until it is back")
        func gone() async throws {
            let probe = try probe()
            try FileManager.default.removeItem(at: place.url)
            await probe.check()
            #expect(health.reason?.hasPrefix("The hub's folder cannot be written: ") == true)
            try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
            await probe.check()
            #expect(health.isServing)
        }

        @Test("Too little free space is a fault, with both numbers")
        func full() async throws {
            try await probe(leastFree: .max).check()
            #expect(health.reason?.hasSuffix("and \(Int64.max) are the least.") == true)
        }

        @Test("It looks again after a while, and at once when something could not be stored")
        func again() async throws {
            let time = ManualTime()
            let probe = try probe(time: time)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [probe], logger: TestHub.quietLog))
            let running = Task { try await group.run() }
            try await eventually { time.due == [.seconds(10)] }
            try FileManager.default.removeItem(at: place.url)
            time.advance(by: .seconds(10))
            try await eventually { !health.isServing }
            try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
            probe.look()
            try await eventually { health.isServing }
            await group.triggerGracefulShutdown()
            try await running.value
        }
    }
#endif
