#if Hub
    import EventLog
    import HubCarrier
    import LogExchange
    import StoreSupport
    import TestSupport
    import Testing
    import TripStore
    import TripStoreTestSupport

    @Suite("Devices and a hub, over a network with faults", .timeLimit(.minutes(4)))
    struct FaultyNetworkTests {
        /// All write at once, each at least a number of trips, and until something has occurred. Returns how many
        /// trips were written.
        @discardableResult
        private func write(
            _ stores: [TripStore], _ least: Int, until hasOccurred: @escaping @Sendable () -> Bool = { true }
        ) async throws -> Int {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for store in stores {
                    group.addTask {
                        var written = 0
                        while written < least || !hasOccurred() {
                            try await store.create(Trip(name: "Trip \(written)"))
                            written += 1
                            for _ in 0..<20 { await Task.yield() }
                        }
                        return written
                    }
                }
                return try await group.reduce(0, +)
            }
        }

        @Test(
            "Connections that are cut at random bytes lose nothing, and store nothing twice", arguments: Seeds.some(3))
        func cuts(seed: UInt64) async throws {
            let (hub, stores) = (try await JournalHub(), try await Devices.make(3))
            let proxy = try await FaultyProxy(to: hub.port, .cut(within: 30_000), seed: seed)
            let syncs = stores.map {
                $0.stayInSync(with: hub.connector(through: proxy.port), options: Devices.options)
            }
            // However few bytes a session takes, enough of them pass in the end.
            let written = try await write(stores, 20) { proxy.count >= 5 }
            proxy.set(.none)
            try await Devices.expectEqual(stores)
            #expect(try stores[0].count(Query<Trip>().where { $0.name.begins(with: "Trip") }) == written)
            for sync in syncs { await sync.stop() }
            await hub.end()
            try await proxy.end()
        }

        @Test("Connections that die without a word are given up, and nothing is lost")
        func halfOpen() async throws {
            let (hub, stores) = (try await JournalHub(), try await Devices.make())
            let proxy = try await FaultyProxy(to: hub.port, .silence(within: 20_000), seed: 1)
            var options = Devices.options
            options.limits.ping = .milliseconds(200)
            options.limits.patience = .milliseconds(500)
            options.limits.pause = .seconds(1)
            options.limits.answering = .seconds(2)
            options.limits.greeting = .seconds(1)
            let connector = hub.connector(through: proxy.port, limits: .with { $0.handshake = .seconds(5) })
            let syncs = stores.map { $0.stayInSync(with: connector, options: options) }
            try await write(stores, 10) { proxy.count >= 2 }
            try await eventually { syncs.contains { if case .offline = $0.state { true } else { false } } }
            proxy.set(.none)
            try await Devices.expectEqual(stores)
            for sync in syncs { await sync.stop() }
            await hub.end()
            try await proxy.end()
        }

        @Test("A hub that ends and comes back under writing devices: all hold the same in the end")
        func restarts() async throws {
            let (hub, stores) = (try await JournalHub(), try await Devices.make(3))
            let syncs = stores.map { $0.stayInSync(with: hub.connector(), options: Devices.options) }
            async let written = write(stores, 30)
            for _ in 0..<4 {
                for sync in syncs { await sync.reach { $0.isConnected } }
                await hub.cut()
                try await hub.restart()
            }
            _ = try await written
            try await Devices.expectEqual(stores)
            #expect(try stores[0].trips(.undated, limit: 100).count == 90)
            for sync in syncs { await sync.stop() }
            await hub.end()
        }

        @Test("A server in between that relays a session to the hub is refused by it")
        func relayed() async throws {
            let (hub, stores) = (try await JournalHub(), try await Devices.make())
            _ = try await stores[0].exchange(with: .connector(hub.connector()))
            let target = hub.connector()
            let relay = try await TestHub { port in
                guard let there = try? await target.connect() else { return }
                await withTaskGroup { group in
                    group.addTask {
                        while let frame = try? await port.receive() { try? await there.send(frame) }
                        there.close()
                    }
                    group.addTask {
                        while let frame = try? await there.receive() { try? await port.send(frame) }
                        port.close()
                    }
                }
            }
            // The victim trusts the relay's key.
            let error = await #expect(throws: TripStoreError.self) {
                try await stores[1].exchange(with: .connector(relay.connector()))
            }
            #expect(error?.code == .notAuthorized)
            #expect(try stores[1].trips(.dated).isEmpty)
            await relay.listener.shutDown()
            await hub.end()
        }
    }
#endif
