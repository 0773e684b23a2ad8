import Foundation
import LogExchange
import StoreSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("Bytes that no attachment names any more")
struct DroppingTests {
    private static let day: Int64 = 86_400_000

    private let clocks = (ManualClock(seed: 1), ManualClock(seed: 2))

    /// Two stores that have an attachment, which was deleted.
    private func pair() async throws -> (TripStore, TripStore, AttachedFile) {
        let phone = try await TripStore.founded(clock: clocks.0)
        let trip = try await phone.create(Trip(name: "Lisbon"))
        let ticket = try await phone.attach(Data("ticket".utf8), to: trip.reference, as: "ticket")
        let laptop = try await TripStore.test(journal: phone.journal, clock: clocks.1)
        try await phone.grant(.write, to: laptop.replica)
        try await laptop.exchange(with: .store(phone))
        let attachment = try #require(try laptop.entity(ticket))
        #expect(laptop.state(of: attachment) != .missing)
        try await phone.delete(ticket)
        try await laptop.exchange(with: .store(phone))
        return (phone, laptop, attachment)
    }

    private func pass(days: Int64) {
        for clock in [clocks.0, clocks.1] { clock.now += days * Self.day }
    }

    @Test("go after 30 days where another replica has them, and the last copy stays")
    func dropped() async throws {
        let (phone, laptop, ticket) = try await pair()
        pass(days: 29)
        #expect(try await laptop.dropUnnamedAttachments(heldBy: .store(phone)) == 0)
        pass(days: 2)
        #expect(try await laptop.dropUnnamedAttachments(heldBy: .store(phone)) == 1)
        #expect(laptop.state(of: ticket) == .missing)
        // The other one may not drop what this one relies on, nor what nobody else has.
        #expect(try await phone.dropUnnamedAttachments(heldBy: .store(laptop)) == 0)
        pass(days: 60)
        #expect(try await phone.dropUnnamedAttachments(heldBy: .store(laptop)) == 0)
        #expect(phone.state(of: ticket) != .missing)
        // Restored, it comes back from there.
        try await phone.restore(ticket.id)
        try await laptop.exchange(with: .store(phone), healing: true)
        #expect(try await laptop.data(of: ticket) == Data("ticket".utf8))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("go with an exchange too, once a day, and nothing else of it depends on that")
    func withExchange() async throws {
        let (phone, laptop, ticket) = try await pair()
        try await laptop.exchange(with: .store(phone))
        pass(days: 31)
        #expect(laptop.state(of: ticket) != .missing)
        try await laptop.exchange(with: .store(phone))
        #expect(laptop.state(of: ticket) == .missing && phone.state(of: ticket) != .missing)
        // Within a day nothing is looked for.
        let orphan = try await laptop.store(Data("orphan".utf8))
        let path = laptop.contentFolder.url(of: orphan).path
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: path)
        try await laptop.exchange(with: .store(phone))
        #expect(try laptop.contentFolder.holds(orphan))
        pass(days: 2)
        try await laptop.exchange(with: .store(phone))
        #expect(try !laptop.contentFolder.holds(orphan))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("that a killed process left half written are removed, and those that are being written are not")
    func leftovers() async throws {
        let (phone, laptop, _) = try await pair()
        let incoming = laptop.contentFolder.path + "/incoming"
        for (name, age) in [("dead.new", 0), ("old.part", 40), ("young.part", 2), ("busy.part", 40)] {
            try Data("half".utf8).write(to: URL(fileURLWithPath: "\(incoming)/\(name)"))
            let date = Date(timeIntervalSince1970: Double(clocks.1.now - Int64(age) * Self.day) / 1000)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(incoming)/\(name)")
        }
        let busy = open("\(incoming)/busy.part", O_RDWR)
        defer { close(busy) }
        #expect(flock(busy, LOCK_EX) == 0)
        try await laptop.dropUnnamedAttachments(heldBy: .store(phone))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: incoming).sorted() == ["busy.part", "young.part"])
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("of one root and another size, which somebody made up, take nothing away when they are discarded")
    func madeUp() async throws {
        let (phone, laptop, _) = try await pair()
        let trip = try #require(try phone.trips(.undated).rows.first?.trip.id)
        let real = try await phone.attach(Data("real".utf8), to: trip.reference, as: "real")
        let content = try #require(try phone.entity(real)?.content)
        let false1 = try #require(ContentID(root: content.root, size: content.size + 1))
        let made = try await phone.create(AttachedFile(name: "made", of: trip.reference, content: false1))
        try await phone.discard(made)
        #expect(try phone.contentFolder.holds(content))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("that were discarded and are being attached again stay")
    func attachedAfterDiscarding() async throws {
        let (phone, laptop, _) = try await pair()
        let trip = try #require(try phone.trips(.undated).rows.first?.trip.id)
        let first = try await phone.attach(Data("again".utf8), to: trip.reference, as: "first")
        let content = try #require(try phone.entity(first)?.content)
        try await phone.discard(first)
        #expect(try !phone.contentFolder.holds(content))
        pass(days: 1)
        // The commit is yet to come.
        _ = try await phone.store(Data("again".utf8))
        try await phone.dropDiscarded()
        #expect(try phone.contentFolder.holds(content))
        // What is not named after all goes.
        pass(days: 31)
        try await phone.dropDiscarded()
        #expect(try !phone.contentFolder.holds(content))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("stay after a discard while a commit names them that does not count")
    func discardedBesideRevoked() async throws {
        let (phone, laptop, _) = try await pair()
        let trip = try #require(try laptop.trips(.undated).rows.first?.trip.id)
        try await laptop.attach(Data("offline".utf8), to: trip.reference, as: "of the laptop")
        let own = try await phone.attach(Data("offline".utf8), to: trip.reference, as: "of the phone")
        let content = try #require(try phone.entity(own)?.content)
        try await phone.revoke(laptop.replica)
        try await laptop.exchange(with: .store(phone))
        try await phone.discard(own)
        try await laptop.exchange(with: .store(phone))
        #expect(try laptop.contentFolder.holds(content))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("go with what they belong to")
    func ofDeletedTrips() async throws {
        let (phone, laptop, _) = try await pair()
        let trip = try #require(try phone.trips(.undated).rows.first?.trip.id)
        let item = try await phone.create(Activity(name: "Tram", in: trip))
        for (owner, name) in [(trip.reference, "of the trip"), (item.reference, "of the item")] {
            try await phone.attach(Data(name.utf8), to: owner, as: name)
        }
        try await laptop.exchange(with: .store(phone))
        try await phone.delete(trip)
        try await laptop.exchange(with: .store(phone))
        #expect(try laptop.contentFolder.contents().count == 3)
        pass(days: 31)
        #expect(try await laptop.dropUnnamedAttachments(heldBy: .store(phone)) == 3)
        try await phone.restore(trip)
        try await laptop.exchange(with: .store(phone))
        #expect(try laptop.contentFolder.contents().count == 2)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("that were altered count as lost: the last good copy stays")
    func altered() async throws {
        let (phone, laptop, ticket) = try await pair()
        guard case .here(let url) = phone.state(of: ticket) else { throw CancellationError() }
        try Data("tickeT".utf8).write(to: url)
        pass(days: 31)
        #expect(try await laptop.dropUnnamedAttachments(heldBy: .store(phone)) == 0)
        #expect(laptop.state(of: ticket) != .missing)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("are kept by a replica on which another relies, for as long")
    func reliedOn() async throws {
        let (phone, laptop, ticket) = try await pair()
        let tablet = try await TripStore.test(journal: phone.journal, clock: ManualClock(seed: 3))
        try await phone.grant(.write, to: tablet.replica)
        try await tablet.exchange(with: .store(phone))
        pass(days: 31)
        #expect(try await laptop.dropUnnamedAttachments(heldBy: .store(phone)) == 1)
        #expect(try await phone.dropUnnamedAttachments(heldBy: .store(tablet)) == 0)
        pass(days: 31)
        #expect(try await phone.dropUnnamedAttachments(heldBy: .store(tablet)) == 1)
        #expect(tablet.state(of: ticket) != .missing)
        for store in [phone, laptop, tablet] { try await store.expectInvariants() }
    }

    @Test("stay while another attachment names them")
    func named() async throws {
        let (phone, laptop, ticket) = try await pair()
        let trip = try #require(try phone.trips(.undated).rows.first?.trip.id)
        try await phone.attach(Data("ticket".utf8), to: trip.reference, as: "again")
        try await laptop.exchange(with: .store(phone))
        pass(days: 31)
        #expect(try await laptop.dropUnnamedAttachments(heldBy: .store(phone)) == 0)
        #expect(laptop.state(of: ticket) != .missing)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("and that no commit ever named go too, as after a crash in between")
    func orphans() async throws {
        let (phone, laptop, _) = try await pair()
        let orphan = try await laptop.store(Data("orphan".utf8))
        #expect(try await laptop.dropUnnamedAttachments(heldBy: .store(phone)) == 0)
        pass(days: 31)
        #expect(try await laptop.dropUnnamedAttachments(heldBy: .store(phone)) == 2)
        #expect(try !laptop.contentFolder.holds(orphan))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("are new again if they are attached again")
    func attachedAgain() async throws {
        let (phone, laptop, _) = try await pair()
        let orphan = try await laptop.store(Data("orphan".utf8))
        pass(days: 31)
        #expect(try await laptop.store(Data("orphan".utf8)) == orphan)
        #expect(try await laptop.dropUnnamedAttachments(heldBy: .store(phone)) == 1)
        #expect(try laptop.contentFolder.holds(orphan))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("stay if a commit names them that does not count, as one of a revoked replica")
    func revoked() async throws {
        let (phone, laptop, _) = try await pair()
        let trip = try #require(try laptop.trips(.undated).rows.first?.trip.id)
        try await laptop.attach(Data("written offline".utf8), to: trip.reference, as: "offline")
        let content = try #require(try laptop.attachments(of: trip).first?.content)
        try await phone.revoke(laptop.replica)
        try await laptop.exchange(with: .store(phone))
        pass(days: 31)
        try await laptop.dropUnnamedAttachments(heldBy: .store(phone))
        #expect(try laptop.contentFolder.holds(content))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("stay if one that names them was discarded and another one may come back")
    func partlyDiscarded() async throws {
        let (phone, laptop, deleted) = try await pair()
        let trip = try #require(try phone.trips(.undated).rows.first?.trip.id)
        let again = try await phone.attach(Data("ticket".utf8), to: trip.reference, as: "again")
        try await phone.discard(again)
        #expect(try phone.contentFolder.holds(try #require(deleted.content)))
        try await phone.restore(deleted.id)
        #expect(try await phone.data(of: deleted) == Data("ticket".utf8))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("are gone everywhere once they were discarded, and say so")
    func discarded() async throws {
        let (phone, laptop, deleted) = try await pair()
        try await phone.restore(deleted.id)
        try await laptop.exchange(with: .store(phone))
        try await phone.discard(deleted.id)
        #expect(try !phone.contentFolder.holds(try #require(deleted.content)))
        try await laptop.exchange(with: .store(phone))
        for store in [phone, laptop] {
            let ticket = try #require(try store.entity(deleted.id))
            guard case .discarded = store.state(of: ticket) else {
                Issue.record("\(store.state(of: ticket))")
                continue
            }
            let error = await #expect(throws: TripStoreError.self) { try await store.data(of: ticket) }
            #expect(error?.code == .missingContent)
            try await store.expectInvariants()
        }
    }
}
