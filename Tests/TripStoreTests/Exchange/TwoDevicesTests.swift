import Foundation
import StoreSupport
import Testing
import TripStore

/// What a person with an app on two devices does.
@Suite("Two devices")
struct TwoDevicesTests {
    /// A phone and a laptop that share a journal and some trips.
    private struct Devices {
        let folders = [TemporaryFolder(), TemporaryFolder()]
        let clocks = [ManualClock(seed: 1), ManualClock(seed: 2)]
        let phone: TripStore
        let laptop: TripStore
        let trip: Trip.ID

        init() async throws {
            phone = try await TripStore.test(clock: clocks[0], at: folders[0].url)
            laptop = try await TripStore.test(clock: clocks[1], at: folders[1].url)
            trip = try await phone.create(
                Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
            try await laptop.exchange(with: .store(phone))
        }

        func expectEqual() async throws {
            try await phone.expectEqual(to: laptop)
            for store in [phone, laptop] { try await store.expectInvariants() }
        }
    }

    @Test("An empty store joins the other's journal, and has its trips")
    func joining() async throws {
        let devices = try await Devices()
        #expect(devices.laptop.journal == devices.phone.journal)
        #expect(try devices.laptop.trip(devices.trip)?.name == "Lisbon")
        try await devices.expectEqual()
    }

    @Test("One toggle on the one appears on the other while both are open")
    func toggle() async throws {
        let devices = try await Devices()
        var seen = devices.laptop.live(devices.trip).makeAsyncIterator()
        #expect(try await seen.next()??.isProtected == false)
        try await devices.phone.edit(devices.trip) { $0.isProtected = true }
        try await devices.phone.exchange(with: .store(devices.laptop))
        #expect(try await seen.next()??.isProtected == true)
        try await devices.expectEqual()
    }

    @Test("A rapid batch of 500 edits appears whole, and as one change")
    func batch() async throws {
        let devices = try await Devices()
        var live = devices.laptop.live(.trips(.dated, limit: 1000)).makeAsyncIterator()
        #expect(try await live.next()?.rows.count == 1)
        for number in 0..<500 {
            try await devices.phone.create(
                Trip(name: "Trip \(number)", days: Day(2027, 6, 1)...Day(2027, 6, 1 + number % 28)))
        }
        try await devices.phone.exchange(with: .store(devices.laptop))
        let update = try #require(try await live.next())
        #expect(update.rows.count == 501 && update.changes.inserted.count == 500)
        try await devices.expectEqual()
    }

    @Test("A store that was closed catches up when it is opened")
    func catchingUp() async throws {
        let folder = TemporaryFolder()
        let phone = try await TripStore.test(clock: ManualClock(seed: 1))
        let trip = try await phone.create(Trip(name: "Lisbon"))
        do {
            let laptop = try await TripStore.test(clock: ManualClock(seed: 2), at: folder.url)
            try await laptop.exchange(with: .store(phone))
            await laptop.close()
        }
        try await phone.edit(trip) { $0.name = "Porto" }
        // The laptop's store is closed: its log gets the commits now, and its views when it is opened.
        let report = try await phone.exchange(with: .folder(folder.url))
        #expect(report.sent.commits == 1)
        let laptop = try await TripStore.test(clock: ManualClock(seed: 3), at: folder.url)
        #expect(try laptop.trip(trip)?.name == "Porto")
        try await phone.expectEqual(to: laptop)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Edits made offline on both sides are merged, and those of one field are shown as conflicts")
    func offline() async throws {
        let devices = try await Devices()
        let tram = try await devices.phone.create(Activity(name: "Tram 28", in: devices.trip))
        let porto = try await devices.laptop.create(Trip(name: "Porto"))
        try await devices.laptop.edit(devices.trip) { $0.notes = "By train" }
        try await devices.phone.edit(devices.trip) { $0.name = "Lisbon and Sintra" }
        let report = try await devices.laptop.exchange(with: .store(devices.phone))
        #expect(report.received.commits == 2 && report.sent.commits == 3)
        #expect(report.received.events == 2 && report.sent.events == 2)
        for store in [devices.phone, devices.laptop] {
            #expect(try store.trip(devices.trip)?.name == "Lisbon and Sintra")
            #expect(try store.trip(devices.trip)?.notes == "By train")
            #expect(try store.activities(of: devices.trip).map(\.id) == [tram])
            #expect(try store.trip(porto)?.name == "Porto")
        }
        #expect(try devices.laptop.conflicts(from: report).isEmpty)
        try await devices.expectEqual()
    }

    @Test("Concurrent edits of one field end the same everywhere, and the exchange reports which superseded which")
    func sameField() async throws {
        let devices = try await Devices()
        devices.clocks[1].advance(by: 60_000)
        try await devices.phone.edit(devices.trip, by: "ana") { $0.name = "Porto" }
        try await devices.laptop.edit(devices.trip, by: "ben") { $0.name = "Faro" }
        let report = try await devices.phone.exchange(with: .store(devices.laptop))
        #expect(try devices.phone.trip(devices.trip)?.name == "Faro")
        #expect(try devices.laptop.trip(devices.trip)?.name == "Faro")
        let conflict = try #require(try devices.phone.conflicts(from: report).first)
        #expect(conflict.superseded.commit.author == "ana" && conflict.winner.commit.author == "ben")
        // A further exchange has nothing to send.
        let again = try await devices.phone.exchange(with: .store(devices.laptop))
        #expect(again.received == .init() && again.sent == .init())
        #expect(try devices.phone.conflicts(from: again).isEmpty)
        try await devices.expectEqual()
    }

    @Test("A store that joined a journal since it was opened knows history, conflicts, undo and repeats of all of it")
    func joined() async throws {
        let phone = try await TripStore.test(clock: ManualClock(seed: 1))
        let trip = try await phone.create(Trip(name: "Lisbon"))
        let laptop = try await TripStore.test(clock: ManualClock(seed: 2))
        try await laptop.exchange(with: .store(phone))
        #expect(laptop.journal == phone.journal)
        #expect(try laptop.history(of: trip).count == 1)
        try await phone.edit(trip) { $0.name = "Porto" }
        let authorship = Authorship(appendID: AppendID())
        let receipt = try await laptop.edit(trip, by: authorship) { $0.name = "Faro" }
        let again = try await laptop.edit(trip, by: authorship) { $0.name = "Faro" }
        #expect(again.isRepeat && again.versions == receipt.versions)
        try await laptop.exchange(with: .store(phone))
        #expect(try laptop.conflicts(of: trip).count == 1)
        let undone = try await laptop.undo(try await laptop.delete(trip))
        #expect(undone.changes.count == 1)
        #expect(try laptop.trip(trip) == phone.trip(trip))
        try await laptop.expectInvariants()
    }

    @Test("What a peer holds, what is to be sent to it, and who has a commit, is known without asking it")
    func peers() async throws {
        let devices = try await Devices()
        let receipt = try await devices.phone.append([TripEvent(.edited, devices.trip, [.set(\.name, "Porto")])])
        var peer = try #require(try devices.phone.peers().first)
        #expect(peer.replica == devices.laptop.replica && peer.name == "test" && peer.commitsToSend == 1)
        #expect(peer.lastExchange == Date(timeIntervalSince1970: 1_798_761_600))
        #expect(try devices.phone.bytesToSend(to: peer.replica) > 0)
        #expect(try devices.phone.holders(of: receipt) == [])
        devices.clocks[0].advance(by: 5000)
        try await devices.phone.exchange(with: .store(devices.laptop))
        peer = try #require(try devices.phone.peers().first)
        #expect(peer.commitsToSend == 0 && peer.commitsToReceive == 0 && peer.lastError == nil)
        #expect(peer.lastExchange == Date(timeIntervalSince1970: 1_798_761_605))
        let theirs = try await devices.laptop.frontier()
        #expect(peer.acknowledged == theirs)
        #expect(try devices.phone.holders(of: receipt) == [devices.laptop.replica])
        // The other side has recorded it as well.
        #expect(try devices.laptop.peers().map(\.replica) == [devices.phone.replica])
        #expect(devices.phone.runningExchanges.isEmpty)
        try await devices.phone.forget(devices.laptop.replica)
        #expect(try devices.phone.peers().isEmpty)
        try await devices.expectEqual()
    }
}
