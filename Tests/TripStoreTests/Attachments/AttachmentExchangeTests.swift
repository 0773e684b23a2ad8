import EventLog
import Events
import Foundation
import LogExchange
import Logging
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("Attachments between replicas", .timeLimit(.minutes(3)))
struct AttachmentExchangeTests {
    @Test(
        "Attachments go both ways with their commits, the large and the empty ones too",
        arguments: AttachmentFixture.Way.allCases)
    func bothWays(way: AttachmentFixture.Way) async throws {
        let (phone, laptop, trip) = try await AttachmentFixture.pair()
        let sizes = [0, 5, 1 << 20, 2 << 20 + 3]
        for (index, size) in sizes.enumerated() {
            let store = index % 2 == 0 ? phone : laptop
            try await store.attach(
                AttachmentFixture.bytes(size, seed: UInt64(index)), to: trip.reference, as: "\(index)")
        }
        let report = try await laptop.exchange(with: AttachmentFixture.target(way, phone))
        #expect(report.attachments?.sent.contents == 2 && report.attachments?.received.contents == 2)
        for store in [phone, laptop] {
            // In a folder the exchange wrote as another process would.
            try await store.catchUp()
            let attachments = try store.attachments(of: trip)
            #expect(attachments.count == 4)
            for attachment in attachments {
                let index = try #require(Int(attachment.name))
                #expect(
                    try await store.data(of: attachment) == AttachmentFixture.bytes(sizes[index], seed: UInt64(index)))
            }
        }
        #expect(try await laptop.exchange(with: AttachmentFixture.target(way, phone)).attachments == nil)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Attachments continue after a cut where they ended", arguments: [false, true])
    func cut(sends: Bool) async throws {
        let (phone, laptop, trip) = try await AttachmentFixture.pair()
        let (from, other) = sends ? (laptop, phone) : (phone, laptop)
        let bytes = AttachmentFixture.bytes(5 << 20)
        try await from.attach(bytes, to: trip.reference, as: "film")
        let network = AttachmentFixture.network(phone)
        let passed = Mutex(0)
        network.setHook { frame, _, _ in
            // The film has 160 pieces of 32 KiB.
            guard frame.count > 32 << 10 else { return .arrives }
            return passed.withLock { count in
                count += 1
                return count == 90 ? .cut : .arrives
            }
        }
        await #expect(throws: (any Error).self) { try await laptop.exchange(with: .connector(network)) }
        let film = try #require(try laptop.attachments(of: trip).first)
        #expect(other.state(of: film) == .missing)
        // How many parts and pieces were stored before the cut depends on how far the receiver was.
        let incoming = other.contentFolder.path + "/incoming"
        let half = try FileManager.default.contentsOfDirectory(atPath: incoming).first { $0.hasSuffix(".part") }
        let there = try half.map { try Data(contentsOf: URL(fileURLWithPath: "\(incoming)/\($0)")).count } ?? 0
        let report = try await laptop.exchange(with: .connector(network))
        #expect(try await other.data(of: film) == bytes)
        let amount = sends ? report.attachments?.sent : report.attachments?.received
        let left = Int64(5 << 20 - there / (1 << 20) * (1 << 20))
        #expect(left < 4 << 20 && amount.map { $0.bytes <= left && $0.bytes > left - 1 << 20 } ?? false)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Attachments are looked at again once other commits count than before")
    func recounted() async throws {
        let (phone, laptop, trip) = try await AttachmentFixture.pair()
        let tablet = try await SyncFixture.device(of: phone, .write, seed: 3)
        try await tablet.create(Trip(name: "Porto"))
        try await phone.attach(AttachmentFixture.bytes(10), to: trip.reference, as: "note")
        #expect(try await laptop.exchange(with: .store(phone)).attachments?.received.contents == 1)
        #expect(try await laptop.exchange(with: .store(phone)).attachments == nil)
        // The phone does not hold what it revokes: from then on it does not count on the laptop.
        try await laptop.exchange(with: .store(tablet))
        try await phone.revoke(tablet.replica)
        #expect(try await laptop.exchange(with: .store(phone)).attachments != nil)
        #expect(try await laptop.exchange(with: .store(phone)).attachments == nil)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Attachments that one side lacks are asked for alone, however many came since")
    func missingLater() async throws {
        let (phone, laptop, trip) = try await AttachmentFixture.pair()
        let lost = try await phone.attach(AttachmentFixture.bytes(10), to: trip.reference, as: "lost")
        let content = try #require(try phone.entity(lost)?.content)
        try phone.contentFolder.remove(content)
        for seed in 2...5 as ClosedRange<UInt64> {
            try await phone.attach(AttachmentFixture.bytes(10, seed: seed), to: trip.reference, as: "\(seed)")
        }
        #expect(try await laptop.exchange(with: .store(phone)).attachments?.lacking.count == 1)
        let again = try await laptop.exchange(with: .store(phone)).attachments
        #expect(again?.lacking.map(\.content) == [content] && again?.received.contents == 0)
        // A process that is started later knows as well.
        let mark = try String(
            contentsOfFile: "\(laptop.contentFolder.path)/settled/\(phone.replica)", encoding: .utf8)
        #expect(mark.split(separator: "\n").count == 5)
        #expect(try await phone.store(AttachmentFixture.bytes(10)) == content)
        #expect(try await laptop.exchange(with: .store(phone)).attachments?.received.contents == 1)
        #expect(try await laptop.exchange(with: .store(phone)).attachments == nil)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Attachments that were restored after they were dropped come back with the next exchange")
    func restored() async throws {
        let clocks = (ManualClock(seed: 1), ManualClock(seed: 2))
        let phone = try await TripStore.founded(clock: clocks.0)
        let trip = try await phone.create(Trip(name: "Lisbon"))
        let ticket = try await phone.attach(Data("ticket".utf8), to: trip.reference, as: "ticket")
        let laptop = try await TripStore.test(journal: phone.journal, clock: clocks.1)
        try await phone.grant(.write, to: laptop.replica)
        try await phone.delete(ticket)
        for clock in [clocks.0, clocks.1] { clock.now += 31 * 86_400_000 }
        try await laptop.exchange(with: .store(phone))
        let content = try #require(try phone.contentFolder.contents().first)
        #expect(try !laptop.contentFolder.holds(content.content))
        try await phone.restore(ticket)
        try await laptop.exchange(with: .store(phone))
        #expect(try laptop.contentFolder.holds(content.content))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Attachments that were discarded are removed by a server too, which looks at its log alone")
    func server() async throws {
        let (phone, laptop, trip) = try await AttachmentFixture.pair()
        let network = AttachmentFixture.network(phone)
        let film = try await laptop.attach(AttachmentFixture.bytes(3 << 20), to: trip.reference, as: "film")
        let content = try #require(try laptop.entity(film)?.content)
        try await laptop.exchange(with: .connector(network))
        #expect(try phone.contentFolder.holds(content))
        try await laptop.discard(film)
        try await laptop.attach(AttachmentFixture.bytes(50), to: trip.reference, as: "photo")
        try await laptop.exchange(with: .connector(network))
        #expect(try phone.contentFolder.contents().map(\.content.size) == [50])
        // Once a day.
        let photo = try #require(try laptop.attachments(of: trip).last)
        try await laptop.discard(photo.id)
        try await laptop.attach(AttachmentFixture.bytes(60), to: trip.reference, as: "photo")
        try await laptop.exchange(with: .connector(network))
        #expect(try phone.contentFolder.contents().map(\.content.size).sorted() == [50, 60])
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Attachments come when they are asked for, if the policy says so")
    func onDemand() async throws {
        let (phone, _) = try await SyncFixture.devices()
        let trip = try #require(try phone.trips(.dated).rows.first?.trip.id)
        try await phone.attach(AttachmentFixture.bytes(10), to: trip.reference, as: "small")
        try await phone.attach(AttachmentFixture.bytes(5000), to: trip.reference, as: "large")
        let tablet = try await TripStore.test(
            journal: phone.journal, clock: ManualClock(seed: 5), attachments: .ahead(upTo: 100))
        try await phone.grant(.write, to: tablet.replica)
        try await tablet.exchange(with: .store(phone))
        let large = try #require(try tablet.attachments(of: trip).first { $0.name == "large" })
        let small = try #require(try tablet.attachments(of: trip).first { $0.name == "small" })
        #expect(tablet.state(of: large) == .missing && tablet.state(of: small) != .missing)
        try await tablet.fetch(large, from: .connector(AttachmentFixture.network(phone)))
        #expect(try await tablet.data(of: large) == AttachmentFixture.bytes(5000))
        try await tablet.expectInvariants()
    }

    @Test("Attachments pass a hub by themselves while both stay in sync")
    func staying() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let syncs = [hub.sync(phone), hub.sync(laptop)]
        let trip = try #require(try phone.trips(.dated).rows.first?.trip.id)
        try await phone.attach(AttachmentFixture.bytes(3 << 20), to: trip.reference, as: "film")
        try await eventually {
            guard let film = try laptop.attachments(of: trip).first else { return false }
            return laptop.state(of: film) != .missing
        }
        let film = try #require(try laptop.attachments(of: trip).first)
        #expect(try await laptop.data(of: film) == AttachmentFixture.bytes(3 << 20))
        for sync in syncs { await sync.stop() }
        for store in [phone, laptop] { try await store.expectInvariants() }
    }
}
