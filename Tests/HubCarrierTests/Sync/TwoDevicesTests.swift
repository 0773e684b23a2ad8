#if Hub
    import HubCarrier
    import LogExchange
    import StoreSupport
    import TestSupport
    import Testing
    import TripStore
    import TripStoreTestSupport

    /// What a person with an app on two devices does, over a hub on loopback that both stay in sync with.
    @Suite("Two devices and a hub", .timeLimit(.minutes(3)))
    struct TwoDevicesTests {
        private func stay(_ stores: [TripStore], _ hub: JournalHub) async -> [StoreSync] {
            let syncs = stores.map { $0.stayInSync(with: hub.connector(), options: Devices.options) }
            for sync in syncs { await sync.connected() }
            return syncs
        }

        private func end(_ syncs: [StoreSync], _ hub: JournalHub) async {
            for sync in syncs { await sync.stop() }
            await hub.end()
        }

        @Test("A toggle on the one is in the other's live query")
        func toggle() async throws {
            let (hub, stores) = (try await JournalHub(), try await Devices.make())
            let (phone, laptop) = (stores[0], stores[1])
            let syncs = await stay(stores, hub)
            try await eventually { try laptop.trips(.dated).count == 1 }
            let trip = try #require(try laptop.trips(.dated).first).id
            var seen = laptop.live(trip).makeAsyncIterator()
            #expect(try await seen.next()??.isProtected == false)
            try await phone.edit(trip) { $0.isProtected = true }
            #expect(try await seen.next()??.isProtected == true)
            try await laptop.edit(trip) { $0.isProtected = false }
            try await eventually { try phone.trip(trip)?.isProtected == false }
            try await Devices.expectEqual(stores)
            await end(syncs, hub)
        }

        @Test("A rapid batch of 500 arrives whole")
        func batch() async throws {
            let (hub, stores) = (try await JournalHub(), try await Devices.make())
            let syncs = await stay(stores, hub)
            for number in 0..<500 {
                try await stores[0].create(
                    Trip(name: "Trip \(number)", days: Day(2027, 6, 1)...Day(2027, 6, 1 + number % 28)))
            }
            try await eventually { try stores[1].trips(.dated, limit: 1000).count == 501 }
            try await Devices.expectEqual(stores)
            await end(syncs, hub)
        }

        @Test("An app that was in the background catches up when it comes back")
        func background() async throws {
            let (hub, stores) = (try await JournalHub(), try await Devices.make())
            let syncs = await stay(stores, hub)
            await syncs[1].stop()
            for number in 0..<5 { try await stores[0].create(Trip(name: "Trip \(number)")) }
            try await stores[1].create(Trip(name: "Written in the background"))
            let again = stores[1].stayInSync(with: hub.connector(), options: Devices.options)
            try await Devices.expectEqual(stores)
            await end([syncs[0], again], hub)
        }

        @Test("Edits made on both sides while there is no hub are merged once it is back")
        func offline() async throws {
            let (hub, stores) = (try await JournalHub(), try await Devices.make())
            let (phone, laptop) = (stores[0], stores[1])
            let syncs = await stay(stores, hub)
            try await eventually { try laptop.trips(.dated).count == 1 }
            let trip = try #require(try laptop.trips(.dated).first).id
            await hub.cut()
            for sync in syncs { await sync.reach { if case .offline = $0 { true } else { false } } }
            try await phone.edit(trip) { $0.name = "Lisbon and Sintra" }
            try await laptop.edit(trip) { $0.notes = "By train" }
            try await hub.restart()
            try await Devices.expectEqual(stores)
            #expect(try phone.trip(trip)?.notes == "By train")
            #expect(try laptop.trip(trip)?.name == "Lisbon and Sintra")
            await end(syncs, hub)
        }

        @Test("Simultaneous edits of one field end the same on both")
        func simultaneous() async throws {
            let (hub, stores) = (try await JournalHub(), try await Devices.make())
            let (phone, laptop) = (stores[0], stores[1])
            let syncs = await stay(stores, hub)
            try await eventually { try laptop.trips(.dated).count == 1 }
            let trip = try #require(try laptop.trips(.dated).first).id
            async let one: Void = {
                for number in 0..<10 { try await phone.edit(trip) { $0.name = "Porto \(number)" } }
            }()
            async let two: Void = {
                for number in 0..<10 { try await laptop.edit(trip) { $0.name = "Faro \(number)" } }
            }()
            try await one
            try await two
            try await Devices.expectEqual(stores)
            #expect(try phone.trip(trip)?.name == laptop.trip(trip)?.name)
            await end(syncs, hub)
        }

        @Test("Two devices meet without a hub: one of them serves its store")
        func peerToPeer() async throws {
            let stores = try await Devices.make()
            let (phone, laptop) = (stores[0], stores[1])
            let certificate = try HubCertificate.selfSigned()
            let listener = try await phone.serve(on: "127.0.0.1", port: 0, certificate: certificate, limits: .patient)
            let address = "https://127.0.0.1:\(listener.port)"
            #expect(
                try await laptop.exchange(with: .hub(address, trust: .pinned(certificate.pin))).received.commits > 0)
            let code = try await phone.invite(.write).naming(
                ServerLocation(host: "127.0.0.1", port: UInt16(listener.port), pin: certificate.pin))
            let tablet = try await TripStore.test(journal: phone.journal, clock: ManualClock(seed: 3))
            try await tablet.join(InvitationCode(code.description))
            let connector = try #require(code.hubConnector)
            let sync = tablet.stayInSync(with: connector, options: Devices.options)
            try await eventually { if case .member = try tablet.standing() { true } else { false } }
            let trip = try await tablet.create(Trip(name: "Porto"))
            try await eventually { try phone.trip(trip) != nil }
            try await phone.edit(trip) { $0.name = "Faro" }
            try await eventually { try tablet.trip(trip)?.name == "Faro" }
            try await Devices.expectEqual([phone, tablet])
            await sync.stop()
            await listener.shutDown()
        }
    }
#endif
