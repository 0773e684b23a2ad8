#if Hub
    import EventLog
    import HubCarrier
    import LogExchange
    import StoreSupport
    import Testing
    import TripStore
    import TripStoreTestSupport

    /// Stores of one journal.
    enum Devices {
        /// A founder with a trip, and others that are granted the right to write.
        static func make(_ count: Int = 2) async throws -> [TripStore] {
            let founder = try await TripStore.founded(clock: ManualClock(seed: 1))
            try await founder.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
            var stores = [founder]
            for seed in 2..<(count + 1) {
                let device = try await TripStore.test(journal: founder.journal, clock: ManualClock(seed: UInt64(seed)))
                try await founder.grant(.write, to: device.replica)
                stores.append(device)
            }
            return stores
        }

        /// With short delays between attempts.
        static var options: SyncOptions {
            var options = SyncOptions()
            options.backoff = SyncOptions.Backoff(
                first: .milliseconds(5), longest: .milliseconds(50), afterRefusal: .milliseconds(50))
            options.acknowledgesAfter = .milliseconds(1)
            return options
        }

        /// Waits until all hold the same.
        static func expectEqual(_ stores: [TripStore]) async throws {
            try await eventually {
                var frontiers: Set<Frontier> = []
                for store in stores { frontiers.insert(try await store.frontier()) }
                return frontiers.count == 1
            }
            for store in stores {
                try await store.catchUp()
                try await store.expectEqual(to: stores[0])
                try await store.expectInvariants()
            }
        }
    }

    extension StoreSync {
        func reach(_ isReached: @escaping @Sendable (SyncState) -> Bool) async {
            for await state in self where isReached(state) { return }
        }

        func connected() async { await reach { $0 == .connected } }
    }
#endif
