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

@Suite("The states of a sync", .timeLimit(.minutes(10)))
struct SyncStateTests {
    @Test("Without a server the delays grow, with some chance in them, up to a bound; a person need not wait")
    func backoff() async throws {
        let time = ManualTime()
        let hub = SyncFixture()
        hub.network.isDown = true
        let (phone, _) = try await SyncFixture.devices()
        let sync = hub.sync(phone, time)
        for number in 1...9 {
            try await eventually { hub.network.attempts == number && !time.due.isEmpty }
            let delay = try #require(time.due.first) - time.now
            let longest = min(Duration.seconds(1 << (number - 1)), .seconds(60))
            #expect(delay >= longest / 2 && delay <= longest)
            guard case .offline(_, let reason, let next) = sync.state else {
                Issue.record("\(sync.state)")
                return
            }
            #expect(reason.contains("cut") && next > Date(timeIntervalSince1970: 1_798_761_600))
            time.advance(by: delay - .nanoseconds(1))
            for _ in 0..<50 { await Task.yield() }
            #expect(hub.network.attempts == number)
            if number < 9 { time.advance(by: .nanoseconds(1)) }
        }
        hub.network.isDown = false
        sync.retryNow()
        await sync.connected()
        #expect(hub.network.attempts == 10)
        // Lost again, it begins with the shortest delay.
        hub.network.isDown = true
        hub.network.cutAll()
        await sync.reach { if case .offline = $0 { true } else { false } }
        await sync.stop()
        #expect(sync.state == .stopped(reason: "It was stopped."))
        try await phone.expectInvariants()
    }

    @Test(
        "A connection that is dead is noticed when an app asks for it, or after a silence, as after a sleep",
        arguments: [false, true])
    func dead(asks: Bool) async throws {
        let time = ManualTime()
        let hub = SyncFixture()
        let (phone, _) = try await SyncFixture.devices()
        let sync = hub.sync(phone, time)
        await sync.connected()
        hub.network.isSilent = true
        if asks {
            sync.retryNow()
            try await eventually { time.due.contains(time.now + .seconds(3)) }
            time.advance(by: .seconds(3))
        } else {
            try await eventually { !time.due.isEmpty }
            time.advance(by: .seconds(8 * 3600))
            try await eventually { time.due.contains(time.now + .seconds(10)) }
            time.advance(by: .seconds(10))
        }
        hub.network.isSilent = false
        // The delay after a lost connection.
        while hub.network.connectionCount < 2 {
            time.advance(by: .milliseconds(100))
            await Task.yield()
        }
        await sync.connected()
        await sync.stop()
        try await phone.expectInvariants()
    }

    @Test("A guest writes while it waits for its grant, shows nothing else meanwhile, and is in sync once it comes")
    func grant() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let courier = hub.sync(laptop)
        try await laptop.exchange(with: .store(phone))
        let code = try await phone.invite(.write)
        try await laptop.exchange(with: .store(phone))
        await courier.connected()
        let guest = try await TripStore.test(clock: ManualClock(seed: 5))
        try await guest.join(code)
        let sync = hub.sync(guest)
        let seen = Mutex<[SyncState]>([])
        let watching = Task { for await state in sync { seen.withLock { $0.append(state) } } }
        await sync.reach { $0 == .needsGrant }
        let trip = try await guest.create(Trip(name: "Porto"))
        try await eventually { try laptop.membershipRequests().count == 1 }
        for _ in 0..<200 { await Task.yield() }
        #expect(seen.withLock { Set($0) }.isSubset(of: [.connecting, .needsGrant]))
        #expect(try laptop.trip(trip) == nil)
        // The admin's device comes online.
        let admin = hub.sync(phone)
        await sync.connected()
        try await eventually { try laptop.trip(trip)?.name == "Porto" }
        try await expectEqual([phone, laptop, guest])
        watching.cancel()
        for sync in [courier, sync, admin] { await sync.stop() }
    }

    @Test(
        "A replica that is revoked while it is connected hears by whom, keeps what it has, and tries nothing more until it is asked to"
    )
    func revoked() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let syncs = [hub.sync(phone), hub.sync(laptop)]
        for sync in syncs { await sync.connected() }
        try await expectEqual([phone, laptop])
        try await phone.revoke(laptop.replica)
        await syncs[1].reach { $0 == .revoked(by: phone.replica) }
        // By its own log, to which the server has shown it.
        #expect(try laptop.standing() == .revoked(by: phone.replica))
        await #expect(throws: TripStoreError.self) { try await laptop.create(Trip(name: "Written all the same")) }
        #expect(try laptop.trips(.dated).count == 1)
        let attempts = hub.network.attempts
        for _ in 0..<500 { await Task.yield() }
        #expect(hub.network.attempts == attempts)
        syncs[1].retryNow()
        try await eventually { hub.network.attempts == attempts + 1 }
        await syncs[1].reach { $0 == .revoked(by: phone.replica) }
        // It joins again, as another replica, and needs no push.
        let code = try await phone.invite(.write)
        try await eventually { try await phone.frontier().digest == hubDigest(hub, phone) }
        try await laptop.exchange(with: .store(phone))
        try await laptop.join(code)
        await syncs[1].connected()
        try await eventually { try await areEqual([phone, laptop]) }
        for sync in syncs { await sync.stop() }
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    /// What the server acknowledged to a store.
    private func hubDigest(_ hub: SyncFixture, _ store: TripStore) throws -> Digest? {
        try store.peers().first { $0.name == "hub" }?.acknowledged.digest
    }

    @Test("An address of another journal is said to be one, and tried seldom")
    func otherJournal() async throws {
        let time = ManualTime()
        let hub = SyncFixture()
        let (phone, _) = try await SyncFixture.devices()
        let other = try await TripStore.founded(clock: ManualClock(seed: 9))
        let named = MemoryNetwork(hub.server, journal: other.journal)
        let sync = phone.stayInSync(with: named, options: SyncFixture.options(time))
        await sync.reach {
            guard case .otherJournal(let reason, _) = $0 else { return false }
            return reason.contains("\(phone.journal)") && reason.contains("\(other.journal)")
        }
        try await eventually { !time.due.isEmpty }
        #expect(try #require(time.due.first) - time.now >= .seconds(450))
        await sync.stop()
        try await phone.expectInvariants()
    }

    @Test("A server that refuses strangers is an unreachable one: it may pass")
    func refused() async throws {
        let hub = SyncFixture(.nobody)
        let (phone, _) = try await SyncFixture.devices()
        let sync = hub.sync(phone)
        await sync.reach {
            guard case .offline(_, let reason, _) = $0 else { return false }
            return reason.contains("Nothing is here for you")
        }
        try await eventually { hub.network.attempts > 3 }
        let (folder, server) = SyncFixture.hub(in: TemporaryFolder())
        hub.network.setServer { await server.serve($0) }
        await sync.connected()
        await sync.stop()
        #expect(try folder.journals().count == 1)
        try await phone.expectInvariants()
    }

    @Test("One line that is refused keeps nothing else away, shows why, and is tried again")
    func refusedLine() async throws {
        let time = ManualTime()
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let fast = ManualClock(seed: 7)
        fast.advance(by: 48 * 3_600_000)
        let tablet = try await TripStore.test(journal: phone.journal, clock: fast)
        try await phone.grant(.write, to: tablet.replica)
        try await tablet.create(Trip(name: "From the future"))
        let syncs = [hub.sync(phone), hub.sync(laptop)]
        for sync in syncs { await sync.connected() }
        let sync = hub.sync(tablet, time)
        await sync.reach { if case .impeded(let reason, _) = $0 { reason.contains("ahead") } else { false } }
        // Others' commits arrive all the same, over the same connection.
        let trip = try await phone.create(Trip(name: "Porto"))
        try await eventually { try tablet.trip(trip) != nil && laptop.trip(trip) != nil }
        #expect(hub.network.connectionCount == 3)
        // Nothing changes any more; it is tried again all the same.
        for _ in 0..<3 {
            _ = hub.network.takeFrames()
            try await eventually {
                time.advance(by: .seconds(1))
                return hub.network.takeFrames().contains { if case .request = $0.frame { true } else { false } }
            }
        }
        for sync in syncs + [sync] { await sync.stop() }
        for store in [phone, laptop, tablet] { try await store.expectInvariants() }
    }

    @Test("Attachments that a server cannot store show what waits, and are tried again until they are there")
    func refusedAttachments() async throws {
        let time = ManualTime()
        let hub = SyncFixture()
        let (phone, _) = try await SyncFixture.devices()
        let trip = try #require(try phone.trips(.dated).rows.first?.trip.id)
        let sync = hub.sync(phone, time)
        await sync.connected()
        let attachments = hub.place.url.appendingPathComponent("\(phone.journal)/attachments")
        try FileManager.default.createDirectory(at: attachments, withIntermediateDirectories: true)
        // Where a folder is needed.
        let inTheWay = attachments.appendingPathComponent("incoming")
        try Data().write(to: inTheWay)
        try await phone.attach(Data("ticket".utf8), to: trip.reference, as: "ticket")
        await sync.reach {
            guard case .impeded(let reason, _) = $0 else { return false }
            return reason.hasPrefix("1 attachment of 6 bytes") && reason.contains("its own log says why")
        }
        // Commits go on meanwhile, and do not hide it.
        try await phone.create(Trip(name: "Porto"))
        try await eventually { try await phone.frontier().digest == hubDigest(hub, phone) }
        #expect(sync.state.isConnected && sync.state != .connected)
        try FileManager.default.removeItem(at: inTheWay)
        let folder = ContentFolder(attachments.path, now: { 0 })
        try await eventually {
            time.advance(by: .seconds(1))
            return try folder.contents().map(\.content.size) == [6] && sync.state == .connected
        }
        await sync.stop()
        try await phone.expectInvariants()
    }

    @Test("It goes on as long as it or an iterator of it is retained, and ends with the store")
    func lifetime() async throws {
        let hub = SyncFixture()
        let (phone, _) = try await SyncFixture.devices()
        var sync: StoreSync? = hub.sync(phone)
        await sync?.connected()
        var iterator = sync?.makeAsyncIterator()
        sync = nil
        #expect(try await iterator?.next() == .connected)
        for _ in 0..<200 { await Task.yield() }
        #expect(hub.network.openConnections == 1)
        iterator = nil
        try await eventually { hub.network.openConnections == 0 }
        let other = hub.sync(phone)
        await other.connected()
        await phone.close()
        await other.reach { if case .stopped = $0 { true } else { false } }
        var states: [SyncState] = []
        for await state in other { states.append(state) }
        #expect(states.count == 1)
    }

    @Test("A commit takes one round trip of its author and one of who gets it, and a later one each to acknowledge it")
    func roundTrips() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        var options = SyncFixture.options()
        options.acknowledgesAfter = .seconds(3600)
        let syncs = [phone, laptop].map { $0.stayInSync(with: hub.network, options: options) }
        for sync in syncs { await sync.connected() }
        try await expectEqual([phone, laptop])
        for round in 0..<20 {
            // Whatever was under way is over.
            for _ in 0..<2000 { await Task.yield() }
            _ = hub.network.takeFrames()
            let trip = try await phone.create(Trip(name: "Trip \(round)"))
            try await eventually { try laptop.trip(trip) != nil }
            let frames = hub.network.takeFrames().map(\.frame)
            let requests = frames.count { if case .request = $0 { true } else { false } }
            let notices = frames.count { if case .notice = $0 { true } else { false } }
            #expect(requests == 2 && notices == 1, "\(frames.count) frames")
        }
        for sync in syncs { await sync.stop() }
        try await expectEqual([phone, laptop])
    }
}
