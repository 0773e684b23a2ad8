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
        /// All write at once.
        private func write(_ stores: [TripStore], _ count: Int) async throws {
            try await withThrowingTaskGroup { group in
                for store in stores {
                    group.addTask {
                        for number in 0..<count {
                            try await store.create(Trip(name: "Trip \(number)"))
                            for _ in 0..<20 { await Task.yield() }
                        }
                    }
                }
                try await group.waitForAll()
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
            try await write(stores, 20)
            try await eventually { proxy.count >= 5 }
            proxy.set(.none)
            try await Devices.expectEqual(stores)
            #expect(try stores[0].trips(.undated, limit: 100).count == 60)
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
            options.limits.greeting = .seconds(1)
            let syncs = stores.map { $0.stayInSync(with: hub.connector(through: proxy.port), options: options) }
            try await write(stores, 10)
            try await eventually { proxy.count >= 2 }
            // Connections from now on live; those that are dead stay so, and have to be noticed.
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
            async let written: Void = write(stores, 30)
            for _ in 0..<4 {
                for sync in syncs { await sync.reach { $0.isConnected } }
                await hub.cut()
                try await hub.restart()
            }
            try await written
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
