import EventLog
import Events
import Foundation
import LogExchange
import Logging
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripStore
import TripStoreTransports

/// What a person with an app on two devices does, over a server that both stay in sync with.
@Suite("Staying in sync", .timeLimit(.minutes(10)))
struct StayingInSyncTests {
    @Test("One toggle on the one is in the other's live query")
    func toggle() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let syncs = [hub.sync(phone), hub.sync(laptop)]
        for sync in syncs { await sync.connected() }
        try await eventually { try laptop.trips(.dated).count == 1 }
        let trip = try #require(try laptop.trips(.dated).first)
        var seen = laptop.live(trip.id).makeAsyncIterator()
        #expect(try await seen.next()??.isProtected == false)
        try await phone.edit(trip.id) { $0.isProtected = true }
        #expect(try await seen.next()??.isProtected == true)
        try await laptop.edit(trip.id) { $0.isProtected = false }
        try await eventually { try phone.trip(trip.id)?.isProtected == false }
        try await expectEqual([phone, laptop])
        for sync in syncs { await sync.stop() }
    }

    @Test("A rapid batch of 500 arrives whole, by far fewer exchanges")
    func batch() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let syncs = [hub.sync(phone), hub.sync(laptop)]
        for sync in syncs { await sync.connected() }
        _ = hub.network.takeFrames()
        for number in 0..<500 {
            try await phone.create(
                Trip(name: "Trip \(number)", days: Day(2027, 6, 1)...Day(2027, 6, 1 + number % 28)))
        }
        try await eventually { try laptop.trips(.dated, limit: 1000).count == 501 }
        try await expectEqual([phone, laptop])
        let requests = hub.network.takeFrames().filter { if case .request = $0.frame { true } else { false } }
        #expect(requests.count < 1500)
        for sync in syncs { await sync.stop() }
    }

    @Test("An app that was in the background catches up when it comes back")
    func background() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let sync = hub.sync(phone)
        var other: StoreSync? = hub.sync(laptop)
        await other?.connected()
        await other?.stop()
        other = nil
        for number in 0..<5 { try await phone.create(Trip(name: "Trip \(number)")) }
        try await laptop.create(Trip(name: "Written in the background"))
        await sync.connected()
        other = hub.sync(laptop)
        try await expectEqual([phone, laptop])
        await sync.stop()
        await other?.stop()
    }

    @Test("Edits made offline on both sides are merged once both are back")
    func offline() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let syncs = [hub.sync(phone), hub.sync(laptop)]
        for sync in syncs { await sync.connected() }
        try await eventually { try laptop.trips(.dated).count == 1 }
        let trip = try #require(try laptop.trips(.dated).first).id
        hub.network.isDown = true
        hub.network.cutAll()
        for sync in syncs { await sync.reach { if case .offline = $0 { true } else { false } } }
        try await phone.edit(trip) { $0.name = "Lisbon and Sintra" }
        try await laptop.edit(trip) { $0.notes = "By train" }
        hub.network.isDown = false
        try await expectEqual([phone, laptop])
        #expect(try phone.trip(trip)?.notes == "By train")
        #expect(try laptop.trip(trip)?.name == "Lisbon and Sintra")
        for sync in syncs {
            await sync.connected()
            await sync.stop()
        }
    }

    @Test("Simultaneous edits of one field end the same on both, and are shown as a conflict", arguments: Seeds.some(4))
    func simultaneous(seed: UInt64) async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let syncs = [hub.sync(phone), hub.sync(laptop)]
        for sync in syncs { await sync.connected() }
        try await eventually { try laptop.trips(.dated).count == 1 }
        let trip = try #require(try laptop.trips(.dated).first).id
        async let one: Void = { for number in 0..<10 { try await phone.edit(trip) { $0.name = "Porto \(number)" } } }()
        async let two: Void = { for number in 0..<10 { try await laptop.edit(trip) { $0.name = "Faro \(number)" } } }()
        try await one
        try await two
        try await expectEqual([phone, laptop])
        #expect(try phone.trip(trip)?.name == laptop.trip(trip)?.name)
        for sync in syncs { await sync.stop() }
    }

    @Test(
        "Three devices write, while connections are cut at random frames: all hold the same in the end",
        arguments: Seeds.some(12))
    func cuts(seed: UInt64) async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let tablet = try await SyncFixture.device(of: phone, .write, seed: 3)
        let stores = [phone, laptop, tablet]
        let random = Mutex(SeededGenerator(seed: seed))
        hub.network.setHook { frame, _, _ in
            random.withLock { random in
                switch Int.random(in: 0..<60, using: &random) {
                case 0, 1: .cut
                case 2: .changed(random.damaged(frame))
                default: .arrives
                }
            }
        }
        let syncs = stores.map { hub.sync($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                group.addTask {
                    for number in 0..<25 {
                        try await store.create(Trip(name: "Trip \(number)"))
                        for _ in 0..<20 { await Task.yield() }
                    }
                }
            }
            try await group.waitForAll()
        }
        hub.network.setHook { _, _, _ in .arrives }
        try await expectEqual(stores)
        #expect(try phone.status().position.rawValue >= 75)
        for sync in syncs { await sync.stop() }
    }

    @Test("A server that lost everything gets it back, and goes on as another replica")
    func wiped() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let syncs = [hub.sync(phone), hub.sync(laptop)]
        for sync in syncs { await sync.connected() }
        try await expectEqual([phone, laptop])
        let former = try #require(try phone.peers().first).replica
        let place = TemporaryFolder()
        let (folder, server) = SyncFixture.hub(in: place)
        hub.network.setServer { await server.serve($0) }
        hub.network.cutAll()
        try await laptop.create(Trip(name: "Written meanwhile"))
        try await eventually { try phone.peers().contains { $0.replica != former && $0.commitsToSend == 0 } }
        try await expectEqual([phone, laptop])
        #expect(try folder.journals() == [phone.journal])
        for sync in syncs {
            await sync.connected()
            await sync.stop()
        }
    }

    @Test("Two devices meet without a server in between: one of them serves the other")
    func peerToPeer() async throws {
        let (phone, laptop) = try await SyncFixture.devices()
        let server = phone.sessionServer(limits: .patient)
        let network = MemoryNetwork(server)
        let sync = laptop.stayInSync(with: network, options: SyncFixture.options())
        await sync.connected()
        let trip = try await laptop.create(Trip(name: "Porto"))
        try await eventually { try phone.trip(trip) != nil }
        try await phone.edit(trip) { $0.name = "Faro" }
        try await eventually { try laptop.trip(trip)?.name == "Faro" }
        try await expectEqual([phone, laptop])
        await phone.close()
        await sync.reach { if case .offline = $0 { true } else { false } }
        await sync.stop()
    }

    @Test("An exchange, a clone and what is known of a peer work over a server as over a folder")
    func target() async throws {
        let hub = SyncFixture()
        let phone = try await TripStore.test(clock: ManualClock(seed: 1))
        try await phone.create(Trip(name: "Lisbon"))
        #expect(try await phone.exchange(with: .connector(hub.network)).sent.commits == 2)
        let folder = TemporaryFolder()
        let named = MemoryNetwork(hub.server, journal: phone.journal)
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock(seed: 2).dependencies)
        options.logger.logLevel = .critical
        let laptop = try await TripStore.clone(.connector(named), to: folder.url, options: options).store
        try await phone.expectEqual(to: laptop)
        #expect(try laptop.peers().map(\.name) == ["hub"])
        let other = try await TripStore.founded()
        try await other.create(Trip(name: "Elsewhere"))
        let error = await #expect(throws: TripStoreError.self) { try await other.exchange(with: .connector(named)) }
        #expect(error?.code == .notAuthorized || error?.code.rawValue == "otherJournal")
        #expect(try await other.adopt(.connector(named)).created == 1)
        for store in [phone, laptop, other] { try await store.expectInvariants() }
    }

    @Test("A founder that has named many members fills an empty hub")
    func manyMembers() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        for _ in 0..<20 { _ = try await phone.invite(.write) }
        let sync = hub.sync(phone)
        let other = hub.sync(laptop)
        try await expectEqual([phone, laptop])
        for sync in [sync, other] { await sync.stop() }
    }
}
